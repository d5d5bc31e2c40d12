package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A running {@code plog}, started as a user would, in a JVM of its own. Closing it kills whatever is left of it. */
public final class Plog implements CommandOutput, AutoCloseable {
    /** For what should take a second or two, on a machine that is busy with other things. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Short lives: no time for the second compiler to pay, nor for the first where a method is called seldom. */
    private static final List<String> SHORT_LIVED = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:CompileThresholdScaling=3",
            "-XX:+UseSerialGC",
            "-XX:+PerfDisableSharedMem");

    public static final int SIGHUP = 1;
    public static final int SIGINT = 2;

    private final String command;
    private final Process process;
    private final Output out;
    private final Output err;

    private Plog(String command, Process process) {
        this.command = command;
        this.process = process;
        this.out = new Output("stdout of " + process.pid(), process.getInputStream());
        this.err = new Output("stderr of " + process.pid(), process.getErrorStream());
    }

    /** Starts a command and returns at once; all of them are written as {@link Words#of} has them. */
    public static Plog start(String line, Object... values) throws IOException {
        return start(Map.of(), line, values);
    }

    /** Starts a command in a process that may have so many open files. */
    public static Plog startWithin(int openFiles, String line, Object... values) throws IOException {
        List<String> limited = List.of("/bin/sh", "-c", "ulimit -n " + openFiles + "; exec \"$0\" \"$@\"");
        return start(limited, Map.of(), Words.of(line, values));
    }

    /** Starts a command, as root, on a machine that tells nothing: no /proc, no /sys, no /tmp, and no epoll. */
    public static Plog startOnBareSystem(String line, Object... values) throws IOException {
        String hide = "for d in /proc /sys /tmp; do mount -t tmpfs -o ro none $d || exit 99; done; exec \"$0\" \"$@\"";
        String lib = Path.of(System.getProperty("java.home"), "lib").toString();
        return start(
                List.of("unshare", "-m", "/bin/sh", "-c", hide),
                // The JVM looks for its libraries by /proc otherwise.
                Map.of(
                        "LD_LIBRARY_PATH",
                        lib + ":" + lib + "/server",
                        "JAVA_TOOL_OPTIONS",
                        "-Dio.netty.transport.noNative=true"),
                Words.of(line, values));
    }

    /** Starts a command in a process of a group of its own, as root, so that its connections can be reported from others. */
    public static Plog startInGroup(int group, Map<String, String> environment, String line, Object... values)
            throws IOException {
        List<String> grouped = List.of("setpriv", "--regid", Integer.toString(group), "--clear-groups", "--");
        return start(grouped, environment, Words.of(line, values));
    }

    /** Starts a command with more variables in its environment. */
    public static Plog start(Map<String, String> environment, String line, Object... values) throws IOException {
        return start(List.of(), environment, Words.of(line, values));
    }

    /** Starts these words in a folder, with more variables in its environment. */
    public static Plog startIn(Path folder, Map<String, String> environment, List<String> words) throws IOException {
        return start(folder, List.of(), environment, words);
    }

    private static Plog start(List<String> prefix, Map<String, String> environment, List<String> words)
            throws IOException {
        return start(DiskDirectory.root().resolve("src/test/target"), prefix, environment, words);
    }

    private static Plog start(Path folder, List<String> prefix, Map<String, String> environment, List<String> words)
            throws IOException {
        List<String> line = new ArrayList<>(prefix);
        line.addAll(jvm(words.get(0)));
        line.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PLOG_"));
        builder.environment().putAll(environment);
        return new Plog(String.join(" ", words), builder.start());
    }

    /** Runs a command to its end, without input. */
    public static Plog run(String line, Object... values) throws IOException, InterruptedException {
        Plog plog = start(line, values);
        plog.process.getOutputStream().close();
        plog.awaitExit();
        return plog;
    }

    /** Runs a command to its end with these bytes as its input. */
    public static Plog runWithInput(byte[] input, String line, Object... values)
            throws IOException, InterruptedException {
        Plog plog = start(line, values);
        try (OutputStream in = plog.process.getOutputStream()) {
            in.write(input);
        }
        plog.awaitExit();
        return plog;
    }

    /** Ends its input. */
    public void closeInput() throws IOException {
        process.getOutputStream().close();
    }

    /** What starts a JVM that has more on its class path, and runs no command of users. */
    public static List<String> jvmWith(String moreClassPath) {
        return jvm(List.of("-Xmx256m"), moreClassPath + File.pathSeparator + ClassArchive.classPath());
    }

    private static List<String> jvm(String command) {
        List<String> flags = new ArrayList<>(ClassArchive.flags(command));
        if (Runtime.version().feature() >= 22) {
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        return jvm(flags, ClassArchive.classPath());
    }

    private static List<String> jvm(List<String> more, String classPath) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(SHORT_LIVED);
        line.addAll(more);
        line.addAll(List.of("-cp", classPath, "io.plog.app.Main"));
        return line;
    }

    /** Whether it is run from jars, as its users do, and as a build that packages does. */
    public static boolean isOfJars() {
        return Stream.of(ClassArchive.classPath().split(File.pathSeparator))
                .noneMatch(entry -> entry.endsWith("target/classes") && Files.isDirectory(Path.of(entry)));
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public List<String> out() {
        return out.lines();
    }

    @Override
    public List<String> err() {
        return err.lines();
    }

    @Override
    public String outText() {
        return out.text();
    }

    @Override
    public String errText() {
        return err.text();
    }

    /** Waits for a line on standard error and returns it. */
    public String awaitErr(Predicate<String> wanted) throws InterruptedException {
        return err.await(wanted, PATIENCE).orElseThrow(() -> new AssertionError("no such line in\n" + this));
    }

    /** Waits until it ends by itself and returns the exit code. */
    public int awaitExit() throws InterruptedException {
        return awaitExit(PATIENCE);
    }

    public int awaitExit(Duration patience) throws InterruptedException {
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("still running after " + patience.toSeconds() + " s:\n" + this);
        }
        out.awaitEnd(PATIENCE);
        err.awaitEnd(PATIENCE);
        return process.exitValue();
    }

    /** Asks it to end, as a service manager does. */
    public void terminate() {
        process.destroy();
    }

    /** Asks it to stop, as Ctrl-C does. */
    public void interrupt() throws IOException {
        interrupt(pid());
    }

    public static void interrupt(long pid) throws IOException {
        Assumptions.assumeFalse(ignores(SIGINT, pid), "this build ignores SIGINT: start it in the foreground");
        SystemCommand.signal("-INT", pid);
    }

    /**
     * A shell without job control has what it starts in the background ignore SIGINT, and its children's children too; nohup does it
     * with SIGHUP.
     */
    public static boolean ignores(int signal, long pid) throws IOException {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        return Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line ->
                                (Long.parseUnsignedLong(line.substring(7).strip(), 16) >> (signal - 1) & 1) != 0);
    }

    /** The processes that it has started and that still run. */
    public List<ProcessHandle> processes() {
        return process.descendants().filter(ProcessHandle::isAlive).toList();
    }

    /** Ends it on the spot, as a crash does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitExit();
    }

    @Override
    public Plog exited(int... codes) {
        try {
            assertThat(codes).as("exit codes of\n%s", this).contains(awaitExit());
        } catch (InterruptedException e) {
            throw new AssertionError("a test was interrupted, probably by its time limit", e);
        }
        return withoutStackTrace();
    }

    public Plog withoutStackTrace() {
        assertThat(errText()).doesNotContain("\tat ").doesNotContain("Exception in thread");
        return this;
    }

    /** Lines of the form {@code name=value}, by name. */
    public static Map<String, String> pairs(List<String> lines) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                pairs.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return pairs;
    }

    @Override
    public String toString() {
        return "plog " + command + "\n--- stdout\n" + outText() + "--- stderr\n" + errText() + "---";
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join(); // else its log is still open for the next look
    }
}
