package io.plog.server.targets;

import io.plog.server.monitoring.LineLimit;
import io.plog.server.monitoring.ServerNotices;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Reports each group that took long to become durable, with what was under way: a line in the notices, and the event
 * {@code io.plog.SlowForce} in a recording of the JVM's flight recorder, if there is one. At most one a second of each log; the
 * next one says how many there were between. For the log's threads, one at a time.
 */
final class SlowForces {
    /** From here on a disk needs an explanation: it is more than ten turns of the slowest. */
    static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final boolean RECORDER =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private final String target;
    private final ServerNotices notices;
    private final LongSupplier reserveBytes;
    private final Executor writer;
    private final LineLimit lines = new LineLimit(Duration.ofSeconds(1));

    /**
     * @param reserveBytes what is initialised ahead; if that is not all, more is being initialised on the same disk
     * @param writer runs what may wait, as a write to standard error does
     */
    SlowForces(String target, ServerNotices notices, LongSupplier reserveBytes, Executor writer) {
        this.target = target;
        this.notices = notices;
        this.reserveBytes = reserveBytes;
        this.writer = writer;
    }

    /** A group became durable; so many records wait for the next. */
    void forced(long now, int records, long bytes, long writeNanos, long forceNanos, int waiting) {
        if (writeNanos + forceNanos < SLOW_NANOS) {
            return;
        }
        long others = lines.admit(now);
        if (others < 0) {
            return;
        }
        String sentence = "target " + target + ": a group of " + records + (records == 1 ? " record, " : " records, ")
                + bytes + " bytes, took " + TimeUnit.NANOSECONDS.toMillis(writeNanos) + " ms to write and "
                + TimeUnit.NANOSECONDS.toMillis(forceNanos) + " ms to force; " + waiting + " wait for the next, "
                + (reserveBytes.getAsLong() >> 20) + " MiB of its reserve are ready"
                + (others == 0 ? "" : "; " + others + " more were as slow since the last line");
        writer.execute(() -> notices.say(sentence));
        if (RECORDER) {
            SlowForce.commit(target, records, bytes, writeNanos, forceNanos, waiting);
        }
    }

    @Name("io.plog.SlowForce")
    @Label("Slow force")
    @Category("plog")
    @StackTrace(false)
    static final class SlowForce extends Event {
        @Label("Target")
        String target = "";

        @Label("Records")
        int records;

        @Label("Bytes")
        long bytes;

        @Label("Write")
        @Timespan(Timespan.NANOSECONDS)
        long write;

        @Label("Force")
        @Timespan(Timespan.NANOSECONDS)
        long force;

        @Label("Records that wait")
        int waiting;

        static void commit(String target, int records, long bytes, long write, long force, int waiting) {
            SlowForce event = new SlowForce();
            event.target = target;
            event.records = records;
            event.bytes = bytes;
            event.write = write;
            event.force = force;
            event.waiting = waiting;
            event.commit();
        }
    }
}
