package io.plog.measure;

import io.plog.measure.plan.Warmup;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.SteadyState;
import io.plog.stats.numbers.Longs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Says how a warm-up goes on, and when it is over. Where the evidence decides, the first rounds are mostly of the smallest size:
 * its requests are cheap, and most of the code is that of all sizes. A few of the others are among them, since a compiler leaves out
 * what has never been needed, and throws its work away when it is. Then come rounds of all cells alike. Before and after each the
 * just-in-time compilers of either side get the processors for themselves until they rest: that ends their work soonest. It is over
 * when each cell is steady and the compilers rested in the last round. For one thread.
 */
final class WarmUpRounds {
    /** Requests of each cell in a round of all cells. */
    static final long ROUND = 200;

    /**
     * Requests of each cell in a round of the smallest size. The JVM looks at a method's calls only every 1,024 of them: in a
     * shorter round compilers seem to rest that have not been asked yet.
     */
    static final long ROUND_OF_SMALLEST = 1_100;

    private final Warmup warmup;
    private final List<CellKey> cells;
    private final int smallestBytes;
    private final CompilerRest compilers;
    private final Map<CellKey, Longs.Builder> endToEnd = new HashMap<>();
    private final long beganNanos;
    private Step last = Step.OVER; // nothing was sent yet
    private int pauses; // in a row
    private boolean allCells; // no longer the smallest alone
    private long leftOfSmallest;
    private long left;

    enum Step {
        /** Send many requests to the cells of the smallest size, and a few to the others. */
        SMALLEST,
        /** Send to all cells alike. */
        ALL,
        /** Send nothing for {@link CompilerRest#PAUSE_NANOS}. */
        PAUSE,
        /** The warm-up is over. */
        OVER
    }

    /**
     * Begins now.
     *
     * @param clock in nanoseconds
     * @param compilerNanos how long the compilers of each side have worked so far, in nanoseconds
     */
    WarmUpRounds(Warmup warmup, List<CellKey> cells, LongSupplier clock, Supplier<List<Long>> compilerNanos) {
        this.warmup = warmup;
        this.cells = cells;
        smallestBytes = cells.stream().mapToInt(CellKey::payloadBytes).min().orElse(0);
        left = warmup.requests();
        leftOfSmallest = warmup.ofSmallest();
        compilers = new CompilerRest(clock, warmup.byEvidence() ? compilerNanos : List::of);
        beganNanos = compilers.lookedNanos();
    }

    /** Whether the last step's requests are sent as those that count; before, all are sent as soon as possible. */
    boolean isMeasured() {
        return last == Step.ALL;
    }

    /** Takes what a cell's turn measured in the step that was last. */
    void add(CellKey cell, List<Samples> parts) {
        if (!isMeasured()) {
            return;
        }
        Longs.Builder all = endToEnd.computeIfAbsent(cell, none -> new Longs.Builder());
        parts.forEach(part -> LongStream.of(part.column(Column.END_TO_END)).forEach(all::add));
    }

    /** How many requests of a cell such a round has. */
    long requests(Step step, CellKey cell) {
        return switch (step) {
            case SMALLEST ->
                cell.payloadBytes() == smallestBytes
                        ? Math.min(ROUND_OF_SMALLEST, leftOfSmallest)
                        : Warmup.ofOthers(ROUND_OF_SMALLEST);
            case ALL -> warmup.byEvidence() ? Math.min(ROUND, left) : left;
            case PAUSE, OVER -> 0;
        };
    }

    /** Goes on, after what the step before has brought. */
    Step next() {
        leftOfSmallest -= last == Step.SMALLEST ? Math.min(ROUND_OF_SMALLEST, leftOfSmallest) : 0;
        left -= last == Step.ALL ? requests(last, cells.get(0)) : 0;
        last = warmup.byEvidence() ? byEvidence() : left > 0 ? Step.ALL : Step.OVER;
        return last;
    }

    private Step byEvidence() {
        boolean rested = compilers.rested();
        long nanos = compilers.lookedNanos() - beganNanos;
        long most = warmup.most().toNanos();
        allCells |= (rested && last == Step.SMALLEST) || leftOfSmallest == 0 || nanos > most * 3 / 4;
        if (!allCells) {
            return Step.SMALLEST;
        }
        pauses = rested || pauses == CompilerRest.MOST_PAUSES ? 0 : pauses + 1;
        if (pauses > 0 && last != Step.OVER) {
            return Step.PAUSE;
        }
        boolean late = nanos > most && left < warmup.requests();
        return left == 0 || late || (rested && last == Step.ALL && steady()) ? Step.OVER : Step.ALL;
    }

    /**
     * Whether each cell is steady: of its latencies so far, what comes before the steady part is no more than half, and there is no
     * trend behind it.
     */
    private boolean steady() {
        return cells.stream()
                .map(cell -> endToEnd.getOrDefault(cell, new Longs.Builder()).build())
                .allMatch(all -> SteadyState.of(all).verdict() == SteadyState.Verdict.STEADY);
    }
}
