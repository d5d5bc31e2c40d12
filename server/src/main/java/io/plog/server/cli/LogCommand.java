package io.plog.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code plog log}: looks into a log's directory. */
@Command(
        name = "log",
        mixinStandardHelpOptions = true,
        description = {
            "Looks into a log's directory without a server, changing nothing.",
            "A server may be running; the end of its log is then a moving one."
        },
        subcommands = {LogInfoCommand.class, LogDumpCommand.class, LogVerifyCommand.class})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class LogCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "missing command: expected one of info, dump, verify");
    }
}
