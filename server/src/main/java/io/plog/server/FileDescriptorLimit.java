package io.plog.server;

import com.sun.management.UnixOperatingSystemMXBean;
import io.plog.server.connection.Connection;
import io.plog.server.options.ServerStartException;
import java.lang.management.ManagementFactory;

/**
 * How many connections the limit of open files leaves room for. A server that accepts more than that has none left for its logs:
 * it could make no segment, save no checkpoint, and not be asked how it is.
 *
 * @param limit how many file descriptors this process may have; {@link Long#MAX_VALUE} if the system does not say
 * @param open how many it has, its logs opened
 */
record FileDescriptorLimit(long limit, long open) {
    /** For farewells to those beyond the limit, the admin port's connections, events, and what the JVM opens now and then. */
    private static final int SPARE = Connection.MAX_FAREWELLS + 64;

    /** Segments that are prepared or closed, a checkpoint, a reader and the directory itself. */
    private static final int FOR_A_DIRECTORY = 16;

    static FileDescriptorLimit ofThisProcess() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
            try {
                return new FileDescriptorLimit(unix.getMaxFileDescriptorCount(), unix.getOpenFileDescriptorCount());
            } catch (InternalError e) {
                // How the JDK says that there is no /proc.
            }
        }
        return new FileDescriptorLimit(Long.MAX_VALUE, 0);
    }

    /** How many of the wanted connections there is room for; refused if there is none for even one. */
    int connections(int wanted, int directories) throws ServerStartException {
        long room = limit - needed(directories);
        if (room < 1) {
            throw new ServerStartException("this process may have " + limit + " open files: expected at least "
                    + (needed(directories) + 1) + ", of which the server needs " + needed(directories)
                    + " for itself; raise the limit (ulimit -n)");
        }
        return (int) Math.min(wanted, room);
    }

    /** That fewer connections are served than were wanted, and what to do about it. */
    String shortage(int wanted, int granted, int directories) {
        return "at most " + granted + " connections at once instead of " + wanted + ": this process may have " + limit
                + " open files, and the server needs " + needed(directories)
                + " for itself; for all of them raise the limit (ulimit -n) to " + (wanted + needed(directories));
    }

    private long needed(int directories) {
        return open + SPARE + (long) directories * FOR_A_DIRECTORY;
    }
}
