package io.plog.log.testing;

import io.plog.log.Append;
import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What embedders may do to a log, and what they may not, in random order from one seed, over any log: appends of all
 * forms and buffers, interrupts, timeouts, buffers that are used again when they may be and when they may not, callbacks that
 * append, throw, or wait for themselves, readers, and closes. In the end the log is held against what was reported to each append.
 */
public final class CallerHistory {
    /** Where the log is kept. */
    public interface Place {
        /** Opens the log, or creates it. */
        DurableLog open(LogOptions options) throws IOException;
    }

    private static final Force[] FORCES = {Force.FDATASYNC, Force.FSYNC, Force.DSYNC, Force.DIRECT};
    private static final int MOST_BYTES = 3000;

    private final Thread main = Thread.currentThread();
    private boolean closed;
    private final SplittableRandom random;
    private final Place place;
    private final List<Submitted> submitted = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /** @param place where nothing is kept yet */
    public CallerHistory(long seed, Place place) {
        this.random = new SplittableRandom(seed);
        this.place = place;
    }

    /** One append: what its bytes were at the call, and what was reported to it. */
    private static final class Submitted {
        final List<byte[]> records; // one, or a list that is appended together
        final long expected; // the index that the first has to get, 0 for any
        final boolean spoilt; // its buffers are changed while they belong to the log
        final AtomicInteger completions = new AtomicInteger();
        volatile long index;
        volatile @Nullable Throwable failure;

        Submitted(byte[] record, boolean spoilt) {
            this(List.of(record), 0, spoilt);
        }

        Submitted(List<byte[]> records, long expected, boolean spoilt) {
            this.records = records;
            this.expected = expected;
            this.spoilt = spoilt;
        }

        void durable(long at) {
            index = at;
            completions.incrementAndGet();
        }

        void failed(Throwable cause) {
            failure = cause;
            completions.incrementAndGet();
        }

        boolean mayBeThere() {
            Throwable cause = failure;
            return index > 0 || (cause instanceof LogException known && known.isIndeterminate());
        }
    }

    /** Runs it; throws if a promise was broken. */
    public void run() throws Exception {
        int lives = 1 + random.nextInt(3);
        for (int i = 0; i < lives; i++) {
            live();
        }
        check();
    }

    private static LogOptions options() {
        return LogOptions.in(Path.of("simulated"))
                .withMaxRecordBytes(LogOptions.SEGMENT_GRAIN_BYTES / 4)
                .withSegmentBytes(LogOptions.SEGMENT_GRAIN_BYTES)
                .withReserveSegments(1)
                .withIdleMark(Duration.ofHours(1));
    }

    private void live() throws Exception {
        LogOptions options = options()
                .withForce(FORCES[random.nextInt(FORCES.length)])
                .withMaxBatchBytes(32 * 1024)
                .withGroupsInFlight(1 + random.nextInt(3))
                .withOverflow(random.nextInt(4) == 0 ? LogOptions.Overflow.REFUSE : LogOptions.Overflow.WAIT)
                .withMaxQueuedRecords(2 + random.nextInt(30))
                .withSpin(Duration.ofNanos(random.nextInt(2) * 20_000L));
        DurableLog log = place.open(options);
        try {
            int steps = 5 + random.nextInt(40);
            for (int i = 0; i < steps; i++) {
                step(log);
            }
        } finally {
            Thread.interrupted();
            closed = true;
            log.close();
        }
        if (random.nextBoolean()) {
            step(log); // it takes nothing any more, and harms no other
            Thread.interrupted();
        }
    }

    private void step(DurableLog log) throws Exception {
        if (random.nextInt(6) == 0) {
            Thread.currentThread().interrupt();
        }
        switch (random.nextInt(log instanceof MessageLog ? 8 : 6)) {
            case 6, 7 -> appendLists(log);
            case 0, 1 -> appendWithFuture(log);
            case 2, 3 -> appendAndWait(log);
            case 4 -> appendWithCallback(log);
            default -> read(log);
        }
        if (random.nextInt(3) > 0) {
            Thread.interrupted();
        }
    }

    private void appendWithFuture(DurableLog log) {
        Buffers buffers = new Buffers();
        Submitted append = buffers.submit(random.nextInt(4) == 0);
        CompletableFuture<Long> future = buffers.isOne() && log instanceof MessageLog one
                ? one.append(buffers.parts[0])
                : log.append(buffers.parts);
        future.whenComplete((index, failure) -> {
                    if (failure == null) {
                        append.durable(index);
                    } else {
                        append.failed(failure);
                    }
                    misuse(log);
                })
                .exceptionally(failure -> 0L);
        if (append.spoilt) {
            buffers.spoil();
            return;
        }
        if (random.nextBoolean()) {
            try {
                long index = future.get(random.nextInt(300), TimeUnit.MICROSECONDS);
                buffers.spoil(); // they are the caller's again
                require(index > 0, "index " + index);
            } catch (TimeoutException | InterruptedException stillTheLogs) {
                buffers.movePositions(); // positions are the caller's at any time
            } catch (java.util.concurrent.ExecutionException reported) {
                buffers.spoil();
            }
        } else {
            buffers.movePositions();
        }
    }

