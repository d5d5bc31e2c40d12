package io.plog.app.lab;

import picocli.CommandLine.Command;

/** {@code plog lab}: kills a server, damages a log, hunts bugs, and checks what a lab's steps wrote. */
@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        description = {
            "For the labs of the course, in the folder labs: checks what the steps of a lab wrote, kills a server as a"
                    + " crash would, damages a log by hand, hunts bugs.",
            "Examples:",
            "  plog lab kill log",
            "  plog lab check 2"
        },
        subcommands = {LabCheckCommand.class, LabKillCommand.class, LabDamageCommand.class, LabBugCommand.class})
public final class LabCommand {}
