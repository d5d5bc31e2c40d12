package io.plog.app.recovery;

import io.plog.app.cli.CommandException;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.HelpGroups;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.cli.SizeConverter;
import io.plog.page.Page;
import io.plog.page.PageData;
import io.plog.results.Report;
import io.plog.results.table.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code plog recovery}: how long a server takes to come back from {@code kill -9}. */
@Command(
        name = "recovery",
        mixinStandardHelpOptions = true,
        description = {
            "Kills a server with kill -9 in the middle of a load and starts it again on its log: how long it takes until the"
                    + " first answer, for several lengths of the log and several distances between checkpoints.",
            "Examples:",
            "  plog recovery",
            "  plog recovery --log-dir /mnt/ssd --requests 100k,1M --checkpoint none,16MiB,64MiB"
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:every server came back with all that it had acknowledged",
            "1:failed: a server did not start, or a request failed",
            "2:misused",
            "4:a log lacked what had been acknowledged"
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class RecoveryCommand implements Callable<Integer> {
    /** The distance between checkpoints where there are none. */
    static final String NONE = "none";

    private static final int OUTSTANDING = 64;

    @Option(
            names = {"-o", "--out"},
            order = HelpGroups.RESULTS,
            paramLabel = "DIR",
            description =
                    "Directory for the results, new or empty. Default: one under plog-results, named after the time.")
    private @Nullable Path out;

    @Option(
            names = "--log-dir",
            order = HelpGroups.WHERE,
            paramLabel = "DIR",
            description = "Directory on the disk to use; the logs go into a new one inside. Default: within --out.")
    private @Nullable Path logDir;

    @Option(
            names = "--requests",
            order = HelpGroups.SENT,
            paramLabel = "N",
            split = ",",
            defaultValue = "10k,50k,250k",
            converter = SizeConverter.class,
            description = "After how many acknowledged requests to kill. Default: ${DEFAULT-VALUE}.")
    private List<Long> requests;

    @Option(
            names = "--checkpoint",
            order = HelpGroups.SENT,
            paramLabel = "SIZE",
            split = ",",
            defaultValue = NONE + ",4MiB",
            description = "After how much log the server saves its state, or none. Default: ${DEFAULT-VALUE}.")
    private List<String> checkpoints;

    @Option(
            names = "--size",
            order = HelpGroups.SENT,
            paramLabel = "SIZE",
            defaultValue = "1k",
            converter = SizeConverter.class,
            description = "Size of a payload. Default: ${DEFAULT-VALUE}.")
    private long size;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandException, IOException, InterruptedException {
        if (size > 1 << 20 || requests.stream().anyMatch(each -> each < 2 * OUTSTANDING || each > 100_000_000)) {
            throw new IllegalArgumentException("--size is " + size + ", expected at most 1MiB; --requests is "
                    + requests + ", expected " + 2 * OUTSTANDING + " to 100000000 each");
        }
        Path parent = logDir == null ? null : ResultsDirectory.checkLogDir(logDir);
        Path results =
                ResultsDirectory.createEmpty(out != null ? out : ResultsDirectory.byTime("recovery-", Instant.now()));
        Path logs = Files.createTempDirectory(parent == null ? results : parent, "plog-recovery-");
        List<RecoveryRun.Found> all = new ArrayList<>();
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.println(
                "checkpoint    requests  requests/s    in the log    replayed   replay ms  first answer ms  discarded");
        try {
            for (long length : requests) {
                for (String checkpoint : checkpoints) {
                    Path own = Files.createDirectory(logs.resolve(checkpoint + "-" + length));
                    RecoveryRun.Found found = RecoveryRun.run(own, checkpoint, length, OUTSTANDING, (int) size);
                    delete(own);
                    all.add(found);
                    stdout.println(line(found));
                    stdout.flush();
                }
            }
        } finally {
            delete(logs);
        }
        Table table = table(all);
        Files.writeString(results.resolve("recovery.csv"), table.csv());
        Page.write(page(table, parent == null ? results : parent), results);
        stdout.println("report:  " + results.resolve(Report.HTML_FILE));
        return all.stream().anyMatch(found -> found.logged() < found.acknowledged())
                ? ExitCode.CHECK_FAILED.code()
                : ExitCode.DONE.code();
    }

    private static String line(RecoveryRun.Found found) {
        return String.format(
                Locale.ROOT,
                "%-10s  %,10d  %,10.0f  %,12d  %,10d  %,10d  %,15.0f  %,9d%s",
                found.checkpoint(),
                found.acknowledged(),
                found.perSecond(),
                found.logged(),
                found.replayed(),
                found.replayMillis(),
                found.firstAnswerMillis(),
                found.discarded(),
                found.logged() < found.acknowledged() ? "  LOST" : "");
    }

    private static Table table(List<RecoveryRun.Found> all) {
        Table table = Table.of(
                "recovery",
                2,
                "checkpoint",
                "requests:count",
                "requests a second:count",
                "in the log:count",
                "replayed:count",
                "replay:ms",
                "first answer:ms",
                "discarded:count");
        for (RecoveryRun.Found found : all) {
            table.row(
                    found.checkpoint(),
                    found.acknowledged(),
                    Math.round(found.perSecond()),
                    found.logged(),
                    found.replayed(),
                    found.replayMillis(),
                    Math.round(found.firstAnswerMillis()),
                    found.discarded());
        }
        return table;
    }

    private PageData page(Table table, Path where) {
        String subtitle = String.format(
                Locale.ROOT,
                "%s · logs in %s · %d requests of %d B under way",
                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                where,
                OUTSTANDING,
                size);
        return new PageData(
                "recovery", "plog recovery", subtitle, Map.of("subtitle", subtitle), List.of(table), List.of(subtitle));
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