    private void appendAndWait(DurableLog log) {
        Buffers buffers = new Buffers();
        Submitted append = buffers.submit(false);
        try {
            append.durable(log.appendAndWait(buffers.parts));
        } catch (IOException e) {
            append.failed(e);
            Thread.interrupted(); // or it would be told so each time
        }
        buffers.spoil(); // in every case they are the caller's again
    }

    private void appendWithCallback(DurableLog log) {
        Buffers buffers = new Buffers();
        boolean waits = random.nextBoolean();
        Submitted append = buffers.submit(!waits && random.nextInt(4) == 0);
        boolean throwing = random.nextInt(8) == 0;
        Append reported = new CallbackAppend(
                durable -> {
                    append.durable(durable.index());
                    misuse(log);
                    if (throwing) {
                        throw new ExpectedException();
                    }
                },
                cause -> {
                    append.failed(cause);
                    if (throwing) {
                        throw new ExpectedException();
                    }
                });
        try {
            if (waits) {
                log.appendAndWait(reported, buffers.parts);
                buffers.spoil();
                require(append.completions.get() == 1, "went on before it was completed");
            } else {
                log.append(reported, buffers.parts);
            }
        } catch (ExpectedException refusedAtOnce) {
            require(append.failure != null, "threw on the caller's thread without a refusal");
        }
        if (append.spoilt) {
            buffers.spoil();
        } else {
            buffers.movePositions();
        }
    }

    /** Some lists, of which each may expect to stand behind the one before. */
    private void appendLists(DurableLog log) {
        long expected = random.nextBoolean() ? log.durableIndex() + 1 : 0;
        for (int left = random.nextInt(4); left > 0; left--) {
            List<Buffers> buffers = new ArrayList<>();
            int size = 1 + random.nextInt(random.nextInt(6) == 0 ? 40 : 4);
            for (int i = 0; i < size; i++) {
                buffers.add(new Buffers(1));
            }
            List<ByteBuffer> list = buffers.stream().map(each -> each.parts[0]).toList();
            boolean waits = random.nextInt(4) == 0;
            Submitted append = new Submitted(
                    buffers.stream().map(Buffers::record).toList(), expected, !waits && random.nextInt(4) == 0);
            synchronized (submitted) {
                submitted.add(append);
            }
            try {
                if (waits) {
                    append.durable(expected > 0 ? log.appendAndWait(expected, list) : log.appendAndWait(list));
                } else {
                    (expected > 0 ? log.append(expected, list) : log.append(list)).handle((index, failure) -> {
                        if (failure == null) {
                            append.durable(index);
                        } else {
                            append.failed(failure);
                        }
                        return index;
                    });
                }
            } catch (IOException e) {
                append.failed(e);
                Thread.interrupted();
            }
            expected += expected > 0 ? size : 0;
            Buffers last = buffers.get(size - 1);
            if (waits || append.spoilt) {
                last.spoil();
            } else {
                last.movePositions();
            }
        }
    }

    /** In a callback: what would wait for itself must be refused, and an append is taken or refused at once. */
    private void misuse(DurableLog log) {
        int what = Math.floorMod(System.identityHashCode(Thread.currentThread()) + submittedCount(), 7);
        if (what == 0 && !Thread.currentThread().equals(main)) {
            try {
                log.appendAndWait(ByteBuffer.allocate(8));
                problem("appendAndWait was not refused in a callback");
            } catch (IllegalStateException refused) {
                return;
            } catch (IOException e) {
                problem("appendAndWait in a callback: " + e);
            }
        } else if (what == 1) {
            Submitted inner = new Submitted(new byte[] {1, 2, 3}, false);
            synchronized (submitted) {
                submitted.add(inner);
            }
            log.append(
                    new CallbackAppend(append -> inner.durable(append.index()), inner::failed),
                    ByteBuffer.wrap(new byte[] {1, 2, 3}));
        }
    }

    private int submittedCount() {
        synchronized (submitted) {
            return submitted.size();
        }
    }

