package io.plog.app.recovery;

import io.plog.app.cli.Converters;
import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.Failures;
import io.plog.app.cli.HelpGroups;
import io.plog.app.cli.LogOption;
import io.plog.app.cli.LogsOption;
import io.plog.app.cli.ResultsCommand;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.cli.StopSignals;
import io.plog.host.events.EventRecorder;
import io.plog.host.events.EventStore;
import io.plog.measure.plan.Values;
import io.plog.page.Page;
import io.plog.page.PageData;
import io.plog.results.model.ResultsFile;
import io.plog.results.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plog recovery}: how long a server takes to come back from {@code kill -9}. */
@Command(
        name = "recovery",
        description = {
            "Kills a server with kill -9 in the middle of a load and starts it again on its log: how long it takes until the"
                    + " first answer, for several lengths of the log and several distances between checkpoints.",
            "By default it takes about four minutes and 3 GB.",
            "Examples:",
            "  plog recovery",
            "  plog recovery --log-dir /mnt/ssd --requests 100k,1M --checkpoint none,16MiB,64MiB"
        })
public final class RecoveryCommand extends ResultsCommand {
    /** The distance between checkpoints where there are none. */
    static final String NONE = "none";

    /** Requests before a kill. */
    static final int FEWEST = 2 * RecoveryLoad.OUTSTANDING;

    @Mixin
    private LogsOption logs;

    @Option(
            names = "--requests",
            order = HelpGroups.SENT,
            paramLabel = "N",
            split = ",",
            defaultValue = "10k,2M",
            converter = Converters.Size.class,
            description = "After how many acknowledged requests to kill. Default: ${DEFAULT-VALUE}.")
    private List<Long> requests;

    @Option(
            names = "--checkpoint",
            order = HelpGroups.SENT,
            paramLabel = "SIZE",
            split = ",",
            defaultValue = NONE + ",64MiB",
            description = "After how much log the server saves its state, or none. Default: ${DEFAULT-VALUE}.")
    private List<String> checkpoints;

    @Option(
            names = "--trials",
            order = HelpGroups.LIMITS,
            paramLabel = "N",
            defaultValue = "5",
            description = "How often each server is killed, in random order. Default: ${DEFAULT-VALUE}.")
    private int trials;

    @Override
    protected ExitCode run() throws IOException {
        if (requests.stream().anyMatch(each -> each < FEWEST || each > 100_000_000)) {
            throw new IllegalArgumentException(
                    "--requests is " + requests + ": expected " + FEWEST + " to 100000000 each");
        }
        Values.inRange("--trials", trials, 1, 100);
        for (String each : checkpoints) {
            try {
                LogOption.parse(RecoveryRun.TARGET + "=log" + RecoveryRun.checkpoint(each));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "--checkpoint is '" + each + "', expected none or a size: " + e.getMessage(), e);
            }
        }
        DirectoryArgument disk = logs.orElse(directory());
        Path results = prepareDirectory();
        noteOthers(disk.directory());
        long bytes = 0;
        for (String checkpoint : checkpoints) {
            for (long length : requests) {
                bytes += RecoveryRun.spaceBytes(checkpoint, length);
            }
        }
        disk.checkRoom(bytes, "fewer --requests");
        Path own = Files.createTempDirectory(disk.directory(), "plog-recovery-");
        List<RecoveryRun> runs = new ArrayList<>();
        for (long length : requests) {
            for (String checkpoint : checkpoints) {
                Path one = Files.createDirectory(own.resolve(checkpoint + "-" + length));
                runs.add(new RecoveryRun(disk.in(one), checkpoint, length));
            }
        }
        List<String> headings = RecoveryRun.table().columns().stream()
                .map(Table.Column::heading)
                .toList();
        line(headings, headings);
        AtomicBoolean stopped = new AtomicBoolean();
        Thread measuring = Thread.currentThread();
        StopSignals.onFirst(() -> {
            stopped.set(true);
            measuring.interrupt();
        });
        String early = "";
        List<String> broken = new ArrayList<>();
        List<RecoveryRun> order = new ArrayList<>();
        for (int trial = 0; trial < trials; trial++) {
            order.addAll(runs);
        }
        Collections.shuffle(order);
        try (EventRecorder recorder = EventRecorder.start(new EventStore(), List.of())) {
            for (RecoveryRun next : order) {
                next.trial(recorder).ifPresent(broken::add);
                List<List<@Nullable Object>> rows = next.trials().rows();
                line(headings, rows.get(rows.size() - 1));
            }
        } catch (IOException | InterruptedException e) {
            early = stopped.get() ? "interrupted" : Failures.sentence(e) + "; the log is kept in " + own;
        }
        Thread.interrupted(); // else nothing could be written
        if (early.isEmpty() || stopped.get()) {
            ResultsDirectory.delete(own);
        }
        return end(results, disk.name(), runs, early, broken);
    }

    /** Writes and says what was found. As in a study, more than a third of the kills must break a rule of the machine to be too many. */
    private ExitCode end(Path results, String disk, List<RecoveryRun> runs, String early, List<String> broken)
            throws IOException {
        Table all = RecoveryRun.table();
        runs.forEach(run -> all.rows().addAll(run.trials().rows()));
        int kills = all.rows().size();
        boolean valid = broken.size() * 3 <= kills;
        String ended = !early.isEmpty()
                ? "the run is partial, " + kills + " of " + runs.size() * trials + " kills: " + early
                : valid
                        ? ""
                        : "the run is not valid, as at " + broken.size() + " of " + kills + " kills: " + broken.get(0);
        List<String> means = runs.stream()
                .filter(run -> !run.trials().rows().isEmpty())
                .map(RecoveryRun::sentence)
                .toList();
        means.forEach(mean -> print(mean + System.lineSeparator()));
        String where = Instant.now().truncatedTo(ChronoUnit.SECONDS) + " · logs in " + disk + " · "
                + RecoveryLoad.OUTSTANDING + " requests of " + RecoveryLoad.PAYLOAD_BYTES + " B under way"
                + (ended.isEmpty() ? "" : " · " + ended);
        Files.writeString(results.resolve(ResultsDirectory.RECOVERY_FILE), all.csv());
        Page.write(
                new PageData(
                        "recovery",
                        "plog recovery",
                        where,
                        Map.of("subtitle", where, "means", means),
                        List.of(all),
                        means),
                results);
        say("report: " + results.resolve(ResultsFile.HTML));
        if (!ended.isEmpty()) {
            complain(ended);
        }
        return !early.isEmpty() ? ExitCode.FAILED : valid ? ExitCode.DONE : ExitCode.NOT_VALID;
    }

    private void line(List<String> headings, List<? extends @Nullable Object> values) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            line.append(String.format("%" + Math.max(10, headings.get(i).length()) + "s  ", values.get(i)));
        }
        print(line.toString().stripTrailing() + System.lineSeparator());
    }
}
