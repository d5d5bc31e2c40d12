package io.plog.measure.samples;

import io.netty.buffer.ByteBuf;
import io.plog.protocol.ReplyHeader;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

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
    /** 36 years: no time in a run is longer, and the sum of seven is still a long. */
    private static final long LONGEST_NANOS = 1L << 60;

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

    private final SampleColumn[] columns = new SampleColumn[Column.COUNT];
    private int capacity;
    private int count;

    /**
     * For recording: room for this many samples before anything must grow, with 8 bytes for each column.
     *
     * @param expected at least 0
     */
    public Samples(int expected) {
        this(expected, SampleColumn::wide);
    }

    private Samples(int expected, IntFunction<SampleColumn> column) {
        capacity = expected;
        Arrays.setAll(columns, i -> column.apply(expected));
    }

    /**
     * For what was recorded, which may be much: its columns take the room that their numbers need, about 60 bytes for a sample.
     *
     * @param expected at least 0
     */
    public static Samples compact(int expected) {
        return new Samples(expected, SampleColumn::compact);
    }

    /** How many samples there are. */
    public int count() {
        return count;
    }

    /** How many samples fit before something must grow. */
    public int capacity() {
        return capacity;
    }

    /** Begins a new sample with every column 0; set them with {@link #set}. */
    public void begin() {
        if (count == capacity) {
            capacity = Math.max(1024, count * 2);
            for (SampleColumn column : columns) {
                column.grow(capacity);
            }
        }
        for (SampleColumn column : columns) {
            column.set(count, 0);
        }
        count++;
    }

    /** Sets a column of the sample begun last. */
    public void set(Column column, long value) {
        columns[column.ordinal()].set(count - 1, value);
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
    void set(Column column, int sample, long value) {
        Objects.checkIndex(sample, count);
        columns[column.ordinal()].set(sample, value);
    }

    /** The value of one sample, counted from 0. */
    public long get(Column column, int sample) {
        if (sample >= count) {
            throw new IndexOutOfBoundsException("sample " + sample + " of " + count);
        }
        return columns[column.ordinal()].get(sample);
    }

    /** A copy of one column, as long as there are samples. */
    public long[] column(Column column) {
        return columns[column.ordinal()].copy(0, count);
    }

    /**
     * A copy of a part of one column.
     *
     * @param from the first sample, from 0
     * @param to behind the last sample, at most {@link #count()}
     */
    public long[] column(Column column, int from, int to) {
        Objects.checkFromToIndex(from, to, count);
        return columns[column.ordinal()].copy(from, to);
    }

    /** Puts the samples of each trial into the order in which they were sent; those sent at once stay in theirs. */
    void sortBySending() {
        for (Column key : List.of(Column.SENT, Column.TRIAL)) { // either sort keeps what the other leaves open
            SampleColumn keys = columns[key.ordinal()];
            if (IntStream.range(1, count).anyMatch(i -> keys.get(i - 1) > keys.get(i))) {
                int[] order = IntStream.range(0, count)
                        .boxed()
                        .sorted(Comparator.comparingLong(keys::get)) // stable, and quick where they nearly are in order
                        .mapToInt(Integer::intValue)
                        .toArray();
                for (SampleColumn column : columns) {
                    column.reorder(order);
                }
            }
        }
    }

    /** Appends one sample of another recording, every column of it. */
    public void append(Samples other, int sample) {
        Objects.checkIndex(sample, other.count);
        begin();
        for (int i = 0; i < columns.length; i++) {
            columns[i].set(count - 1, other.columns[i].get(sample));
        }
    }

    void shift(Column column, long by) {
        SampleColumn values = columns[column.ordinal()];
        for (int i = 0; i < count; i++) {
            values.set(i, values.get(i) + by);
        }
    }

    void fill(Column column, long value) {
        for (int i = 0; i < count; i++) {
            columns[column.ordinal()].set(i, value);
        }
    }

    /** The logging latency of one sample as the server measured it: waiting, batch wait, write and force. */
    public long loggingNanos(int sample) {
        return get(Column.WAITING, sample)
                + get(Column.BATCH_WAIT, sample)
                + get(Column.WRITE, sample)
                + get(Column.FORCE, sample);
    }

    /** What is wrong with an answered sample that no run can have; empty if none is. Then sums of its times are no overflow. */
    String objection() {
        for (int i = 0; i < count; i++) {
            for (Column column : get(Column.STATUS, i) == 0 ? TIMES : List.<Column>of()) {
                long value = get(column, i);
                long least = column == Column.INTENDED || column == Column.SENT ? -LONGEST_NANOS : 0;
                if (value < least || value > LONGEST_NANOS) {
                    return "sample " + i + " has " + column + " = " + value + ", expected " + least + " to "
                            + LONGEST_NANOS;
                }
            }
        }
        return "";
    }

    /** Whether a sample counts: sent after the warm-up and answered with status OK. */
    public boolean isCounted(int sample) {
        return get(Column.PHASE, sample) == 0 && get(Column.STATUS, sample) == 0;
    }

    /** Forgets all samples and keeps the room. */
    public void clear() {
        count = 0;
    }

    /** The samples of several connections in the order in which they were sent. */
    public static Samples merged(List<Samples> parts) {
        Samples all = Samples.compact(parts.stream().mapToInt(Samples::count).sum());
        for (Samples part : parts) {
            for (int i = 0; i < part.count; i++) {
                all.append(part, i);
            }
        }
        all.sortBySending();
        return all;
    }
}
