package io.plog.measure.load;

import io.plog.host.LinuxFiles;
import io.plog.measure.plan.LoadMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Lets the thread that drives a load run before others, where the system allows it ({@code chrt}: the superuser, or who has
 * CAP_SYS_NICE): as round-robin real time, of the lowest such priority. What is due must be sent when it is due, whatever a server
 * on the same processors just does; else the client's own lateness is measured. It sleeps between what is due.
 *
 * <p>For the thread that takes it, which must be the one to close it.
 *
 * @param thread the system's number of it; empty if it was not raised
 * @param description in words
 */
record DriverPriority(String thread, String description) implements AutoCloseable {
    /** Fact of the client: with which priority its load is driven. */
    static final String FACT = "loadDriver";

    private static final String ORDINARY = "ordinary priority";

    private static final int PATIENCE_SECONDS = 5;

    /** Threads and processes that are made meanwhile do not inherit it. */
    private static final List<String> REAL_TIME = List.of("chrt", "--reset-on-fork", "--rr", "--pid", "1");

    private static final List<String> BACK = List.of("chrt", "--other", "--pid", "0");

    /** Raises this thread's priority, if the system allows it and the mode has intended times. */
    static DriverPriority take(LoadMode mode) {
        if (!mode.isScheduled()) {
            return new DriverPriority("", ORDINARY);
        }
        try {
            String thread = LinuxFiles.currentThread();
            String refused = run(REAL_TIME, thread);
            return refused.isEmpty()
                    ? new DriverPriority(thread, "real-time priority")
                    : new DriverPriority("", ORDINARY + " (" + refused + ")");
        } catch (IOException | UnsupportedOperationException e) {
            return new DriverPriority("", ORDINARY + " (it cannot be changed here)");
        }
    }

    /** With which priority this thread would drive a load, in words. */
    static String description(LoadMode mode) {
        try (DriverPriority priority = take(mode)) {
            return priority.description;
        }
    }

    /** Gives it back. */
    @Override
    public void close() {
        if (!thread.isEmpty()) {
            try {
                run(BACK, thread);
            } catch (IOException e) {
                // The permission was withdrawn meanwhile; the thread ends with the load.
            }
        }
    }

    /** Returns why it was refused; empty if it was not. */
    private static String run(List<String> command, String thread) throws IOException {
        List<String> line = new ArrayList<>(command);
        line.add(thread);
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "chrt does not end";
            }
            return process.exitValue() == 0 ? "" : "not allowed to this user";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
