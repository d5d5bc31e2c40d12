package io.plog.app.lab;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.host.LogWriterProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code plog lab kill}: the crash of a server, the same on every system. */
@Command(
        name = "kill",
        description = {
            "Kills the server that has the log in DIR open, or the process that FILE names, at once and without a warning, as kill -9 does.",
            "The operating system goes on: what the server had written but not forced is not lost by this."
        })
final class LabKillCommand extends ConsoleCommand {
    @Parameters(
            paramLabel = "DIR|FILE",
            description =
                    "The log's directory; or a file with the line pid=N: what plog server --ready-file writes, and"
                            + " plog bookies for each bookie.")
    private Path place;

    @Override
    protected ExitCode run() throws IOException, InterruptedException {
        if (!Files.exists(place)) {
            throw new IOException(place + " does not exist: expected a log's directory, or a file with the line pid=N");
        }
        ProcessHandle server = Files.isDirectory(place) ? writer() : named();
        long pid = server.pid();
        String program = server.info().command().orElse("java");
        if (!Path.of(program).getFileName().toString().startsWith("java")) {
            throw new IOException("process " + pid + " (" + program + "), which has " + place
                    + " open, is no server of plog: it is not killed");
        }
        if (!server.destroyForcibly()) {
            throw new IOException("process " + pid + " may not be killed by this user");
        }
        try {
            server.onExit().get();
        } catch (ExecutionException e) {
            throw new IOException("process " + pid + " was killed, and its end was not seen", e);
        }
        out().println("killed process " + pid + " of " + place);
        return ExitCode.DONE;
    }

    /** By the system's table of locks, or where it has none, by what the lock's file says of a process that is as old. */
    private ProcessHandle writer() throws IOException {
        Path lock = place.resolve("log.lock");
        String found = LogWriterProcess.of(place).orElse("");
        if (found.isEmpty() && !Files.exists(Path.of("/proc/locks")) && Files.exists(lock)) {
            found = Files.readString(lock).replaceFirst("pid", "").strip();
        }
        return process(found, lock)
                .orElseThrow(() -> new IOException(
                        "no process of this machine has the log in " + place + " open: start its server first"));
    }

    private ProcessHandle named() throws IOException {
        String pid = Files.readAllLines(place).stream()
                .filter(line -> line.startsWith("pid="))
                .map(line -> line.substring("pid=".length()))
                .findFirst()
                .orElseThrow(() -> new IOException(place + " has no line pid=N"));
        return process(pid, place)
                .orElseThrow(() -> new IOException("process " + pid + ", which " + place + " names, is gone"));
    }

    /** The process of this number, if it is as old as the file that names it. */
    private static Optional<ProcessHandle> process(String pid, Path file) {
        Optional<ProcessHandle> process =
                pid.matches("\\d{1,18}") ? ProcessHandle.of(Long.parseLong(pid)) : Optional.empty();
        return process.filter(each -> startedBefore(each, file));
    }

    /** Since a process that is younger than the lock only has the number of the one that wrote it. */
    private static boolean startedBefore(ProcessHandle process, Path lock) {
        try {
            Instant written = Files.getLastModifiedTime(lock).toInstant();
            return process.info().startInstant().map(written::isAfter).orElse(true);
        } catch (IOException e) {
            return false;
        }
    }
}
