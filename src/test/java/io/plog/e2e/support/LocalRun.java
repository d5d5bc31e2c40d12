package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.app.Main;
import io.plog.app.PlogCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/**
 * A {@code plog} command that ran to its end in the JVM of the test. A process of its own costs more than half a second of
 * processor time, a measurement in one three seconds, so this is for whatever needs no process. At least one test of each command
 * starts a real {@link Plog}, which also proves that exit code and streams are those of the process.
 *
 * <p>Not for servers that start (those that are refused end), for tests of signals, or for what reads standard input or writes bytes to standard
 * output: {@code plog call} gets its payload from a file, and {@code --json}.
 */
public final class LocalRun implements CommandOutput {
    private final String command;
    private final int exitCode;
    private final String out;
    private final String err;

    private LocalRun(String command, int exitCode, String out, String err) {
        this.command = command;
        this.exitCode = exitCode;
        this.out = out;
        this.err = err;
    }

    /** Runs a command with an empty environment; it is written as {@link Words#of} has it. */
    public static LocalRun of(String line, Object... values) {
        String[] words = Words.of(line, values).toArray(String[]::new);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine =
                PlogCommand.program().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int exitCode = Main.run(commandLine, Map.of(), words);
        return new LocalRun(String.join(" ", words), exitCode, out.toString(), err.toString());
    }

    @Override
    public List<String> out() {
        return out.lines().toList();
    }

    @Override
    public List<String> err() {
        return err.lines().toList();
    }

    @Override
    public String outText() {
        return out;
    }

    @Override
    public String errText() {
        return err;
    }

    public int exitCode() {
        return exitCode;
    }

    @Override
    public LocalRun exited(int... codes) {
        assertThat(codes).as("exit codes of\n%s", this).contains(exitCode);
        assertThat(errText()).doesNotContain("\tat ");
        return this;
    }

    @Override
    public String toString() {
        return "plog " + command + " (in the JVM of the test)\n--- stdout\n" + outText() + "--- stderr\n" + errText()
                + "---";
    }
}
