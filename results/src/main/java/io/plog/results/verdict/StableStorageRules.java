package io.plog.results.verdict;

import io.plog.measure.samples.ForceLabel;
import io.plog.results.cells.DiskFacts;
import io.plog.results.model.Results;
import io.plog.stats.text.Labelled;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether forced appends look as if they reached stable media: a pure function of what the system says about a
 * directory and of two measured medians. The rules and their order are in {@code docs/measurement.md}.
 *
 * <p>One rule that shows a volatile cache outweighs everything else; then one that shows that somebody unseen decides
 * (a hypervisor, a server) forbids a verdict; only what is left may be called consistent. Stateless, safe for any thread.
 */
public final class StableStorageRules {
    /** How often a disk at 7,200 rpm turns in a second; a forced append to one place waits for a turn. */
    static final double TURNS_PER_SECOND = 120;

    /** Speeds of disks and clocks are not exact. */
    static final double ROTATION_TOLERANCE = 1.05;

    /** No device makes an append stable faster than this over any bus. */
    static final double FASTEST_FORCE_MICROS = 5;

    /** Below this multiple of a write into the page cache, a force did nothing but return. */
    static final double AS_FAST_AS_PAGE_CACHE = 2;

    /** From this multiple on, something below the kernel answered. */
    static final double CLEARLY_DEARER = 5;

    /** What ends every verdict. */
    public static final String PROOF = "Only plog audit after a real power cut proves it: docs/operations.md says how.";

    private final String target;
    private final Evidence evidence;
    private final DiskFacts disk;
    private final List<String> shown = new ArrayList<>();
    private final List<String> doubts = new ArrayList<>();

    private StableStorageRules(String target, Evidence evidence) {
        this.target = target;
        this.evidence = evidence;
        disk = new DiskFacts(evidence.facts());
    }

    /** What the figures look like. */
    enum Verdict implements Labelled {
        /** Nothing speaks against stable media, and what can be seen speaks for them. */
        CONSISTENT("consistent with stable media"),
        /** Something speaks for a cache that loses its content with the power. */
        VOLATILE_CACHE("a volatile cache is probably answering"),
        /** Who answers cannot be seen. */
        CANNOT_TELL("cannot tell from here");

        private final String sentence;

        Verdict(String sentence) {
            this.sentence = sentence;
        }
    }

    /**
     * What is known.
     *
     * @param force the way of forcing, as in {@code --log}
     * @param facts of the directory, by name
     * @param bytes size of the appends that were measured
     * @param appendMicros median of write and force of one append together; null if none was measured
     * @param betweenMicros from one append to the next at the median, as far as known; the append itself at least. A disk that turns
     *     waits for the rest of a turn, so an append takes a turn less what passed since the one before
     * @param pageCacheMicros median of writing as much into the page cache, in the same run; null if that was not measured
     */
    record Evidence(
            ForceLabel force,
            Map<String, String> facts,
            int bytes,
            @Nullable Double appendMicros,
            @Nullable Double betweenMicros,
            @Nullable Double pageCacheMicros) {}

    /** Applies every rule. The reasons are sentences, the weightiest first; the last is {@link #PROOF}. */
    static Results.StableStorage judge(String target, Evidence evidence) {
        return new StableStorageRules(target, evidence).judge();
    }

    private Results.StableStorage judge() {
        String model = disk.device() + " is simulated, and its model ";
        if (disk.modelLies("no")) {
            return finding(Verdict.CONSISTENT, List.of(model + "keeps what was forced."));
        }
        checkSystemFacts();
        checkMeasuredTimes();
        if (disk.modelLies("yes")) {
            shown.add(model + "answers a force before what it covers is stable.");
        }
        if (!shown.isEmpty()) {
            return finding(Verdict.VOLATILE_CACHE, shown);
        }
        checkForHiddenCaches();
        if (doubts.isEmpty()) {
            compareWithPageCache();
        }
        if (!doubts.isEmpty()) {
            seen().ifPresent(doubts::add);
            return finding(Verdict.CANNOT_TELL, doubts);
        }
        return finding(Verdict.CONSISTENT, supports());
    }

    private Results.StableStorage finding(Verdict verdict, List<String> reasons) {
        List<String> all = new ArrayList<>(reasons);
        all.add(PROOF);
        return new Results.StableStorage(target, verdict.label(), verdict.sentence, List.copyOf(all));
    }

    /** Volatile by construction; no measurement is needed. */
    private void checkSystemFacts() {
        if (disk.inMemory()) {
            shown.add(disk.place() + " lies in memory: everything in it is lost with the power, however it is forced.");
        }
        if (disk.leavesForcesOut()) {
            shown.add("The overlay is mounted with the option volatile, which leaves every force out.");
        }
        if (disk.withoutBarriers() && disk.writesBack()) {
            shown.add(disk.device() + " has a write cache (write back), and the file system is mounted so that it never"
                    + " flushes it (" + disk.barrierOption() + "). Unless the cache has a battery, it is lost.");
        }
    }

