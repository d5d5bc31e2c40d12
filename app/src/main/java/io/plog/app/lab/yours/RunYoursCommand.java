package io.plog.app.lab.yours;

import io.plog.app.cli.ChildJvm;
import io.plog.app.cli.ExitCode;
import io.plog.log.storage.Storage;
import io.plog.simdisk.SimulatedDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code plog lab run-yours}: judges a student's log. That may end its JVM, fill it or never return; so it runs in a process of its own, which
 * this one reports on.
 */
@Command(
        name = "run-yours",
        description = {
            "Judges the log that you wrote in lab 10: runs it on simulated disks that fail, fill up and lose power, prints what each"
                    + " promise got after scripts and 300 histories, and the shortest history that breaks it; writes yours.json. A disk that lies is not among them:"
                    + " no log survives it. Ends with 0 if all promises hold.",
            "Examples:",
            "  plog lab run-yours my.jar",
            "  plog lab run-yours --command 'python3 my_log.py' --seed 7"
        })
public final class RunYoursCommand extends JudgeCommand {
    private static final List<String> FLAGS =
            List.of("-Xmx256m", "-XX:-ExitOnOutOfMemoryError", "-XX:OnOutOfMemoryError=");

    @Parameters(arity = "0..1", paramLabel = "JAR", description = "The jar with your log.")
    private @Nullable Path jar;

    @Option(names = "--class", paramLabel = "NAME", description = "Its class, if the jar has several.")
    private @Nullable String className;

    @Option(
            names = "--command",
            paramLabel = "COMMAND",
            description = "Instead of a jar: a program that speaks lab 10's lines.")
    private @Nullable String command;

    @Option(names = "--inside", hidden = true, description = "This is the process of its own.")
    private boolean inside;

    public RunYoursCommand() {
        super(300);
    }

    @Override
    protected ExitCode run() throws IOException, InterruptedException {
        if ((jar == null) == (command == null)) {
            throw new IllegalArgumentException("expected a JAR or --command");
        }
        String judged = jar == null ? "" + command : jar.getFileName().toString();
        byte[] bytes = jar == null ? judged.getBytes(StandardCharsets.UTF_8) : Files.readAllBytes(jar);
        Function<Storage, YourLog> logs = jar == null
                ? new CommandLog(Objects.requireNonNull(command), new SimulatedDisk(512))
                : StudentJar.log(jar, className);
        if (inside) {
            return judge(Promise.of("log"), new LogCampaign(logs, seed())::judge, judged, bytes);
        }
        Files.deleteIfExists(RESULT);
        List<String> arguments = new ArrayList<>(List.of("lab", "run-yours", "--inside", "--seed", "" + seed()));
        arguments.addAll(List.of("--histories", "" + histories()));
        arguments.addAll(command == null ? List.of() : List.of("--command", command));
        arguments.addAll(className == null ? List.of() : List.of("--class", className));
        arguments.addAll(jar == null ? List.of() : List.of("" + jar));
        Process process = ChildJvm.plog(List.of(), FLAGS, ChildJvm.classPath(), arguments)
                .redirectErrorStream(true)
                .start();
        try (BufferedReader lines = process.inputReader()) {
            lines.lines().forEach(line -> print(line + "\n"));
        }
        int code = process.waitFor();
        if (Files.exists(RESULT)) {
            return code == 0 ? ExitCode.DONE : ExitCode.CHECK_FAILED;
        }
        String ended = "the log ended the program with code " + code + ", behind the last line above";
        complain(ended);
        write(judged, bytes, 0, ended, List.of());
        return ExitCode.CHECK_FAILED;
    }
}
