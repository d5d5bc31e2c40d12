package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Programs of the machine that change something for a test, or say something, and end. */
public final class SystemCommand {
    private record Result(int exitCode, String output) {}

    private SystemCommand() {}

    /** What it says; it must succeed. */
    public static String run(String... command) throws IOException {
        Result result = result(command);
        assertThat(result.exitCode)
                .as("%s: %s", List.of(command), result.output)
                .isZero();
        return result.output;
    }

    /** Whether it is there and succeeds; to find out what is possible here. */
    public static boolean succeeds(String... command) {
        try {
            return result(command).exitCode == 0;
        } catch (IOException e) {
            return false;
        }
    }

    public static void signal(String name, long pid) throws IOException {
        run("kill", name, Long.toString(pid));
    }

    private static Result result(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.onExit().join().exitValue(), output);
    }
}
