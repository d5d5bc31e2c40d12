package io.plog.app.log;

import picocli.CommandLine.Command;

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
public final class LogCommand {}
