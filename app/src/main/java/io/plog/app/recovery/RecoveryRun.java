package io.plog.app.recovery;

import io.plog.app.cli.ChildProcess;
import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.LogOption;
import io.plog.host.events.EventRecorder;
import io.plog.host.events.Recorded;
import io.plog.log.LogOptions;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.SideUsage;
import io.plog.results.model.Check;
import io.plog.results.model.Wording;
import io.plog.results.table.Table;
import io.plog.results.verdict.CellMachineChecks;
import io.plog.stats.Estimate;
import io.plog.stats.Estimates;
import io.plog.stats.Replicates;
import io.plog.stats.text.ByteSize;
import io.plog.stats.text.Units;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A log of some length, with a distance between checkpoints: it is filled once, and in each trial its server is killed in the middle of a
 * load and started again. For one thread.
 */
final class RecoveryRun {
    static final String TARGET = "main";
    private static final Pattern RECOVERED = Pattern.compile("no records yet|records recovered \\(\\d+ to (\\d+)\\)");
    private static final Pattern OPENED = Pattern.compile("opened in (\\d+) ms");
    private static final Pattern REPLAYED = Pattern.compile("(\\d+) replayed.*? in (\\d+) ms");
    private static final Pattern REPEATS = Pattern.compile("(?m)^plog_repeats_total\\{[^}]*} ([0-9.E+]+)$");

    /** The number of the client that fills the log; those of the trials count from 1. */
    private static final int FILLING = 1_000;

    private static final long SEGMENT_BYTES = 64 << 20;
    private static final long SEGMENTS_AHEAD = LogOptions.DEFAULT_RESERVE_SEGMENTS + 2;
    private static final long RECORD_OVERHEAD_BYTES = 100;

    private final DirectoryArgument place;
    private final String checkpoint;
    private final long requests;
    private final List<String> options;

    private final Table trials = table();
    private long acknowledged;
    private long perSecond;

    /**
     * Measures nothing yet.
     *
     * @param place an empty directory; logs and the servers' output go there
     * @param requests acknowledged at the first kill
     */
    RecoveryRun(DirectoryArgument place, String checkpoint, long requests) throws IOException {
        this.place = place;
        this.checkpoint = checkpoint;
        this.requests = requests;
        DirectoryArgument log =
                place.in(Files.createDirectories(place.directory().resolve("log")));
        options = List.of("--log", LogOption.of(TARGET, log) + ",service=chain" + checkpoint(checkpoint));
    }

    /** How {@code --log} takes it. */
    static String checkpoint(String size) {
        return size.equals(RecoveryCommand.NONE) ? "" : ",checkpoint=" + size;
    }

    /** What a log takes at most: what no checkpoint replaces, and the segments that are made ahead. */
    static long spaceBytes(String checkpoint, long requests) {
        long all = requests * (RecoveryLoad.PAYLOAD_BYTES + RECORD_OVERHEAD_BYTES);
        long kept = checkpoint.equals(RecoveryCommand.NONE) ? all : Math.min(all, 2 * ByteSize.parse(checkpoint));
        return kept + SEGMENTS_AHEAD * SEGMENT_BYTES;
    }

    /** What each trial showed, a row for each: see measurement.md. */
    static Table table() {
        return Table.of(
                "recovery",
                2,
                "checkpoint",
                "requests:count",
                "trial:count",
                "requests a second:count",
                "in the log:count",
                "replayed:count",
                "start:ms",
                "open:ms",
                "replay:ms",
                "first answer:ms",
                "discarded:count");
    }

    /** What the trials showed. */
    Table trials() {
        return trials;
    }

    /** The mean of each time over the trials, with its interval. */
    String sentence() {
        List<String> columns = trials.columns().stream().map(Table.Column::name).toList();
        return Units.count(requests) + " requests, checkpoint " + checkpoint + ": "
                + Stream.of("first answer", "start", "open", "replay")
                        .map(time -> time + " " + Wording.of(mean(columns.indexOf(time)), Units::threeDigits) + " ms")
                        .collect(Collectors.joining(", "));
    }

