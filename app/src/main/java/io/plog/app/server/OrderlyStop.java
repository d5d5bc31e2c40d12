package io.plog.app.server;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.Failures;
import io.plog.app.cli.LogEngines;
import io.plog.server.PlogServer;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;

/**
 * Ends a running server in order, and the process with an exit code that says how that went. Safe for any thread.
 *
 * @param command where failures are reported
 */
record OrderlyStop(CommandLine command, PlogServer server) {
    /** Closes the server; returns the exit code. */
    int stop() {
        try {
            server.close();
            PrintWriter err = command.getErr();
            err.println("stopped: everything appended was made durable and answered");
            err.flush();
            return ExitCode.DONE.code();
        } catch (IOException e) {
            return Failures.report(command, e);
        }
    }

    /** All went well, so nobody looks for what the logs' engines said. */
    private static void deleteMessages() {
        try {
            LogEngines.deleteMessages();
        } catch (IOException e) {
            // it stays, as after any other end
        }
    }

    /** Ends the process itself: after a signal the JVM would exit with 128 + signal, although all went well. */
    void stopAndHalt() {
        haltAtLatest();
        int code = stop();
        if (code == ExitCode.DONE.code()) {
            deleteMessages();
        }
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(code);
    }

    /** Closing the server is bounded in time. This is the last resort, should that bound fail. */
    private static void haltAtLatest() {
        Thread last = new Thread(
                () -> {
                    try {
                        Thread.sleep(2 * PlogServer.CLOSE_BOUND.toMillis());
                    } catch (InterruptedException e) {
                        // A user who interrupts it needs the end now.
                    }
                    Runtime.getRuntime().halt(ExitCode.FAILED.code());
                },
                "plog-stop-at-latest");
        last.setDaemon(true);
        last.start();
    }
}
