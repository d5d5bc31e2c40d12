package io.plog.app.lab;

import io.plog.app.lab.yours.RunClientCommand;
import io.plog.app.lab.yours.RunRecoveryCommand;
import io.plog.app.lab.yours.RunYoursCommand;
import picocli.CommandLine.Command;

/** {@code plog lab}: records and checks what a lab's steps do, kills a server, damages a log, hunts bugs, judges a log, grades a class. */
@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        description = {
            "For the labs of the course, in the folder labs: records and checks what the steps of a lab do, kills a server"
                    + " as a crash would, damages a log by hand, hunts bugs, judges a log, a client or a recovery; for the teacher,"
                    + " grades a class.",
            "Examples:",
            "  plog lab kill log",
            "  plog lab check"
        },
        subcommands = {
            LabBeginCommand.class,
            LabCheckCommand.class,
            LabKillCommand.class,
            LabDamageCommand.class,
            LabBugCommand.class,
            LabDiceCommand.class,
            LabNewCourseCommand.class,
            LabGradeCommand.class,
            RunYoursCommand.class,
            RunClientCommand.class,
            RunRecoveryCommand.class
        })
public final class LabCommand {}
