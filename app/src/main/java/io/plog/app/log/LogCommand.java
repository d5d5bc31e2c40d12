package io.plog.app.log;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code plog log}: looks into a log, copies it, and repairs it. */
@Command(
        name = "log",
        mixinStandardHelpOptions = true,
        description = {
            "Inspects a log without a server: in a directory, or at an address. Only 'repair' changes anything, and only what it is asked to.",
            "A server may be running meanwhile; the end of its log then moves."
        },
        subcommands = {
            LogInfoCommand.class,
            LogDumpCommand.class,
            LogShowCommand.class,
            LogVerifyCommand.class,
            LogCopyCommand.class,
            LogRepairCommand.class
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class LogCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "missing command: expected one of info, dump, show, verify, copy, repair");
    }
}
