package io.plog.measure;

import io.plog.host.AwakeProcessors;
import io.plog.host.events.Counters;
import io.plog.measure.samples.RunInfo;

/**
 * How much processor time went into keeping processors awake: it must not count as use of the machine, neither at the client nor
 * at a server that has the same processors. For one thread.
 */
final class AwakeTime {
    private static final long UNKNOWN = -1;

    private final long pid;
    private final boolean serversToo;
    private long ticksBefore;

    /** From now on. */
    AwakeTime(KeptAwake awake, RunInfo info) {
        pid = awake.pid();
        serversToo = info.isOneMachine();
        restart();
    }

    /** From now on instead. */
    void restart() {
        ticksBefore = ticks();
    }

    private long ticks() {
        return pid == 0 ? UNKNOWN : AwakeProcessors.ticks(pid);
    }

    /** Whether the server's processors are the same. */
    boolean isServersToo() {
        return serversToo;
    }

    /** Its share of the machine's processor time between two looks, 0 to 1; 0 if that is not known. */
    double share(Counters before, Counters after) {
        long ticksAfter = ticks();
        long all = after.machineTicks() - before.machineTicks();
        boolean known = ticksBefore >= 0 && ticksAfter >= 0 && before.machineTicks() >= 0 && all > 0;
        return known ? Math.min(1, (ticksAfter - ticksBefore) / (double) all) : 0;
    }
}