    /** Too fast for anything that keeps its content. */
    private void checkMeasuredTimes() {
        Double append = evidence.appendMicros();
        if (append == null || disk.isPersistentMemory()) {
            return;
        }
        if (append < FASTEST_FORCE_MICROS) {
            shown.add(measured(append) + ": no device answers within " + Units.count((long) FASTEST_FORCE_MICROS)
                    + " µs, so none was asked.");
        }
        Double cached = evidence.pageCacheMicros();
        if (cached != null && append < AS_FAST_AS_PAGE_CACHE * cached) {
            shown.add(measured(append) + ", hardly more than a write into the page cache (" + Micros.text(cached)
                    + " µs): the force did nothing.");
        }
        double between = between(append);
        double perSecond = 1e6 / between;
        if (disk.turns() && !disk.isVirtual() && perSecond > TURNS_PER_SECOND * ROTATION_TOLERANCE) {
            shown.add(measured(append) + (between > append ? ", and there are " : ", which is ") + rate(perSecond)
                    + " a second. "
                    + disk.device()
                    + " is a rotational disk: at 7,200 rpm it passes one place once in 8.33 ms, 120 times a second (at"
                    + " 15,000 rpm 250 times), so a cache answered. Only if that has a battery is it stable.");
        }
    }

    /** Who could answer without being seen from here. */
    private void checkForHiddenCaches() {
        if (evidence.force().isForcedElsewhere()) {
            doubts.add(
                    "The bookies force on disks that cannot be seen from here: measure each with plog disk, and see that"
                            + " journalSyncData is true.");
            return;
        }
        if (evidence.appendMicros() == null) {
            doubts.add("No forced append was measured.");
        }
        disk.whoDecides().ifPresent(doubts::add);
        if (disk.isPersistentMemory()) {
            doubts.add(disk.device() + " is persistent memory: whether the machine saves what is on the way to it"
                    + " cannot be seen, and a force there is fast either way.");
        }
        if (disk.writeCacheUnknown()) {
            doubts.add("Whether there is a volatile write cache is unknown"
                    + (disk.withoutBarriers()
                            ? ", and the mount option " + disk.barrierOption() + " would leave it unflushed."
                            : "."));
        }
    }

    /** With a write cache, a force must cost something: else nothing flushes it. */
    private void compareWithPageCache() {
        Double append = evidence.appendMicros();
        if (append == null || !disk.writesBack()) {
            return;
        }
        Double cached = evidence.pageCacheMicros();
        if (cached == null) {
            doubts.add(disk.device() + " has a write cache (write back), and nothing was measured that only writes, so"
                    + " whether a force costs more cannot be said: measure force=write as well.");
        } else if (append < CLEARLY_DEARER * cached) {
            doubts.add(disk.device() + " has a write cache (write back), and a forced append costs only "
                    + Units.ratio(append / cached) + " of a write into the page cache: too little to show that it was"
                    + " flushed.");
        }
    }

    /** What an honest disk would look like, too, and does not prove one. */
    private Optional<String> seen() {
        Double append = evidence.appendMicros();
        if (append == null) {
            return Optional.empty();
        }
        Double cached = evidence.pageCacheMicros();
        String dearer = cached == null || append < CLEARLY_DEARER * cached
                ? ""
                : " and " + timesOf(append, cached)
                        + " a write into the page cache, so something below the kernel was asked";
        return Optional.of(measured(append) + ", " + rate(1e6 / append) + " a second" + dearer + "."
                + (disk.turns() && disk.isVirtual()
                        ? " The kernel calls the disk rotational; for a virtual disk that says nothing."
                        : ""));
    }

    private List<String> supports() {
        List<String> reasons = new ArrayList<>();
        Double append = evidence.appendMicros();
        Double cached = evidence.pageCacheMicros();
        if (append != null && disk.writesBack() && cached != null) {
            reasons.add(disk.device() + " has a write cache (write back) that every force flushes"
                    + (disk.hasFua() ? " or writes past (FUA)" : "") + ", and it shows: " + lower(measured(append))
                    + ", "
                    + timesOf(append, cached) + " a write into the page cache.");
        } else if (append != null) {
            reasons.add(disk.device() + " reports no volatile write cache (write through; an administrator can make the"
                    + " kernel report it), and the figures agree: " + lower(measured(append)) + ".");
        }
        if (append != null && disk.turns()) {
            reasons.add("It is a rotational disk, and " + rate(1e6 / between(append))
                    + " forced appends a second are no more than its turns.");
        }
        return reasons;
    }

    private double between(double append) {
        Double known = evidence.betweenMicros();
        return known == null ? append : known;
    }

    private String measured(double append) {
        return "A forced append of " + Units.size(evidence.bytes()) + " takes " + Micros.text(append)
                + " µs at the median (" + evidence.force() + ")";
    }

    private static String lower(String sentence) {
        return sentence.substring(0, 1).toLowerCase(Locale.ROOT) + sentence.substring(1);
    }

    private static String rate(double perSecond) {
        return Units.count(Math.round(perSecond));
    }

    private static String timesOf(double append, double cached) {
        return Units.count(Math.round(append / cached)) + " times";
    }
}
