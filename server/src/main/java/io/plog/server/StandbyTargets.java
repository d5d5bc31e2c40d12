package io.plog.server;

import io.plog.log.spi.DurableLogProvider;
import io.plog.log.spi.HolderElection;
import io.plog.server.options.LogPlace;
import io.plog.server.options.TargetOptions;
import io.plog.server.targets.StandbyLog;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The targets of a server that is a standby. They join their queues one after the other, in the order of their addresses, each when the
 * turn of the one before has come: so servers with the same logs do not hold some of them each, waiting for the rest. Prepared and
 * started by one thread, closed by one.
 */
final class StandbyTargets {
    private record Waiting(int id, TargetOptions options, URI address, HolderElection election, StandbyLog log) {}

    private final List<Waiting> prepared = new ArrayList<>();
    private final List<StandbyTarget> started = new ArrayList<>();

    /**
     * A target that will wait, in the order of their ids.
     *
     * @throws io.plog.log.LogException if its kind of log knows no standby
     * @throws IllegalArgumentException if its address is not right
     */
    void prepare(int id, TargetOptions options, StandbyLog log) throws IOException {
        if (options.place() instanceof LogPlace.Address address) {
            HolderElection election = DurableLogProvider.of(address.uri()).election(address.uri());
            prepared.add(new Waiting(id, options, address.uri(), election, log));
        }
    }

    /** Lets them join. Their threads inherit this one's class loader for logs. */
    synchronized void start(StandbyHost host) {
        prepared.sort(Comparator.comparing(each -> each.address().toString()));
        StandbyTarget before = null;
        for (Waiting each : prepared) {
            before = new StandbyTarget(
                    each.id(), each.options(), each.address().toString(), each.election(), each.log(), host, before);
            started.add(before);
            before.start();
        }
    }

    /** They take no log over from now on. */
    synchronized void stop() {
        started.forEach(StandbyTarget::stop);
    }

    /** They leave their queues, after their logs were closed. Blocks. */
    synchronized void leave() throws IOException {
        try {
            for (StandbyTarget each : started) {
                each.leave();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while leaving a queue", e);
        }
    }
}