    private Estimate mean(int column) {
        return Estimates.of(Replicates.of(trials.rows().stream()
                        .map(row -> List.of(new long[] {(Long) Objects.requireNonNull(row.get(column))}))
                        .toList()))
                .mean()
                .map(millis -> Math.max(0, millis));
    }

    /** Fills the log and kills the server; what it was about to prepare, the next one makes up for, so no trial follows from it. */
    private void fill() throws IOException, InterruptedException {
        try (ChildProcess server = ChildProcess.server(place.directory(), 0, options);
                RecoveryLoad load = new RecoveryLoad(server.port(), TARGET, FILLING)) {
            long warm = load.awaitAcknowledged(requests / 2);
            long warmNanos = System.nanoTime();
            perSecond = (long) ((load.awaitAcknowledged(requests) - warm) * 1e9 / (System.nanoTime() - warmNanos));
            load.kill(server::kill);
            acknowledged = load.acknowledged();
        }
    }

    /**
     * One trial; adds its row.
     *
     * @param recorder of this process, on the machine of the servers
     * @return which rule of the machine was broken while the new server started, in a sentence; empty if none was
     * @throws IOException if a server does not start, a request fails, or the log lacks what was acknowledged
     */
    Optional<String> trial(EventRecorder recorder) throws IOException, InterruptedException {
        if (acknowledged == 0) {
            fill();
        }
        Path directory = place.directory();
        int trial = trials.rows().size() + 1;
        try (ChildProcess first = ChildProcess.server(directory, 0, options);
                RecoveryLoad load = new RecoveryLoad(first.port(), TARGET, trial)) {
            load.awaitAcknowledged(RecoveryCommand.FEWEST);
            Recorded before = recorder.recorded(Long.MAX_VALUE);
            long killed = load.kill(first::kill);
            long then = acknowledged + load.acknowledged();
            try (ChildProcess second = ChildProcess.server(directory, first.port(), options)) {
                long firstAnswer = (load.finish() - killed) / 1_000_000;
                SideUsage usage = SideUsage.between(
                        before,
                        recorder.recorded(Long.MAX_VALUE),
                        second.cpuTime().toNanos());
                String said = Files.readString(directory.resolve("server.log"));
                long logged = number(RECOVERED, said, 1);
                if (logged < then) {
                    throw new IOException(
                            "LOST: " + then + " requests were acknowledged, and the log ends with " + logged);
                }
                long open = number(OPENED, said, 1);
                long replay = number(REPLAYED, said, 2);
                trials.row(
                        checkpoint,
                        requests,
                        (long) trial,
                        perSecond,
                        logged,
                        number(REPLAYED, said, 1),
                        firstAnswer - open - replay,
                        open,
                        replay,
                        firstAnswer,
                        repeats(second.adminPort()));
                acknowledged += load.acknowledged();
                second.kill(); // an orderly stop would save the state, and leave the next trial nothing to replay
                return broken(usage);
            }
        }
    }

    /** By the rules of what fills the processors by itself, as a start does; this process answers for the server, too. */
    private static Optional<String> broken(SideUsage usage) {
        SideEvents all = new SideEvents(0, SideEvents.CLIENT, Map.of(), 0, List.of(), List.of(usage), List.of());
        return CellMachineChecks.of(List.of(all), true, Map.of("network", "loopback")).values().stream()
                .filter(Check::invalidates)
                .map(Check::detail)
                .findFirst();
    }

    /** A number of what the server said last: of its second start. */
    private static long number(Pattern pattern, String said, int group) throws IOException {
        return pattern.matcher(said)
                .results()
                .reduce((earlier, later) -> later)
                .map(found -> found.group(group) == null ? 0 : Long.parseLong(found.group(group)))
                .orElseThrow(() -> new IOException("the server did not say what it recovered; it said: " + said));
    }

    private static long repeats(int adminPort) throws IOException, InterruptedException {
        URI metrics = URI.create("http://127.0.0.1:" + adminPort + "/metrics");
        String text = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        return REPEATS.matcher(text)
                .results()
                .mapToLong(match -> (long) Double.parseDouble(match.group(1)))
                .sum();
    }
}
