package io.plog.host;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the processors of this machine awake while something is measured. A processor with nothing to do is put to sleep and takes
 * tens of microseconds to come back, which a request pays or not according to how long the processor was idle before, and so
 * according to what else the server does.
 *
 * <p>The kernel is asked for it where that is allowed ({@link LatencyRequest}). Else a process of its own ({@link SpinMain}) has a
 * thread for each processor under the policy {@code SCHED_IDLE}: they run only where no other thread wants to, and every other takes
 * their place at once. It is a process of its own since a thread of that priority inside a JVM would delay all others at each
 * safepoint. Both end with the process that started them. Used by one thread.
 */
public final class AwakeProcessors implements Closeable {
    private static final String CHRT = "chrt";

    /** Of {@code /proc/PID/stat}, counted behind the name, which ends with the last parenthesis. */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;

    private final @Nullable LatencyRequest request;
    private final @Nullable Process process;
    private final String fact;

    private AwakeProcessors(@Nullable LatencyRequest request, @Nullable Process process, String fact) {
        this.request = request;
        this.process = process;
        this.fact = fact;
    }

    /**
     * Keeps them awake until this is closed: all that this process may use.
     *
     * @throws IOException if that is not possible
     */
    public static AwakeProcessors start() throws IOException {
        if (LatencyRequest.isPossible(LatencyRequest.DEVICE, LatencyRequest.FIRST_STATE)) {
            try {
                return request();
            } catch (IOException e) {
                if (obstacleToSpinning() != null) {
                    throw e;
                }
            }
        }
        return spin();
    }

    /**
     * Keeps none awake.
     *
     * @param why a part of a sentence
     */
    public static AwakeProcessors none(String why) {
        return new AwakeProcessors(null, null, "no: " + why);
    }

    private static AwakeProcessors request() throws IOException {
        return new AwakeProcessors(
                LatencyRequest.take(LatencyRequest.DEVICE),
                null,
                "yes: the kernel was asked for a latency of 0 µs, so idle processors poll");
    }

    static AwakeProcessors spin() throws IOException {
        int threads = Runtime.getRuntime().availableProcessors();
        ProcessBuilder builder = new ProcessBuilder(command(threads))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment()
                .keySet()
                .removeIf(name -> name.endsWith("JAVA_OPTIONS") || name.equals("JAVA_TOOL_OPTIONS"));
        return new AwakeProcessors(
                null, builder.start(), "yes: by " + threads + " spinning threads of the lowest priority (SCHED_IDLE)");
    }

    static List<String> command(int threads) {
        return List.of(
                CHRT,
                "--idle",
                "0",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xmx16m",
                "-cp",
                System.getProperty("java.class.path"),
                SpinMain.class.getName(),
                Integer.toString(threads));
    }

    /** Why processors cannot, or should not, be kept awake here, a part of a sentence; {@code null} if nothing speaks against it. */
    public static @Nullable String obstacle() {
        return LatencyRequest.isPossible(LatencyRequest.DEVICE, LatencyRequest.FIRST_STATE)
                ? null
                : obstacleToSpinning();
    }

    static @Nullable String obstacleToSpinning() {
        return obstacle(
                MachineFacts.cpuLimit(),
                System.getProperty("os.name", ""),
                System.getenv().getOrDefault("PATH", ""));
    }

    static @Nullable String obstacle(String cpuLimit, String system, String path) {
        if (!system.toLowerCase(Locale.ROOT).startsWith("linux")) {
            return "only Linux has a priority below all others";
        }
        if (!cpuLimit.equals(MachineFacts.NO_LIMIT) && !cpuLimit.equals(LinuxFiles.UNKNOWN)) {
            return "the control group's processor time is limited (" + cpuLimit
                    + "), and what keeps them awake would use it up";
        }
        for (String directory : path.split(":", -1)) {
            if (!directory.isEmpty() && Files.isExecutable(Path.of(directory, CHRT))) {
                return null;
            }
        }
        return "there is no program " + CHRT + " (package util-linux) on the PATH";
    }

    /** The number of the process that spins; 0 if none does. */
    public long pid() {
        return process == null ? 0 : process.pid();
    }

    /** {@code yes: } and how it is done, or {@code no: } and why not. */
    public String fact() {
        return fact;
    }

    /**
     * The processor time that a process has used, in the kernel's ticks; -1 if that is not known.
     *
     * @param pid its number
     */
    public static long ticks(long pid) {
        return ticks(LinuxFiles.read(Path.of("/proc/" + pid + "/stat"), ""));
    }

    static long ticks(String stat) {
        String[] words = stat.substring(stat.lastIndexOf(')') + 1).strip().split("\\s+", -1);
        try {
            return words.length <= SYSTEM_TICKS
                    ? -1
                    : Long.parseLong(words[USER_TICKS]) + Long.parseLong(words[SYSTEM_TICKS]);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Lets them sleep again; waits for the end of the process if there is one. */
    @Override
    public void close() throws IOException {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
        if (request != null) {
            request.close();
        }
    }
}
