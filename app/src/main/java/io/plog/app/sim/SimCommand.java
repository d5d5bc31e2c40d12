package io.plog.app.sim;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code plog sim}: what can be done to a simulated disk. */
@Command(
        name = "sim",
        mixinStandardHelpOptions = true,
        description = "Cuts the power of a simulated disk: one that is used as sim:MODEL@DIR.",
        subcommands = SimCutCommand.class)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class SimCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(spec.commandLine(), "missing command: expected cut");
    }
}
