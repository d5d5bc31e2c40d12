package io.plog.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Runs a command line as {@code main} does, with the environment and the output in the test's hands. */
public final class CommandRun {
    public final int exitCode;
    public final String out;
    public final String err;

    public CommandRun(Object command, Map<String, String> environment, String... args) {
        StringWriter written = new StringWriter();
        StringWriter complained = new StringWriter();
        CommandLine commandLine = (command instanceof PlogCommand ? PlogCommand.program() : new CommandLine(command))
                .setOut(new PrintWriter(written, true))
                .setErr(new PrintWriter(complained, true));
        exitCode = Main.run(commandLine, environment, args);
        out = written.toString();
        err = complained.toString();
    }

    /** Runs {@code plog} with these words and no environment. */
    public static CommandRun of(Object... words) {
        return new CommandRun(
                new PlogCommand(),
                Map.of(),
                Stream.of(words).map(String::valueOf).toArray(String[]::new));
    }

    /** Checks that it ended with this code. */
    public CommandRun exited(int code) {
        assertThat(exitCode).as("exit code of what printed\n%s%s", out, err).isEqualTo(code);
        return this;
    }

    /** The same, writes to these writers, and returns the exit code. */
    public static int plog(Writer out, Writer err, Object... words) {
        CommandLine commandLine =
                PlogCommand.program().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return Main.run(
                commandLine, Map.of(), Stream.of(words).map(String::valueOf).toArray(String[]::new));
    }
}