    private void read(DurableLog log) throws IOException {
        if (log.durableIndex() == 0) {
            return;
        }
        boolean interrupted = Thread.interrupted(); // what that does to a reader is another test's
        try (LogReader reader = log.read(1 + random.nextLong(log.durableIndex()))) {
            for (int i = 0; i < 5 && reader.next(); i++) {
                require(reader.payload().remaining() <= 2 * MOST_BYTES, "a record that is too long");
                require(
                        closed
                                || log.get(reader.index())
                                        .filter(one -> ByteBuffer.wrap(one).equals(reader.payload()))
                                        .isPresent(),
                        "record " + reader.index() + " is another one when it is read by its index");
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void problem(String text) {
        synchronized (problems) {
            problems.add(text);
        }
    }

    private void require(boolean condition, String text) {
        if (!condition) {
            problem(text);
        }
    }

    /** Every append was completed once; what was acknowledged is there, byte for byte; what was not is not, unless it may be. */
    private void check() throws IOException {
        List<byte[]> found = new ArrayList<>();
        try (DurableLog log = place.open(options());
                LogReader reader = log.read(1)) {
            while (reader.next()) {
                byte[] record = new byte[reader.payload().remaining()];
                reader.payload().get(record);
                found.add(record);
            }
        }
        boolean[] claimed = new boolean[found.size() + 1];
        int mayBe = 0;
        for (Submitted append : submitted) {
            require(append.completions.get() == 1, "reported " + append.completions + " times");
            long index = append.index;
            if (index > 0) {
                long at = index - append.records.size();
                require(
                        append.expected == 0 || append.expected == at + 1,
                        append.expected + " was expected, not " + at);
                for (byte[] record : append.records) {
                    require(++at <= found.size() && !claimed[(int) at], "index " + at + " twice or not there");
                    claimed[(int) at] = true;
                    require(
                            ByteBuffer.wrap(found.get((int) at - 1)).equals(ByteBuffer.wrap(record)),
                            "record " + at + " has other bytes than were handed over");
                }
            } else if (append.mayBeThere()) {
                mayBe += append.records.size();
            } else if (append.failure instanceof LogRefusedException.RecordChanged) {
                require(append.spoilt, "an unchanged record is said to have changed");
            }
        }
        int unclaimed = 0;
        for (int i = 1; i < claimed.length; i++) {
            unclaimed += claimed[i] ? 0 : 1;
        }
        require(unclaimed <= mayBe, unclaimed + " records without an acknowledgement, and " + mayBe + " may be there");
        if (!problems.isEmpty()) {
            throw new AssertionError(problems.toString());
        }
    }

    /** The buffers of one append, of any kind, and what they hold. */
    private final class Buffers {
        final ByteBuffer[] parts;
        private final List<ByteBuffer> writable = new ArrayList<>();

        Buffers() {
            this(random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 1);
        }

        Buffers(int count) {
            parts = new ByteBuffer[count];
            for (int i = 0; i < parts.length; i++) {
                parts[i] = i > 0 && random.nextInt(4) == 0 ? parts[0] : buffer();
            }
        }

        private ByteBuffer buffer() {
            byte[] bytes = new byte[random.nextInt(random.nextInt(4) == 0 ? MOST_BYTES / 3 : 60)];
            random.nextBytes(bytes);
            int front = random.nextInt(9);
            ByteBuffer whole = random.nextBoolean()
                    ? ByteBuffer.allocate(front + bytes.length + 5)
                    : ByteBuffer.allocateDirect(front + bytes.length + 5);
            whole.put(front, bytes).limit(front + bytes.length).position(front);
            writable.add(whole.duplicate().clear());
            return switch (random.nextInt(4)) {
                case 0 -> whole.asReadOnlyBuffer();
                case 1 -> whole.slice();
                default -> whole;
            };
        }

        boolean isOne() {
            return parts.length == 1;
        }

        Submitted submit(boolean spoilt) {
            Submitted append = new Submitted(record(), spoilt);
            synchronized (submitted) {
                submitted.add(append);
            }
            return append;
        }

        /** What they hold together. */
        byte[] record() {
            int length = 0;
            for (ByteBuffer part : parts) {
                length += part.remaining();
            }
            ByteBuffer record = ByteBuffer.allocate(length);
            for (ByteBuffer part : parts) {
                record.put(part.duplicate());
            }
            return record.array();
        }

        /** Changes every byte. */
        void spoil() {
            for (ByteBuffer buffer : writable) {
                for (int i = 0; i < buffer.capacity(); i++) {
                    buffer.put(i, (byte) ~buffer.get(i));
                }
            }
            if (random.nextBoolean()) {
                for (ByteBuffer part : parts) {
                    part.limit(part.limit() / 2);
                }
            }
        }

        void movePositions() {
            for (ByteBuffer part : parts) {
                part.position(random.nextInt(part.limit() + 1));
            }
        }
    }

    /** Thrown by callbacks. */
    public static final class ExpectedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ExpectedException() {
            super("thrown by a callback of a test", null, false, false);
        }
    }
}
