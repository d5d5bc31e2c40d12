package io.plog.app.server;

import io.plog.app.log.LogCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The server's commands as a program of their own, so that tests can start real processes. */
@Command(
        name = "plog",
        subcommands = {ServerCommand.class, LogCommand.class})
final class TestMain {
    private TestMain() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new TestMain()).execute(args));
    }
}
