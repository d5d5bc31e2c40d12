package io.plog.app.recovery;

import io.plog.app.cli.ChildProcess;
import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.LogOption;
import io.plog.results.table.Table;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Kills a server in the middle of a load and starts it again on its log: how long it takes until it answers, and what it did until
 * then. Stateless.
 */
final class RecoveryRun {
    static final String TARGET = "main";
    private static final Pattern RECOVERED = Pattern.compile("no records yet|records recovered \\(\\d+ to (\\d+)\\)");
    private static final Pattern REPLAYED = Pattern.compile("(\\d+) replayed.*? in (\\d+) ms");
    private static final Pattern REPEATS = Pattern.compile("(?m)^plog_repeats_total\\{[^}]*} ([0-9.E+]+)$");

    private RecoveryRun() {}

    /** What a kill showed, a row for each: see measurement.md. Acknowledged are the requests when the server died. */
    static Table table() {
        return Table.of(
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
    }

    /** How {@code --log} takes it. */
    static String checkpoint(String size) {
        return size.equals(RecoveryCommand.NONE) ? "" : ",checkpoint=" + size;
    }

    /**
     * Fills a fresh log, kills, and starts again; adds a row.
     *
     * @param place an empty directory; logs and the servers' output go there
     * @throws IOException if a server does not start, a request fails, or the log lacks what was acknowledged
     */
    static void run(DirectoryArgument place, String checkpoint, long requests, Table table)
            throws IOException, InterruptedException {
        Path directory = place.directory();
        DirectoryArgument log = place.in(Files.createDirectories(directory.resolve("log")));
        List<String> options = List.of("--log", LogOption.of(TARGET, log) + ",service=chain" + checkpoint(checkpoint));
        try (ChildProcess first = ChildProcess.server(directory, 0, options);
                RecoveryLoad load = new RecoveryLoad(first.port(), TARGET)) {
            long warm = load.awaitAcknowledged(requests / 2);
            long warmNanos = System.nanoTime();
            long perSecond = (long) ((load.awaitAcknowledged(requests) - warm) * 1e9 / (System.nanoTime() - warmNanos));
            long killed = load.kill(first::kill);
            long acknowledged = load.acknowledged();
            try (ChildProcess second = ChildProcess.server(directory, first.port(), options)) {
                long firstAnswer = (load.finish() - killed) / 1_000_000;
                String said = Files.readString(directory.resolve("server.log"));
                long logged = number(RECOVERED, said, 1);
                if (logged < acknowledged) {
                    throw new IOException(
                            "LOST: " + acknowledged + " requests were acknowledged, and the log ends with " + logged);
                }
                table.row(
                        checkpoint,
                        acknowledged,
                        perSecond,
                        logged,
                        number(REPLAYED, said, 1),
                        number(REPLAYED, said, 2),
                        firstAnswer,
                        repeats(second.adminPort()));
                second.stop();
            }
        }
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
