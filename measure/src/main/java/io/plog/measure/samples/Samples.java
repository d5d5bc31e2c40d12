package io.plog.measure.samples;

import io.netty.buffer.ByteBuf;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import io.plog.stats.numbers.Longs;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The samples of one cell (a target and a payload size), column by column, in the order in which they were sent.
 *
 * <p>Recording allocates only when the arrays must grow, so give the expected count. Not thread-safe: one recorder
 * writes, and readers look only afterwards.
 */
@SuppressWarnings("EnumOrdinal") // columns live side by side in memory only; files name them
public final class Samples {
    /** {@link Column#STATUS} where no reply came. */
    public static final int NO_REPLY = -1;
    /** {@link Column#STATUS} of a reply that was not right. */
    public static final int WRONG_REPLY = -2;
    /** {@link Column#PHASE} of a request of the warm-up. */
    public static final int WARM_UP = 1;
    /** {@link Column#PHASE} of one that is kept and in no figure: it ended a run that went on, or is of the warm-up of one. */
    public static final int AGAIN = 2;
    /** 36 years: no time in a run is longer, and the sum of seven is still a long. */
    private static final long LONGEST_NANOS = 1L << 60;

    private static final List<Column> ALL = List.of(Column.values());

    private static final List<Column> TIMES = List.of(
            Column.INTENDED,
            Column.SENT,
            Column.END_TO_END,
            Column.WAITING,
            Column.BATCH_WAIT,
            Column.WRITE,
            Column.FORCE,
            Column.EXECUTION,
            Column.RESIDENCE,
            Column.HELD,
            Column.CONNECT);

    /** Of what is being recorded; null if it was. */
    private final long @Nullable [][] recorded;

    private final Longs[] kept;
    private long count;

    /**
     * For recording: room for this many samples before anything must grow, with 8 bytes for each column.
     *
     * @param expected at least 0
     */
    public Samples(int expected) {
        this(new long[Column.COUNT][expected], 0);
    }

    /** Of columns that are not copied. */
    Samples(long[][] columns, int count) {
        recorded = columns;
        kept = new Longs[0];
        this.count = count;
    }

    /** What was recorded, as much as the disk holds: nothing can be added or changed. */
    Samples(Longs[] columns) {
        recorded = null;
        kept = columns;
        count = columns[0].count();
    }

    private long[][] recorded() {
        return Objects.requireNonNull(recorded, "what was recorded is not changed");
    }

    /** How many samples there are. */
    public long count() {
        return count;
    }

    /** How many samples fit before something must grow. */
    public int capacity() {
        return recorded()[0].length;
    }

    /** Begins a new sample with every column 0; set them with {@link #set}. */
    public void begin() {
        long[][] columns = recorded();
        if (count == capacity()) {
            int larger = Math.max(1024, capacity() * 2);
            Arrays.setAll(columns, i -> Arrays.copyOf(columns[i], larger));
        }
        for (long[] column : columns) {
            column[(int) count] = 0;
        }
        count++;
    }

    /** Sets a column of the sample begun last. */
    public void set(Column column, long value) {
        recorded()[column.ordinal()][(int) count - 1] = value;
    }

    /** Sets what the server says in a reply of how it spent its time on the sample begun last. */
    public void setServerSide(ByteBuf reply) {
        set(Column.LOG_INDEX, ReplyHeader.logIndex(reply));
        set(Column.WAITING, ReplyHeader.waitingNanos(reply));
        set(Column.BATCH_WAIT, ReplyHeader.batchWaitNanos(reply));
        set(Column.WRITE, ReplyHeader.writeNanos(reply));
        set(Column.FORCE, ReplyHeader.forceNanos(reply));
        set(Column.EXECUTION, ReplyHeader.executionNanos(reply));
        set(Column.RESIDENCE, ReplyHeader.residenceNanos(reply));
        set(Column.BATCH_RECORDS, ReplyHeader.batchRecords(reply));
    }

    /** Sets a column of one sample, counted from 0. */
    void set(Column column, long sample, long value) {
        Objects.checkIndex(sample, count);
        recorded()[column.ordinal()][(int) sample] = value;
    }

    /** The value of one sample, counted from 0. */
    public long get(Column column, long sample) {
        if (sample >= count) {
            throw new IndexOutOfBoundsException("sample " + sample + " of " + count);
        }
        return recorded == null ? kept[column.ordinal()].get(sample) : recorded[column.ordinal()][(int) sample];
    }

    /** A copy of one column, of few samples. */
    public long[] column(Column column) {
        return column(column, 0, Math.toIntExact(count));
    }

    /**
     * A copy of a part of one column.
     *
     * @param from the first sample, from 0
     * @param to behind the last sample, at most {@link #count()}
     */
    public long[] column(Column column, int from, int to) {
        Objects.checkFromToIndex(from, to, count);
        return recorded == null
                ? kept[column.ordinal()].part(from, to).toArray()
                : Arrays.copyOfRange(recorded[column.ordinal()], from, to);
    }

    /** Appends one sample of another recording, every column of it. */
    public void append(Samples other, long sample) {
        begin();
        for (Column column : ALL) {
            set(column, other.get(column, sample));
        }
    }

    void shift(Column column, long by) {
        for (int i = 0; i < count; i++) {
            recorded()[column.ordinal()][i] += by;
        }
    }

    /** Sets a column of all samples. */
    public void fill(Column column, long value) {
        Arrays.fill(recorded()[column.ordinal()], 0, (int) count, value);
    }

    /** The logging latency of one sample as the server measured it: waiting, batch wait, write and force. */
    public long loggingNanos(long sample) {
        return get(Column.WAITING, sample)
                + get(Column.BATCH_WAIT, sample)
                + get(Column.WRITE, sample)
                + get(Column.FORCE, sample);
    }

    /** What is wrong with an answered sample that no run can have; empty if none is. Then sums of its times are no overflow. */
    String objection() {
        long[] status = recorded()[Column.STATUS.ordinal()];
        for (Column column : TIMES) {
            long[] values = recorded()[column.ordinal()];
            long least = column == Column.INTENDED || column == Column.SENT ? -LONGEST_NANOS : 0;
            for (int i = 0; i < count; i++) {
                long value = values[i];
                if (status[i] == 0 && (value < least || value > LONGEST_NANOS)) {
                    return "sample " + i + " has " + column + " = " + value + ", expected " + least + " to "
                            + LONGEST_NANOS;
                }
            }
        }
        return "";
    }

    /** Whether a sample counts: sent after the warm-up and answered with status OK. */
    public boolean isCounted(long sample) {
        return get(Column.PHASE, sample) == 0 && get(Column.STATUS, sample) == 0;
    }

    /** Whether the run ended with it: there is no reply, or a wrong one, or a refusal after which no request fares better. */
    public boolean endedRun(long sample) {
        long status = get(Column.STATUS, sample);
        return status != Status.OK.code() && status != Status.OVERLOADED.code();
    }

    /** Forgets all samples and keeps the room. */
    public void clear() {
        count = 0;
    }
}
