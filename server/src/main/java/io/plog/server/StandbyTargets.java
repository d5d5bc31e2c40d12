package io.plog.server;

import io.plog.log.spi.DurableLogProvider;
import io.plog.log.spi.HolderElection;
import io.plog.server.options.LogPlace;
import io.plog.server.options.TargetOptions;
import io.plog.server.targets.DurableRecordLog;
import io.plog.server.targets.StandbyLog;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The targets of a server whose logs others keep. Each of a standby joins its queue by itself, and tries again as long as it cannot.
 * Prepared and started by one thread, closed by one.
 */
final class StandbyTargets {
    /**
     * A target whose host is not there yet.
     *
     * @param election where it waits; null if it has its log and does not
     * @param standby its log until it has a real one; null if it does not wait
     * @param open its log, if it has it
     */
    record Prepared(
            int id,
            TargetOptions options,
            URI address,
            @Nullable HolderElection election,
            @Nullable StandbyLog standby,
            @Nullable DurableRecordLog open) {}

    private final List<Prepared> prepared = new ArrayList<>();
    private final List<StandbyTarget> started = new ArrayList<>();

    /**
     * A target that will wait.
     *
     * @throws io.plog.log.LogException if its kind of log knows no standby
     * @throws IllegalArgumentException if its address is not right
     */
    void prepare(int id, TargetOptions options, StandbyLog log) throws IOException {
        if (options.place() instanceof LogPlace.Address address) {
            HolderElection election = DurableLogProvider.of(address.uri()).election(address.uri());
            prepared.add(new Prepared(id, options, address.uri(), election, log, null));
        }
    }

    /** A target that has its log, and opens it again when it is lost and no other server has it. */
    void prepareAlone(int id, TargetOptions options, DurableRecordLog log) {
        if (options.place() instanceof LogPlace.Address address) {
            prepared.add(new Prepared(id, options, address.uri(), null, null, log));
        }
    }

    /** Lets them join. Their threads inherit this one's class loader for logs. */
    synchronized void start(StandbyHost host) {
        prepared.sort(Comparator.comparing(each -> each.address().toString()));
        AtomicInteger left = new AtomicInteger(prepared.size());
        StandbyTarget before = null;
        for (Prepared each : prepared) {
            before = new StandbyTarget(each, host, before, left);
            started.add(before);
        }
        started.forEach(StandbyTarget::start);
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
