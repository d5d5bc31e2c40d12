package io.plog.app;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import picocli.CommandLine;

/** Runs a command line as {@code main} does, with the environment and the output in the test's hands. */
public final class CommandRun {
    public final int exitCode;
    public final String out;
    public final String err;

    public CommandRun(Object command, Map<String, String> environment, String... args) {
        StringWriter written = new StringWriter();
        StringWriter complained = new StringWriter();
        CommandLine commandLine = new CommandLine(command)
                .setOut(new PrintWriter(written, true))
                .setErr(new PrintWriter(complained, true));
        exitCode = Main.run(commandLine, environment, args);
        out = written.toString();
        err = complained.toString();
    }
}
