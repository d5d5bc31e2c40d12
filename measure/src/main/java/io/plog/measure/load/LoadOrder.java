package io.plog.measure.load;

import io.plog.client.Credentials;
import io.plog.measure.HostPort;
import io.plog.measure.HttpService;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Loop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A load, and what it is sent with.
 *
 * @param plan checked when the order is made
 * @param credentials how to connect to its servers
 * @param ledger where to append a line for each acknowledgement of a request that is to be logged, if anywhere
 * @param command the command line that repeats it, for the record
 */
public record LoadOrder(
        Load plan, Credentials credentials, @Nullable LedgerOptions ledger, String command) {
    /**
     * Checks the plan.
     *
     * @throws IllegalArgumentException if it cannot be run, or not over HTTP
     */
    public LoadOrder {
        plan = plan.checked();
        boolean severalAtOnce = plan.loop() instanceof Loop.Closed closed && closed.outstanding() > 1;
        if (HttpService.of(plan.server()) != null && (severalAtOnce || plan.loggedShare() < 1 || ledger != null)) {
            throw new IllegalArgumentException("the server is " + plan.server()
                    + ": over HTTP a connection carries one request at a time, and requests are neither read-only nor"
                    + " noted in a ledger; leave out --outstanding, --workload and --ledger");
        }
    }

    /** A load with nothing else. */
    public static LoadOrder of(Load plan) {
        return new LoadOrder(plan, Credentials.NONE, null, "");
    }

    /** The service that speaks HTTP, if it is no plog server. */
    @Nullable
    HttpService http() {
        return HttpService.of(plan.server());
    }

    /** Its servers, in the order in which they are tried. */
    List<HostPort> servers() {
        HttpService service = http();
        return service == null ? HostPort.parseAll(plan.server()) : List.of(service.address());
    }
}
