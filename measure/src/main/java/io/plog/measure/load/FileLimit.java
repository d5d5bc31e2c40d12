package io.plog.measure.load;

import com.sun.management.UnixOperatingSystemMXBean;
import io.plog.measure.PlanException;
import java.lang.management.ManagementFactory;

/** How many files, connections among them, this process may have open. Stateless. */
final class FileLimit {
    /** What the run opens besides its connections: samples, event files, the loop's own. */
    private static final int BESIDES = 32;

    private FileLimit() {}

    /**
     * Checks that so many connections are possible, before the first is made.
     *
     * @throws PlanException if they are not
     */
    static void check(int connections) throws PlanException {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            check(connections, system.getMaxFileDescriptorCount(), system.getOpenFileDescriptorCount());
        }
    }

    /** The same for a limit that is known; open files count against it. */
    static void check(int connections, long limit, long open) throws PlanException {
        long needed = connections + open + BESIDES;
        if (needed > limit) {
            throw new PlanException(connections + " connections need " + needed
                    + " file descriptors, and this process may have " + limit
                    + " (ulimit -n): raise it with 'ulimit -n " + needed
                    + "' in the shell that starts plog (root raises the hard limit, or limits.conf, or LimitNOFILE of a"
                    + " systemd unit), take fewer --connections, or start several loads with --start-at");
        }
    }
}
