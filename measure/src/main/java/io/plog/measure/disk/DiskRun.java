package io.plog.measure.disk;

import io.plog.log.storage.Force;
import io.plog.measure.Resumption;
import io.plog.measure.plan.Directories;
import io.plog.measure.plan.DiskCell;
import io.plog.measure.plan.FileKind;
import io.plog.measure.plan.Neighbour;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.CellTurn;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.TrialRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Measures every cell of every directory in randomised complete blocks: in each block each cell has one turn, in an order
 * drawn anew from the seed, so that what drifts hits all of them alike. One thread measures; {@link #stop} may be called by
 * any.
 */
public final class DiskRun {
    /** So often, with a small append, until the code that measures is compiled. */
    private static final int WARMUP_WRITES = 20_000;

    private static final int WARMUP_FORCES = 200;
    private static final long MOST_WARMUP_FORCE_NANOS = 200_000_000;
    private static final int WARMUP_BYTES = 512;

    /** With 20 columns of 8 bytes, 40 MiB; then they are written, between two appends, and else when a block is done. */
    private static final int MOST_HELD = 256 * 1024;

    private final Directories plan;
    private final List<MeasuredDirectory> directories;
    private final LongSupplier clock;
    private final ByteBuffer source;
    private final List<Turn> turns = new ArrayList<>();
    private final DiskTargets targets;
    private final Resumption before;
    private volatile boolean stopped;
    private long begunNanos;
    private int blocksDone;
    private String why = "interrupted";
    private int held; // samples that are not written

    /**
     * @param directories opened and not prepared yet, as many as in the plan
     * @param before what was measured before
     * @param clock nanoseconds
     */
    public DiskRun(Directories plan, List<MeasuredDirectory> directories, Resumption before, LongSupplier clock) {
        this.plan = plan;
        this.before = before;
        this.directories = directories;
        this.clock = clock;
        source = source(plan);
        targets = new DiskTargets(plan);
    }

    /** A cell of a directory, with what was measured of it in this block. */
    private static final class Turn {
        final MeasuredDirectory directory;
        final DiskCell cell;
        final TurnLimit limit;
        Samples samples = new Samples(0);
        long neighbourOperations;

        Turn(MeasuredDirectory directory, DiskCell cell, TurnLimit limit) {
            this.directory = directory;
            this.cell = cell;
            this.limit = limit;
        }
    }

    /** Random bytes, so that no device can compress them; more than a group, since whole blocks are written. */
    private static ByteBuffer source(Directories plan) {
        int most = Directories.MOST_GROUP_BYTES + 2 * DiskCell.BLOCK_BYTES;
        ByteBuffer source =
                ByteBuffer.allocateDirect(most + DiskCell.BLOCK_BYTES).alignedSlice(DiskCell.BLOCK_BYTES);
        Random random = new Random(plan.seed());
        while (source.remaining() >= Long.BYTES) {
            source.putLong(random.nextLong());
        }
        return source;
    }

    /** Ends the run after the group that is under way. */
    public void stop() {
        stopped = true;
    }

    /** How many blocks were completed. */
    public int blocksDone() {
        return blocksDone;
    }

    /**
     * Prepares the directories and warms up; from then on it is known which cells there are.
     *
     * @throws IOException if a directory cannot be written any more; the message names it
     */
    public void prepare() throws IOException {
        for (MeasuredDirectory directory : directories) {
            if (!stopped) {
                prepare(directory);
            }
        }
        if (stopped && !before.isOfNothing()) {
            throw new IOException("interrupted before it went on; what was measured is as it was");
        }
    }

    /**
     * Measures.
     *
     * @param writer gets the samples of each block, cell by cell, when the block is done
     * @param beforeTurn called before each cell's turn in a block, on the thread that measures; must be quick
     * @param isEnough asked after {@link Directories#LEAST_BLOCKS} blocks and whenever their number has doubled, when the samples
     *     so far are in the file: whether they are enough. So few looks, as each is another chance to stop at figures that are
     *     extreme by accident
     * @throws IOException if a directory cannot be written in the first block; the message names it and the cell. Later that ends the
     *     run, as a full disk of the samples does
     */
    public void run(SampleFileWriter writer, Runnable beforeTurn, BooleanSupplier isEnough) throws IOException {
        long weights =
                turns.stream().mapToLong(turn -> TurnLimit.weight(turn.cell)).sum();
        Random random = new Random(plan.seed());
        List<Turn> order = new ArrayList<>(turns);
        Collections.shuffle(order, random);
        while (blocksDone < Directories.MOST_BLOCKS && order.stream().allMatch(this::isMeasured)) {
            blocksDone++;
            Collections.shuffle(order, random);
        }
        begunNanos = clock.getAsLong() - before.lastEndNanos();
        Pace pace = new Pace(
                clock.getAsLong(), begunNanos + plan.budgetNanos(), Directories.MOST_BLOCKS - blocksDone, weights);
        boolean more = blocksDone < Directories.MOST_BLOCKS;
        while (more && !stopped) {
            long began = clock.getAsLong();
            try {
                for (Turn turn : order) {
                    if (!stopped && !isMeasured(turn)) {
                        beforeTurn.run();
                        take(turn, pace.turnNanos(TurnLimit.weight(turn.cell)), writer);
                    }
                }
                if (!stopped) {
                    blocksDone++;
                    Collections.shuffle(order, random);
                    more = pace.another(began, clock.getAsLong());
                }
            } catch (IOException e) {
                if (blocksDone == 0) {
                    throw e;
                }
                why = String.valueOf(e.getMessage());
                stopped = true;
            }
            try {
                writeOut(writer);
            } catch (IOException full) {
                why = "the samples could not be written: " + full.getMessage();
                stopped = true;
            }
            more = more && !stopped && !(isLook(blocksDone) && isEnough.getAsBoolean());
        }
    }

    private static boolean isLook(int blocks) {
        int rounds = blocks / Directories.LEAST_BLOCKS;
        return blocks % Directories.LEAST_BLOCKS == 0 && Integer.bitCount(rounds) == 1;
    }

    /** Whether a cell had its turn in this block before the run was interrupted. */
    private boolean isMeasured(Turn turn) {
        return before.count(0, new CellTurn(blocksDone, targets.key(turn.directory.name(), turn.cell))) > 0;
    }

    private void writeOut(SampleFileWriter writer) throws IOException {
        List<TrialRecord> records = new ArrayList<>();
        for (Turn turn : turns) {
            CellKey key = targets.key(turn.directory.name(), turn.cell);
            writer.append(key, turn.samples);
            if (turn.cell.neighbour() != Neighbour.NONE) {
                records.add(new TrialRecord.NeighbourOperations(
                        key.targetId(), 0, key.payloadBytes(), turn.neighbourOperations));
            }
            turn.samples = new Samples(0);
            turn.neighbourOperations = 0;
        }
        writer.append(records);
        held = 0;
        writer.force();
    }

    private void prepare(MeasuredDirectory directory) throws IOException {
        try {
            directory.prepare(plan, source, clock);
            warmUp(directory);
        } catch (IOException e) {
            throw failed(directory, "preparing its files", e);
        }
        List<DiskCell> cells = cells(directory);
        TurnLimit bounds = TurnLimit.within(plan.maxWriteBytes(), cells);
        targets.add(directory.name(), directory.described(), cells);
        cells.forEach(cell -> turns.add(new Turn(directory, cell, bounds)));
    }

    private List<DiskCell> cells(MeasuredDirectory directory) {
        return plan.cells(directory.availableForces()).stream()
                .filter(cell -> directory.hasNeighbour(cell.neighbour()))
                .toList();
    }

    /** Uncounted, so that the first cell does not pay for the compiler. */
    private void warmUp(MeasuredDirectory directory) throws IOException {
        FileKind kind = plan.kinds().get(0);
        WayFiles write = directory.files(Force.WRITE);
        for (int i = 0; i < WARMUP_WRITES && !stopped; i++) {
            write.fileFor(kind, WARMUP_BYTES).append(WARMUP_BYTES, source, AppendFile.Timing.UNUSED, clock);
        }
        write.fileFor(kind, WARMUP_BYTES).settle();
        for (Force force : directory.availableForces()) {
            long began = clock.getAsLong();
            for (int i = 0; i < WARMUP_FORCES && !stopped && clock.getAsLong() - began < MOST_WARMUP_FORCE_NANOS; i++) {
                directory
                        .files(force)
                        .fileFor(kind, DiskCell.BLOCK_BYTES)
                        .append(DiskCell.BLOCK_BYTES, source, AppendFile.Timing.UNUSED, clock);
            }
        }
    }

    private void take(Turn turn, long nanos, SampleFileWriter writer) throws IOException {
        DiskCell cell = turn.cell;
        try {
            if (cell.neighbour() == Neighbour.NONE) {
                append(turn, nanos, () -> true, writer);
                return;
            }
            try (NeighbourLoad load = turn.directory.start(cell.neighbour(), turn.limit.mostBytes())) {
                append(turn, nanos, load::isActive, writer);
                turn.neighbourOperations += load.operations();
            }
        } catch (IOException e) {
            throw failed(
                    turn.directory,
                    "force=" + cell.force().label() + " of " + cell.appends() + " x " + cell.bytes() + " bytes to the "
                            + cell.kind().label() + " file with "
                            + cell.neighbour().words(),
                    e);
        }
    }

    /** As many groups as there is time, room and, with a neighbour, a neighbour for; at least one. */
    private void append(Turn turn, long nanos, BooleanSupplier accompanied, SampleFileWriter writer)
            throws IOException {
        DiskCell cell = turn.cell;
        WayFiles files = turn.directory.files(cell.force());
        long mostGroups = turn.limit.mostGroups(cell);
        AppendFile.Timing timing = (began, write, force) -> add(turn, began - begunNanos, write, force);
        long began = clock.getAsLong();
        long groups = 0;
        AppendFile file;
        do {
            // Not the same bytes again, or a device that looks for that would have less to do.
            source.clear().putLong(0, began + groups);
            file = files.fileFor(cell.kind(), cell.groupBytes());
            file.append(cell.groupBytes(), source, timing, clock);
            groups++;
            if (++held == MOST_HELD) {
                writeOut(writer);
            }
        } while (!stopped && groups < mostGroups && accompanied.getAsBoolean() && clock.getAsLong() - began < nanos);
        file.settle();
    }

    private static IOException failed(MeasuredDirectory directory, String doing, IOException cause) {
        String what = MeasuredDirectory.isForLackOfSpace(cause)
                ? "its disk is full; free some space, or name another directory"
                : String.valueOf(cause.getMessage());
        return new IOException("directory " + directory.name() + ": " + doing + " failed: " + what, cause);
    }

    private void add(Turn turn, long sent, long write, long force) {
        Samples samples = turn.samples;
        samples.begin();
        samples.set(Column.BLOCK, blocksDone);
        samples.set(Column.INTENDED, sent);
        samples.set(Column.SENT, sent);
        samples.set(Column.WRITE, write);
        samples.set(Column.FORCE, force);
        samples.set(Column.RESIDENCE, write + force);
        samples.set(Column.END_TO_END, write + force);
        samples.set(Column.BATCH_RECORDS, turn.cell.appends());
        samples.set(Column.PAYLOAD_BYTES, turn.cell.bytes());
    }

    /** The clock's time when measuring began. */
    public long begunNanos() {
        return begunNanos;
    }

    /**
     * What is measured, as a sample file describes it; to be called once it is prepared.
     *
     * @param command the command line that repeats it
     * @param machine facts about this machine, by name
     */
    public RunInfo info(String command, Instant startedAt, Map<String, String> machine) {
        return targets.info(command, startedAt, machine);
    }

    /** How it ended. */
    public RunInfo.End end() {
        return new RunInfo.End(
                stopped,
                stopped ? why + " after " + blocksDone + " of " + Directories.MOST_BLOCKS + " blocks" : "",
                clock.getAsLong() - begunNanos);
    }

    /**
     * Divides the time that is left over the blocks that are left. What a block took beyond its turns' time (a turn ends after
     * a group, never within one) is expected of the next one, too. Times are nanoseconds.
     */
    static final class Pace {
        private final long end;
        private final int blocks;
        private final long weights;
        private int done;
        private double unit;
        private double beyond;

        /**
         * @param now the clock's time now
         * @param end when all blocks should be done
         * @param weights of all turns of a block together
         */
        Pace(long now, long end, int blocks, long weights) {
            this.end = end;
            this.blocks = blocks;
            this.weights = weights;
            unit = unit(now);
        }

        private double unit(long now) {
            return Math.max(0, ((double) (end - now) / (blocks - done) - beyond) / weights);
        }

        /** How long a turn of this weight may take; 0 for a single group. */
        long turnNanos(int weight) {
            return (long) (unit * weight);
        }

        /** Tells that a block is done, and whether there is time for another. */
        boolean another(long began, long now) {
            done++;
            beyond = Math.max(0, now - began - unit * weights);
            if (done == blocks || end - now < beyond) {
                return false;
            }
            unit = unit(now);
            return true;
        }
    }
}
