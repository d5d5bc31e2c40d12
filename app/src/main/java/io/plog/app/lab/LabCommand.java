package io.plog.app.lab;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code plog lab}: kills a server, checks what a lab's steps wrote, and lists what students handed in. */
@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        description = {
            "For the labs of the course, in the folder labs: checks what the steps of a lab wrote, kills a server as a"
                    + " crash would, damages a log by hand, lists what was handed in.",
            "Examples:",
            "  plog lab kill log",
            "  plog lab check 2"
        },
        subcommands = {LabCheckCommand.class, LabKillCommand.class, LabDamageCommand.class, LabGradeCommand.class})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class LabCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "missing command: expected one of check, kill, damage, grade");
    }
}
