package io.plog.host.events;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How busy all processors of the machine were over a stretch of time. Immutable; safe for any thread.
 *
 * @param busyShare of their time that anybody used, 0 to 1
 * @param stealShare of their time that the hypervisor gave to others, 0 to 1
 */
public record MachineLoad(double busyShare, double stealShare) {

    /** What the kernel had counted at one moment; of use as the beginning of a stretch. */
    public static final class Mark {
        private final ProcFiles.Processors counted;

        private Mark(ProcFiles.Processors counted) {
            this.counted = counted;
        }

        /** From this moment until another; empty if the system does not tell, or no time has passed. */
        public Optional<MachineLoad> until(Mark later) {
            long ticks = later.counted.ticks() - counted.ticks();
            return counted.ticks() < 0 || later.counted.ticks() < 0 || ticks <= 0
                    ? Optional.empty()
                    : Optional.of(new MachineLoad(
                            (double) (later.counted.busyTicks() - counted.busyTicks()) / ticks,
                            (double) (later.counted.stealTicks() - counted.stealTicks()) / ticks));
        }
    }

    public static Mark mark() {
        return mark(Path.of("/proc"));
    }

    /** @param root {@code /proc}, or a tree like it */
    static Mark mark(Path root) {
        return new Mark(new ProcFiles(root).processors());
    }
}
