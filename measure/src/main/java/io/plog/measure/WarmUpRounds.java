package io.plog.measure;

import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.LongList;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.Warmup;
import io.plog.stats.SteadyState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Says how a warm-up goes on, and when it is over. Where the evidence decides, the smallest size goes first:
 * its requests are cheap, most of the code is that of all sizes, and the sooner it is known to be hot, the sooner it is compiled. Then come rounds of all cells. Before and after each the just-in-time compilers of either
 * side get the processors for themselves until they rest: that ends their work soonest. It is over when each cell is steady and the
 * compilers rested in the last round. For one thread.
 */
final class WarmUpRounds {
    /** Requests of each cell in a round of all cells. */
    static final long ROUND = 200;

    /** Requests of each cell in a round of the smallest size. */
    static final long ROUND_OF_SMALLEST = 500;

    /** How long the compilers are left alone before they are looked at again. */
    static final long PAUSE_NANOS = 250_000_000;

    /** How often in a row: on a busy machine they may not get to rest. */
    static final int MOST_PAUSES = 8;

    /** Compilers that worked for less than this share of the time rest. */
    static final double REST_SHARE = 0.1;

    private final Warmup warmup;
    private final List<CellKey> cells;
    private final LongSupplier clock;
    private final Supplier<List<Long>> compilerNanos;
    private final Map<CellKey, LongList> endToEnd = new HashMap<>();
    private final long beganNanos;
    private long lookedNanos;
    private List<Long> lookedCompilers;
    private Step last = Step.OVER; // nothing was sent yet
    private int pauses; // in a row
    private boolean allCells; // no longer the smallest alone
    private long leftOfSmallest;
    private long left;

    /** What to do next. */
    enum Step {
        /** Send to the cells of the smallest size. */
        SMALLEST,
        /** Send to all cells. */
        ALL,
        /** Send nothing for {@link #PAUSE_NANOS}. */
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
        this.clock = clock;
        this.compilerNanos = compilerNanos;
        left = warmup.requests();
        leftOfSmallest = warmup.ofSmallest();
        beganNanos = clock.getAsLong();
        lookedNanos = beganNanos;
        lookedCompilers = warmup.byEvidence() ? compilerNanos.get() : List.of();
    }

    /** Whether the last step's requests are sent as those that count; those of the smallest size are sent as soon as possible. */
    boolean isMeasured() {
        return last == Step.ALL;
    }

    /** Takes what a cell's turn measured in the step that was last. */
    void add(CellKey cell, List<Samples> parts) {
        if (!isMeasured()) {
            return;
        }
        LongList all = endToEnd.computeIfAbsent(cell, none -> new LongList());
        parts.forEach(part -> LongStream.of(part.column(Column.END_TO_END)).forEach(all::add));
    }

    /** How many requests of each cell the next round has. */
    long requests(Step step) {
        return switch (step) {
            case SMALLEST -> Math.min(ROUND_OF_SMALLEST, leftOfSmallest);
            case ALL -> warmup.byEvidence() ? Math.min(ROUND, left) : left;
            case PAUSE, OVER -> 0;
        };
    }

    /** Goes on, after what the step before has brought. */
    Step next() {
        leftOfSmallest -= last == Step.SMALLEST ? requests(last) : 0;
        left -= last == Step.ALL ? requests(last) : 0;
        last = warmup.byEvidence() ? byEvidence() : left > 0 ? Step.ALL : Step.OVER;
        return last;
    }

    private Step byEvidence() {
        boolean rested = rested();
        long nanos = lookedNanos - beganNanos;
        long most = warmup.most().toNanos();
        allCells |= (rested && last == Step.SMALLEST) || leftOfSmallest == 0 || nanos > most / 2;
        if (!allCells) {
            return Step.SMALLEST;
        }
        pauses = rested || pauses == MOST_PAUSES ? 0 : pauses + 1;
        if (pauses > 0 && last != Step.OVER) {
            return Step.PAUSE;
        }
        boolean late = nanos > most && left < warmup.requests();
        return left == 0 || late || (rested && last == Step.ALL && steady()) ? Step.OVER : Step.ALL;
    }

    /** Whether the compilers of both sides had next to nothing to do since this was last asked. */
    private boolean rested() {
        long now = clock.getAsLong();
        List<Long> compilers = compilerNanos.get();
        double most = REST_SHARE * (now - lookedNanos);
        boolean rested = compilers.size() == lookedCompilers.size();
        for (int side = 0; rested && side < compilers.size(); side++) {
            rested = compilers.get(side) - lookedCompilers.get(side) <= most;
        }
        lookedNanos = now;
        lookedCompilers = compilers;
        return rested;
    }

    /**
     * Whether each cell is steady: of its latencies so far, what comes before the steady part is no more than half, and there is no
     * trend behind it.
     */
    private boolean steady() {
        return cells.stream()
                .map(cell -> endToEnd.getOrDefault(cell, new LongList()))
                .allMatch(all -> SteadyState.of(all.toArray()).verdict() == SteadyState.Verdict.STEADY);
    }
}
