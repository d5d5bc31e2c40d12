package io.plog.app.recovery;

import io.plog.app.cli.LogOption;
import io.plog.app.cli.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Kills a server in the middle of a load and starts it again on its log: how long it takes until it answers, and what it did until
 * then. Stateless.
 */
final class RecoveryRun {
    private static final String TARGET = "main";
    private static final Pattern RECOVERED = Pattern.compile("records recovered \\(\\d+ to (\\d+)\\)");
    private static final Pattern REPLAYED = Pattern.compile("(\\d+) replayed.*? in (\\d+) ms");
    private static final Pattern REPEATS = Pattern.compile("(?m)^plog_repeats_total\\{[^}]*} ([0-9.E+]+)$");

    private RecoveryRun() {}

    /**
     * What one kill showed.
     *
     * @param checkpoint after how much log the state is saved, as the option of a log has it; {@code none}
     * @param acknowledged requests when the server died
     * @param perSecond requests, while the log grew: checkpoints take their part of it
     * @param logged the last record in the log that was found
     * @param replayed requests that were executed again
     * @param replayMillis how long that took
     * @param firstAnswerMillis from the start of the new process until its first answer
     * @param discarded requests that came again although they were in the log: they got the answer of then
     */
    record Found(
            String checkpoint,
            long acknowledged,
            double perSecond,
            long logged,
            long replayed,
            long replayMillis,
            double firstAnswerMillis,
            long discarded) {}

    /**
     * Fills a fresh log, kills, and starts again.
     *
     * @param directory empty; logs and the servers' output go there
     * @throws IOException if a server does not start, or a request fails
     */
    static Found run(Path directory, String checkpoint, long requests, int outstanding, int payloadBytes)
            throws IOException, InterruptedException {
        Path log = Files.createDirectories(directory.resolve("log"));
        List<String> options = List.of(
                "--log",
                LogOption.of(TARGET, log) + ",service=chain"
                        + (checkpoint.equals(RecoveryCommand.NONE) ? "" : ",checkpoint=" + checkpoint));
        try (ServerProcess first = ServerProcess.start(directory, 0, options);
                RecoveryLoad load = new RecoveryLoad(first.port(), TARGET, outstanding, payloadBytes)) {
            long warm = load.awaitAcknowledged(requests / 2);
            long warmNanos = System.nanoTime();
            double counted = load.awaitAcknowledged(requests) - warm;
            double perSecond = counted * 1e9 / (System.nanoTime() - warmNanos);
            first.kill();
            long killed = System.nanoTime();
            long acknowledged = load.acknowledged();
            try (ServerProcess second = ServerProcess.start(directory, first.port(), options)) {
                double firstAnswer = (load.finish() - killed) / 1e6;
                String said = Files.readString(directory.resolve("server.log"));
                MatchResult replayed = last(REPLAYED, said);
                Found found = new Found(
                        checkpoint,
                        acknowledged,
                        perSecond,
                        Long.parseLong(last(RECOVERED, said).group(1)),
                        Long.parseLong(replayed.group(1)),
                        Long.parseLong(replayed.group(2)),
                        firstAnswer,
                        repeats(second.adminPort()));
                second.stop();
                return found;
            }
        }
    }

    /** What the server said last: of its second start. */
    private static MatchResult last(Pattern pattern, String said) throws IOException {
        return pattern.matcher(said)
                .results()
                .reduce((earlier, later) -> later)
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
