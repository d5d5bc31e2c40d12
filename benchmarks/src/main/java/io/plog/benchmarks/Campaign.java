package io.plog.benchmarks;

import io.plog.benchmarks.journal.Contestant;
import io.plog.benchmarks.result.CampaignResults;
import io.plog.benchmarks.result.Cell;
import io.plog.benchmarks.result.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Runs a plan: in each round every cell, and in each cell every contestant once, in an order drawn anew. A contestant's ratio
 * to the limit is that of its own round, so that a disk that changes its mind changes both.
 */
final class Campaign {
    private final Plan plan;
    private final Path directory;
    private final long seed;
    private final String command;
    private final Random random;
    private final Map<String, String> absent = new LinkedHashMap<>();
    private final List<Measurement> measurements = new ArrayList<>();

    /** @param directory where to measure; what is made there is deleted again */
    Campaign(Plan plan, Path directory, long seed, String command) {
        this.plan = plan;
        this.directory = directory;
        this.seed = seed;
        this.command = command;
        random = new Random(seed);
    }

    CampaignResults run() throws IOException, InterruptedException {
        Map<String, String> environment = Surroundings.facts(directory);
        Path scratch = Directories.recreate(directory.resolve("scratch"));
        Map<Contestant, WorkerProcess> workers = new LinkedHashMap<>();
        try (Fio fio = new Fio(scratch)) {
            Path logs = Directories.recreate(directory.resolve("logs"));
            for (Contestant contestant : plan.contestants()) {
                workers.put(contestant, new WorkerProcess(contestant, logs.resolve(contestant.label() + ".log")));
            }
            for (int round = 0; round <= plan.rounds(); round++) {
                for (Cell cell : plan.cells()) {
                    runCell(round, cell, fio, workers, scratch);
                }
            }
        } finally {
            for (WorkerProcess worker : workers.values()) {
                worker.close();
            }
            Directories.delete(scratch);
        }
        return new CampaignResults(
                1, environment, command, seed, plan.rounds(), kinds(), plan.cells(), measurements, absent);
    }

    private void runCell(int round, Cell cell, Fio fio, Map<Contestant, WorkerProcess> workers, Path scratch)
            throws IOException, InterruptedException {
        List<Object> order = new ArrayList<>(plan.fioModes());
        order.addAll(workers.keySet());
        Collections.shuffle(order, random);
        for (Object next : order) {
            if (next instanceof FioMode mode) {
                keep(fio.measure(mode, cell, round, plan.mostSeconds()));
            } else if (next instanceof Contestant contestant && !absent.containsKey(contestant.label())) {
                measure(contestant, Objects.requireNonNull(workers.get(contestant)), round, cell, scratch);
            }
        }
    }

    private void measure(Contestant contestant, WorkerProcess worker, int round, Cell cell, Path scratch)
            throws IOException, InterruptedException {
        Path own = Directories.recreate(scratch.resolve(contestant.label()));
        try {
            Directories.sync(own);
            RunAnswer answer = worker.carryOut(new RunOrder(own.toString(), cell, round, plan.mostSeconds()));
            if (answer.measurement() != null) {
                keep(answer.measurement());
            } else {
                leaveOut(
                        contestant,
                        answer.unavailable() != null ? answer.unavailable() : "failed: " + answer.failure());
            }
        } catch (IOException e) {
            leaveOut(contestant, "failed: " + e.getMessage());
        } finally {
            Directories.delete(own);
            Directories.sync(scratch); // what it left to be written is its own, not the next one's
        }
    }

    private void leaveOut(Contestant contestant, String reason) {
        absent.put(contestant.label(), reason);
        System.err.println(contestant.label() + " does not take part: " + reason);
    }

    private void keep(Measurement measured) {
        if (measured.round() > 0) {
            measurements.add(measured);
        }
        System.err.printf(
                Locale.ROOT,
                "%s %-14s %-16s %12.0f/s  p50 %9.1f  p99 %9.1f  p99.9 %9.1f us%n",
                measured.round() == 0 ? "warm-up" : "round " + measured.round(),
                measured.cell(),
                measured.contestant(),
                measured.appendsPerSecond(),
                measured.p50Micros(),
                measured.p99Micros(),
                measured.p999Micros());
    }

    private Map<String, String> kinds() {
        Map<String, String> kinds = new LinkedHashMap<>();
        for (FioMode mode : plan.fioModes()) {
            kinds.put(mode.label(), Contestant.Kind.LIMIT.name());
        }
        for (Contestant contestant : plan.contestants()) {
            kinds.put(contestant.label(), contestant.kind().name());
        }
        return kinds;
    }
}
