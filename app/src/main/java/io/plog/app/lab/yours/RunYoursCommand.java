package io.plog.app.lab.yours;

import io.plog.app.cli.ChildJvm;
import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.app.lab.yours.LogCampaign.Promise;
import io.plog.app.lab.yours.LogCampaign.Verdict;
import io.plog.host.Build;
import io.plog.log.storage.Storage;
import io.plog.simdisk.SimulatedDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
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
                    + " promise got, and the shortest history that breaks it; writes yours.json. A disk that lies is not among them:"
                    + " no log survives it. Ends with 0 if all promises hold.",
            "Examples:",
            "  plog lab run-yours my.jar",
            "  plog lab run-yours --command 'python3 my_log.py' --seed 7"
        })
public final class RunYoursCommand extends ConsoleCommand {
    private static final Path RESULT = Path.of("yours.json");
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

    @Option(
            names = "--histories",
            paramLabel = "N",
            defaultValue = "300",
            description = "At most so many for each promise, besides the scripts (default: ${DEFAULT-VALUE}).")
    private int histories;

    @Option(names = "--seed", paramLabel = "N", description = "Repeats the histories of an earlier run.")
    private @Nullable Long seed;

    @Option(names = "--inside", hidden = true, description = "This is the process of its own.")
    private boolean inside;

    /** What is written to {@code yours.json}. */
    private record Result(
            String program, String log, String sha256, long seed, int points, String ended, List<Verdict> promises) {}

    @Override
    protected ExitCode run() throws IOException, InterruptedException {
        if ((jar == null) == (command == null) || histories < 1) {
            throw new IllegalArgumentException("expected a JAR or --command, and --histories of 1 or more");
        }
        Function<Storage, YourLog> logs = jar == null
                ? new CommandLog(Objects.requireNonNull(command), new SimulatedDisk(512))
                : StudentJar.log(jar, className);
        long used = seed == null ? new SplittableRandom().nextLong(1L << 32) : seed;
        if (inside) {
            return judge(new LogCampaign(logs, used), used);
        }
        Files.deleteIfExists(RESULT);
        List<String> arguments = new ArrayList<>(List.of("lab", "run-yours", "--inside", "--seed", "" + used));
        arguments.addAll(List.of("--histories", "" + histories));
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
        write(used, ended, List.of());
        return ExitCode.CHECK_FAILED;
    }

    private ExitCode judge(LogCampaign campaign, long used) throws IOException {
        List<Verdict> verdicts = new ArrayList<>();
        boolean stuck = false;
        for (Promise promise : promises()) {
            Verdict verdict = stuck
                    ? new Verdict(promise.title(), 0, promise.points(), "not tried", 0, List.of())
                    : campaign.judge(promise, histories);
            verdicts.add(verdict);
            stuck |= verdict.isStuck();
            print(String.format(
                    Locale.ROOT,
                    "%2d of %2d  %s%s (history %d)%n",
                    verdict.points(),
                    verdict.of(),
                    verdict.promise(),
                    verdict.why().isEmpty() ? "" : ": " + verdict.why(),
                    verdict.histories()));
            verdict.picture().forEach(row -> print("            " + row + "\n"));
        }
        int points = write(used, "", verdicts);
        print(points + " of 100 points, seed " + used + ", in " + RESULT + "\n");
        return points == 100 ? ExitCode.DONE : ExitCode.CHECK_FAILED;
    }

    static List<Promise> promises() throws IOException {
        try (InputStream in = Objects.requireNonNull(RunYoursCommand.class.getResourceAsStream("promises.json"))) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return List.of(JsonText.read(text, Promise[].class));
        }
    }

    private int write(long used, String ended, List<Verdict> verdicts) throws IOException {
        int points = verdicts.stream().mapToInt(Verdict::points).sum();
        String log = jar == null ? "" + command : jar.getFileName().toString();
        byte[] bytes = jar == null ? log.getBytes(StandardCharsets.UTF_8) : Files.readAllBytes(jar);
        Result result = new Result(Build.current().text(), log, sha256(bytes), used, points, ended, verdicts);
        Files.writeString(RESULT, JsonText.fields(result).toPrettyString() + "\n");
        return points;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
