package io.plog.app.sim;

import picocli.CommandLine.Command;

/** {@code plog sim}: what can be done to a simulated disk. */
@Command(
        name = "sim",
        mixinStandardHelpOptions = true,
        description = "Cuts the power of a simulated disk: one that is used as sim:MODEL@DIR.",
        subcommands = SimCutCommand.class)
public final class SimCommand {}
