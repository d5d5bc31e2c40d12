package io.plog.app.lab.yours;

import io.plog.app.lab.yours.Promise.Verdict;
import io.plog.log.storage.Storage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Judges a log by many histories: every operation of short scripts at which something may fail, and random ones. The seed decides the
 * histories; which appends share a force is the machine's. For one thread.
 */
public final class LogCampaign {
    private static final int SURVIVORS = 6; // of each point of a script
    private static final long SHORTENING_SECONDS = 10;
    private static final long PATIENCE_SECONDS = 20; // for milliseconds of work
    private static final int CALLERS = 8;
    private static final int ROUNDS = 25;

    private final Function<Storage, YourLog> logs;
    private final long seed;
    private int tried;

    /** Of a log, by what makes it as each life begins, and the seed of all histories. */
    public LogCampaign(Function<Storage, YourLog> logs, long seed) {
        this.logs = logs;
        this.seed = seed;
    }

    /**
     * A history and what came of it.
     *
     * @param broken what promise: a word, a colon and a sentence; "" if none
     */
    private record Attempt(List<Step> steps, String broken, LogTrial trial) {
        String word() {
            return broken.split(":", 2)[0];
        }
    }

    /**
     * One random history.
     *
     * @param may what may happen: faults by name, {@code callers}, {@code checkpoint}
     * @return what promise was broken, a word, a colon and a sentence; "" if none was
     */
    public String history(Set<String> may) {
        return attempt(Step.history(new SplittableRandom(seed), may), may).broken;
    }

    private Attempt attempt(List<Step> steps, Set<String> may) {
        tried++;
        LogTrial trial = new LogTrial(logs, may);
        FutureTask<String> task = new FutureTask<>(() -> {
            trial.run(steps);
            return "";
        });
        LogTrial.CALLERS.execute(task);
        try {
            return new Attempt(steps, task.get(PATIENCE_SECONDS, TimeUnit.SECONDS), trial);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LogTrial.Broken broken) {
                return new Attempt(steps, String.valueOf(broken.getMessage()), trial);
            }
            throw new IllegalStateException(e);
        } catch (TimeoutException | InterruptedException e) {
            return new Attempt(steps, Verdict.STUCK + ": no end within " + PATIENCE_SECONDS + " s", trial);
        }
    }

    /** Tries one promise, by scripts and so many random histories. */
    Verdict judge(Promise promise, int histories) {
        tried = 0;
        SplittableRandom random = new SplittableRandom(seed + promise.title().hashCode());
        Attempt attempt = scripts(promise.may());
        for (int history = 0; attempt.broken.isEmpty() && history < histories; history++) {
            attempt = attempt(Step.history(random, promise.may()), promise.may());
        }
        int needed = tried;
        if (!attempt.broken.isEmpty()) {
            Attempt shortest = shortest(attempt, promise.may());
            List<String> picture = shortest.trial.picture();
            return new Verdict(promise.title(), 0, promise.points(), shortest.broken, needed, picture);
        }
        long forces = promise.may().contains("callers") ? forces() : 0;
        String why = forces == 0 ? "" : forces + " forces for " + CALLERS * ROUNDS + " appends";
        int points = forces > CALLERS * ROUNDS / 2 ? 0 : promise.points();
        return new Verdict(promise.title(), points, promise.points(), why, needed, List.of());
    }

    /** Every script with each fault at each operation, until a promise is broken. */
    private Attempt scripts(Set<String> may) {
        List<Step> saves = List.of(Step.append(1, 4000), Step.of(Step.Kind.CHECKPOINT, 1));
        Attempt last = attempt(
                may.contains("checkpoint")
                        ? Collections.nCopies(400, saves).stream()
                                .flatMap(List::stream)
                                .toList()
                        : List.of(),
                may);
        for (Step.Kind fault : List.of(Step.Kind.CRASH, Step.Kind.FORCE, Step.Kind.WRITE)) {
            boolean goesOn = fault.isFaultOf(may);
            for (int operation = 1; goesOn && last.broken.isEmpty(); operation++) {
                goesOn = false;
                for (int i = 0; i < 2 * SURVIVORS && last.broken.isEmpty(); i++) {
                    last = attempt(script(Step.of(fault, operation), i % 2, i, may), may);
                    goesOn |= last.trial.isFaulted();
                }
            }
        }
        return last;
    }

    /** Two short lives, with the fault in one of them. */
    private static List<Step> script(Step fault, int where, long chance, Set<String> may) {
        List<Step> steps = new ArrayList<>();
        for (int life = 0; life < 2; life++) {
            steps.addAll(life == where ? List.of(fault) : List.of());
            steps.addAll(List.of(Step.append(1, 10), Step.append(1, 600), Step.append(1, 3000)));
            steps.addAll(may.contains("checkpoint") ? List.of(Step.of(Step.Kind.CHECKPOINT, 1)) : List.of());
            steps.add(Step.append(1, 100));
            steps.add(new Step(chance % 3 == 2 ? Step.Kind.KILL : Step.Kind.CUT, 1, 0, chance));
        }
        return steps;
    }

    /** How many it takes for rounds of appends by several callers, all of which come during the first force. */
    private long forces() {
        Attempt attempt = attempt(Collections.nCopies(ROUNDS, Step.append(CALLERS, 100)), Set.of());
        return attempt.trial.picture().stream()
                .filter(row -> row.matches("(fdatasync|fsync) .*"))
                .count();
    }

    /** Makes the history smaller as long as it breaks the same promise. */
    private Attempt shortest(Attempt broken, Set<String> may) {
        Attempt shortest = broken;
        long end = System.nanoTime()
                + TimeUnit.SECONDS.toNanos(broken.word().equals(Verdict.STUCK) ? 0 : SHORTENING_SECONDS);
        boolean smaller = true;
        while (smaller) {
            smaller = false;
            for (List<Step> steps : Step.smaller(shortest.steps)) {
                if (System.nanoTime() >= end) {
                    return shortest;
                }
                Attempt attempt = attempt(steps, may);
                if (attempt.word().equals(broken.word())) {
                    shortest = attempt;
                    smaller = true;
                    break;
                }
            }
        }
        return shortest;
    }
}
