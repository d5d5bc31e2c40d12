package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.RunResults;
import io.plog.e2e.support.SystemCommand;
import io.plog.e2e.support.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A server that stands still for a moment, under requests at a fixed rate: nothing of it may be hidden. */
@Isolated("what is slow must be slow for the reason that the test gives")
final class StallTest {
    private static final int RATE = 500;
    private static final int WARMUP = 100;
    private static final int COUNTED = 2_500;
    private static final Duration SHORTEST = Duration.ofMillis(55);
    private static final Duration LONGEST = Duration.ofMillis(440);

    /** Between two intended times: the request that is first due in the stall may miss so much of it. */
    private static final double GRAIN_MICROS = 1e6 / RATE + 1_000;

    /** The server's hiccup recorder looks so seldom at most. */
    private static final double LOOK_MICROS = 5_000;

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    /**
     * How long the server stood still.
     *
     * @param leastMicros it certainly did
     * @param mostMicros no longer than this
     */
    private record Stall(double leastMicros, double mostMicros) {}

    /** A row of samples.csv, in microseconds since the start of the run. */
    private record Request(double intended, double sent, double end) {
        double corrected() {
            return end - intended;
        }

        double uncorrected() {
            return end - sent;
        }
    }

    /**
     * The machine that tests run on may stand still by itself, when others keep it busy. A run in which anything else came
     * near the stall says nothing and is measured again, with a stall twice as long.
     */
    @Test
    @Timeout(180)
    void aStallShowsInFullAndTheSlowestRequestsNameIt() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        try (TestServer server =
                TestServer.start(directory, "--log a=%s,segment=4MiB,force=write --admin-port free", log)) {
            Duration length = SHORTEST;
            Run run = measure(server, length);
            while (!run.isClear() && length.compareTo(LONGEST) < 0) {
                length = length.multipliedBy(2);
                run = measure(server, length);
            }
            System.out.println("the server stood still for " + run.stall);
            requestsAreCorrected(run);
            theSlowestAreExplained(run);
            everythingAddsUp(run.json);
            assertThat(server.stop()).isZero();
        }
    }

    private Run measure(TestServer server, Duration length) throws Exception {
        Path results = directory.resolve("results-" + length.toMillis());
        Path ledger = directory.resolve("ledger-" + length.toMillis());
        Stall stall;
        try (Plog measure = start(server, results, ledger)) {
            Await.until("a third is counted", () -> lines(ledger) > WARMUP + COUNTED / 3);
            stall = stall(server.process.pid(), length);
            assertThat(lines(ledger)).as("it was in the middle").isLessThan(WARMUP + COUNTED);
            measure.exited(0, 5);
        }
        List<Request> counted = counted(results.resolve("samples.csv"));
        assertThat(counted).hasSize(COUNTED);
        Request underWay = counted.stream()
                .reduce((one, other) -> other.uncorrected() > one.uncorrected() ? other : one)
                .orElseThrow();
        return new Run(stall, RunResults.read(results).json(), counted, underWay);
    }

    /**
     * A run with its stall.
     *
     * @param underWay the request that met the stall, if nothing else was as slow
     */
    private record Run(Stall stall, JsonNode json, List<Request> counted, Request underWay) {
        /** Whether no request was slow but those of the stall, and of the time to catch up. */
        boolean isClear() {
            double caughtUp = underWay.end + stall.leastMicros;
            return counted.stream()
                    .filter(request -> request.intended < underWay.intended || request.intended > caughtUp)
                    .allMatch(request -> request.corrected() < stall.leastMicros / 3);
        }
    }

    private static Plog start(TestServer server, Path results, Path ledger) throws IOException {
        return Plog.start(
                "measure --server %s --sizes 100 --rate %s --iterations %s --trials 1 --warmup %s --blocks 1"
                        + " --ledger %s --csv --out %s",
                server.address(), RATE, COUNTED, WARMUP, ledger, results);
    }

    private static long lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file).lines().count() : 0;
    }

    private static Stall stall(long pid, Duration length) throws Exception {
        long before = System.nanoTime();
        SystemCommand.signal("-STOP", pid);
        long stopped = System.nanoTime();
        try {
            for (long left = length.toNanos(); left > 0; left = stopped + length.toNanos() - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        } finally {
            SystemCommand.signal("-CONT", pid);
        }
        return new Stall(length.toNanos() / 1e3, (System.nanoTime() - before) / 1e3);
    }

    /** From the intended time on, every request that was due meanwhile has its part of the stall; from sending, one has. */
    private static void requestsAreCorrected(Run run) {
        Stall stall = run.stall;
        Request underWay = run.underWay;
        assertThat(underWay.uncorrected()).isGreaterThan(stall.leastMicros - GRAIN_MICROS);
        double max = run.json.at("/cells/0/fromIntendedMicros/max").doubleValue();
        assertThat(max).isGreaterThanOrEqualTo(50_000).isGreaterThan(stall.leastMicros - GRAIN_MICROS);
        assertThat(max)
                .isCloseTo(
                        run.counted.stream()
                                .mapToDouble(Request::corrected)
                                .max()
                                .orElseThrow(),
                        within(0.001));
        // Those due in the first half of the stall were late by at least the other half.
        double half = stall.leastMicros / 2;
        List<Request> due = run.counted.stream()
                .filter(request -> request.intended >= underWay.intended && request.intended <= underWay.sent + half)
                .toList();
        assertThat((double) due.size()).isGreaterThanOrEqualTo(RATE * half / 1e6 - 1);
        assertThat(due).allMatch(request -> request.corrected() >= half - GRAIN_MICROS);
        assertThat(due.stream().filter(request -> request.uncorrected() >= half - GRAIN_MICROS))
                .as("who looks at the time from sending alone sees only the one under way")
                .containsExactly(underWay);
    }

    private static List<Request> counted(Path csv) throws IOException {
        List<String> lines = Files.readAllLines(csv);
        List<String> names = List.of(lines.get(0).split(",", -1));
        List<Request> requests = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] values = line.split(",", -1);
            double sent = Long.parseLong(values[names.indexOf("SENT")]) / 1e3;
            if (values[names.indexOf("PHASE")].equals("0")) {
                requests.add(new Request(
                        Long.parseLong(values[names.indexOf("INTENDED")]) / 1e3,
                        sent,
                        sent + Long.parseLong(values[names.indexOf("END_TO_END")]) / 1e3));
            }
        }
        return requests;
    }

    private static void theSlowestAreExplained(Run run) {
        JsonNode json = run.json;
        Stall stall = run.stall;
        assertThat(json.at("/environment/server/events").asText()).isEqualTo("recorded");
        JsonNode slowest = json.at("/cells/0/slowest");
        assertThat(slowest).hasSize(20);
        assertThat(hiccup(slowest.get(0)))
                .isBetween(stall.leastMicros - GRAIN_MICROS - LOOK_MICROS, stall.mostMicros + GRAIN_MICROS);
        for (int i = 0; i < Math.min(20, RATE * stall.leastMicros / 1e6 / 2); i++) {
            assertThat(hiccup(slowest.get(i))).as("request %s", slowest.get(i)).isPositive();
        }
        assertThat(json.path("pauses")).anySatisfy(pause -> {
            assertThat(pause.path("side").asText()).isEqualTo("server");
            assertThat(pause.path("kind").asText()).isEqualTo("hiccup");
            assertThat(pause.path("maxMicros").doubleValue()).isGreaterThan(stall.leastMicros - LOOK_MICROS - 1_000);
        });
    }

    /** How long the longest hiccup of the server lasted together with this request, in microseconds; 0 if there was none. */
    private static double hiccup(JsonNode slow) {
        double longest = 0;
        for (JsonNode overlap : slow.path("overlaps")) {
            if (overlap.path("side").asText().equals("server")
                    && overlap.path("kind").asText().equals("hiccup")) {
                longest = Math.max(longest, overlap.path("micros").doubleValue());
            }
        }
        return longest;
    }

    private static void everythingAddsUp(JsonNode json) {
        JsonNode components = json.at("/cells/0/components");
        assertThat(nanos(components.path("parts")))
                .isEqualTo(Math.round(components.path("endToEndMicros").doubleValue() * 1_000));
        assertThat(components.path("parts")).hasSize(8);
        for (JsonNode slow : json.at("/cells/0/slowest")) {
            assertThat(nanos(slow.path("parts")))
                    .isEqualTo(Math.round(slow.path("endToEndMicros").doubleValue() * 1_000));
        }
    }

    private static long nanos(JsonNode parts) {
        long sum = 0;
        for (JsonNode part : parts) {
            sum += Math.round(part.path("micros").doubleValue() * 1_000);
        }
        return sum;
    }
}
