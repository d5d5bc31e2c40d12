package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plog.log.file.DiskStorage;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.Rewind;
import io.plog.log.file.SegmentHeader;
import io.plog.log.segment.PreparingPace;
import io.plog.log.segment.SegmentChain;
import io.plog.log.segment.SegmentLinks;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import io.plog.log.testing.ForwardingStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A record by its index: {@link MessageLog#get} and {@link LogReader#seek}. */
@Timeout(120)
class RandomReadsTest {
    /** A place is known in each. */
    private static final int GRAIN_BYTES = 8 * 1024;

    private static final int MOST_BYTES = Logs.SEGMENT_BYTES / 4;

    @TempDir
    private Path directory;

    /** Counts what is read by index, and the files that are open for that. */
    private static final class CountingStorage extends ForwardingStorage {
        final AtomicLong bytesRead = new AtomicLong();
        final AtomicInteger opened = new AtomicInteger();
        final AtomicInteger open = new AtomicInteger();
        private volatile boolean counts; // only what the test's own thread does, while it reads
        private final Thread reader = Thread.currentThread();

        CountingStorage(Path directory) throws IOException {
            super(new DiskStorage(directory));
        }

        @Override
        protected Storage.FileHandle forwarding(String name, Storage.FileHandle file, Access access) {
            if (!counts || !reader.equals(Thread.currentThread())) {
                return file;
            }
            opened.incrementAndGet();
            open.incrementAndGet();
            return new ForwardingFile(file) {
                @Override
                public int read(ByteBuffer target, long position) throws IOException {
                    int count = super.read(target, position);
                    bytesRead.addAndGet(Math.max(0, count));
                    return count;
                }

                @Override
                public void close() throws IOException {
                    open.decrementAndGet();
                    super.close();
                }
            };
        }
    }

    private static byte[] record(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void append(MessageLog log, List<byte[]> records) {
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        for (byte[] record : records) {
            appends.add(log.append(ByteBuffer.wrap(record)));
        }
        appends.forEach(CompletableFuture::join);
    }

    // ---- Everything, in any order ----

    /** A log and what it must hold. */
    private final class Pair {
        final Random random;
        final LogOptions options;
        final List<byte[]> records = new ArrayList<>();
        long before; // the index before the first of these
        long checkpoint;
        MessageLog log;

        Pair(int seed) throws Exception {
            random = new Random(seed);
            List<Path> places = new ArrayList<>();
            for (int i = 0; i <= (seed % 3 == 2 ? 1 : 0); i++) {
                places.add(Files.createDirectories(directory.resolve(seed + "-" + i)));
            }
            options = Logs.options(places.get(0))
                    .withDirectories(places)
                    .withForce(seed % 2 == 0 ? Force.WRITE : Force.FDATASYNC)
                    .withCheck(seed % 4 < 2 ? LogOptions.Check.IN_BACKGROUND : LogOptions.Check.AT_OPENING);
            log = MessageLog.open(options);
        }

        void act() throws Exception {
            int what = random.nextInt(10);
            if (what < 5) {
                append();
            } else if (what == 5) {
                log.truncateBefore(log.firstIndex() + random.nextInt(records.size() + 1) / 2);
                drop();
            } else if (what == 6 && options.directories().size() == 1) {
                long least = Math.max(checkpoint, log.firstIndex() - 1);
                long index = least + random.nextInt((int) (log.durableIndex() - least) + 1);
                log.truncateAfter(index);
                records.subList((int) (index - before), records.size()).clear();
            } else if (what == 7 && options.directories().size() == 1) {
                before = random.nextInt(1000);
                log.reset(before + 1);
                records.clear();
                checkpoint = 0;
            } else if (what == 8) {
                checkpoint = Math.max(checkpoint, log.durableIndex() - random.nextInt(5));
                log.saveCheckpoint(checkpoint, Logs.text("a state"));
            } else {
                log.close();
                try (LogReader reader = LogReader.open(options.directories(), 0)) {
                    checkSeek(reader);
                }
                log = MessageLog.open(options);
                drop();
            }
        }

        private void append() {
            int[] sizes = {0, 40, 1024, 5000, MOST_BYTES};
            int most = sizes[random.nextInt(sizes.length)];
            List<byte[]> more = new ArrayList<>();
            for (int left = 100_000; left > 0 && more.size() < 300; left -= most) {
                more.add(record(random.nextInt(most + 1), random.nextInt()));
            }
            RandomReadsTest.append(log, more);
            records.addAll(more);
        }

        private void drop() {
            records.subList(0, (int) (log.firstIndex() - before - 1)).clear();
            before = log.firstIndex() - 1;
        }

        private List<Long> inAnyOrder() {
            List<Long> indexes = new ArrayList<>();
            for (long index = before + 1; index <= before + records.size(); index++) {
                indexes.add(index);
            }
            Collections.shuffle(indexes, random);
            return indexes;
        }

        void check() throws IOException {
            assertThat(log.firstIndex()).isEqualTo(before + 1);
            assertThat(log.durableIndex()).isEqualTo(before + records.size());
            for (long index : inAnyOrder()) {
                assertThat(log.get(index))
                        .hasValueSatisfying(
                                found -> assertThat(found).isEqualTo(records.get((int) (index - before - 1))));
            }
            assertThat(log.get(log.durableIndex() + 1)).isEmpty();
            try (LogReader reader = log.read(before + 1)) {
                checkSeek(reader);
            }
        }

        private void checkSeek(LogReader reader) throws IOException {
            for (long index : inAnyOrder()) {
                reader.seek(index);
                for (long at = index; at <= Math.min(index + random.nextInt(3), before + records.size()); at++) {
                    assertThat(reader.next()).isTrue();
                    assertThat(reader.index()).isEqualTo(at);
                    assertThat(reader.payload()).isEqualTo(ByteBuffer.wrap(records.get((int) (at - before - 1))));
                }
            }
            reader.seek(before + records.size() + 1);
            assertThat(reader.next()).isFalse();
        }
    }

    @Test
    void everyRecordOfLogsOfManyShapesIsFoundByItsIndexInAnyOrder() throws Exception {
        int first = Integer.getInteger("plog.reads.seed", 1);
        for (int seed = first; seed < first + Integer.getInteger("plog.reads.logs", 12); seed++) {
            Pair pair = new Pair(seed);
            String done = "";
            try {
                for (int act = 0; act < 12; act++) {
                    done = "seed " + seed + ", act " + act;
                    pair.act();
                    pair.check();
                }
            } catch (Throwable t) {
                throw new AssertionError(done, t);
            } finally {
                pair.log.close();
            }
        }
    }

    @Test
    void recordsAreReadWhileOthersAppendDropAndCut() throws Exception {
        ConcurrentMap<Long, List<byte[]>> written = new ConcurrentHashMap<>(); // all that ever had this index
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch read = new CountDownLatch(3 * 300);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            List<Future<?>> readers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Random random = new Random(i);
                readers.add(threads.submit(() -> {
                    while (!over.get()) {
                        long first = log.firstIndex();
                        long index = first + random.nextInt((int) Math.max(1, log.durableIndex() - first + 3));
                        try {
                            log.get(index).ifPresent(found -> {
                                assertThat(written.get(index)).anyMatch(one -> Arrays.equals(one, found));
                                read.countDown();
                            });
                        } catch (LogReader.RecordsDroppedException e) {
                            assertThat(e.firstIndex()).isGreaterThan(index);
                        }
                    }
                    return null;
                }));
            }
            Random random = new Random(7);
            for (int act = 0;
                    act < 200 || (read.getCount() > 0 && readers.stream().noneMatch(Future::isDone));
                    act++) {
                List<byte[]> more = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    more.add(record(random.nextInt(3000), random.nextInt()));
                    written.computeIfAbsent(log.durableIndex() + 1 + i, index -> new CopyOnWriteArrayList<>())
                            .add(more.get(i));
                }
                append(log, more);
                if (act % 5 == 1) {
                    log.truncateAfter(log.durableIndex() - random.nextInt(15));
                } else if (act % 5 == 2 && log.durableIndex() - log.firstIndex() > 200) {
                    log.truncateBefore(log.durableIndex() - 100);
                } else if (act % 50 == 49) {
                    log.reset(log.durableIndex() - random.nextInt(100) + 100);
                }
            }
            over.set(true);
            for (Future<?> reader : readers) {
                reader.get();
            }
            assertThat(read.getCount()).isZero();
        } finally {
            over.set(true);
            threads.shutdown();
        }
    }

    // ---- What is not there ----

    @Test
    void whatIsNotThereIsToldApart() throws Exception {
        MessageLog log = MessageLog.open(Logs.options(directory));
        try (log;
                LogReader reader = log.read(1)) {
            for (int i = 1; i <= 30; i++) {
                log.appendAndWait(Logs.bytes(10_000, i));
            }
            assertThat(reader.next()).isTrue();
            long first = log.truncateBefore(21);
            assertThat(first).isGreaterThan(2);
            assertThatThrownBy(() -> log.get(0)).isInstanceOf(IllegalArgumentException.class);
            assertThat(log.get(31)).isEmpty();
            LogReader.RecordsDroppedException gone =
                    catchThrowableOfType(LogReader.RecordsDroppedException.class, () -> log.get(2));
            assertThat(gone).hasMessageContaining("records 2 to " + (first - 1) + " are no longer there");
            assertThat(gone.firstIndex()).isEqualTo(first);
            reader.seek(first - 1);
            assertThatThrownBy(reader::next).isInstanceOf(LogReader.RecordsDroppedException.class);
            assertThatThrownBy(() -> reader.seek(32))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("cannot read from index 32: the log ends with 30");
            reader.seek(25); // it stood in a segment that was dropped
            assertThat(reader.next()).isTrue();
            assertThat(reader.payload()).isEqualTo(Logs.bytes(10_000, 25));
            log.truncateAfter(27);
            assertThat(log.get(28)).isEmpty();
            assertThat(log.get(27))
                    .hasValue(Evidence.copyOf(Logs.bytes(10_000, 27)).array());
        }
        assertThatThrownBy(() -> log.get(27))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("the log is closed");
    }

    // ---- Places ----

    @Test
    void aRecordIsReadFromCloseToWhereItStandsHoweverItsSegmentWasRead() throws Exception {
        LogOptions options = Logs.options(directory).withCheck(LogOptions.Check.IN_BACKGROUND);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            records.add(record(100 + i % 100, i));
        }
        CountingStorage storage = new CountingStorage(directory);
        try (MessageLog log = MessageLog.open(options, storage)) {
            append(log, records);
            assertShortReads(storage, log, records);
        }
        assertThat(storage.open).as("when the log is closed").hasValue(0);
        storage = new CountingStorage(directory);
        try (MessageLog log = MessageLog.open(options, storage)) {
            assertShortReads(storage, log, records); // the analysis has read them
            log.saveCheckpoint(1900, Logs.text("a state"));
        }
        storage = new CountingStorage(directory);
        LogThreading byHand = new LogThreading(
                PreparingPace.NORMAL, LogThreading.normal().runner(), Housekeeper.ON_DEMAND, CloseTimeouts.NORMAL);
        try (MessageLog log = MessageLog.open(options, List.of(storage), byHand)) {
            assertThat(log.status().uncheckedBytes()).isPositive();
            log.checkCoveredRecords();
            assertShortReads(storage, log, records);
        }
        storage = new CountingStorage(directory);
        try (MessageLog log = MessageLog.open(options, List.of(storage), byHand)) {
            for (int i = 1; i <= 2000; i += 100) {
                assertThat(log.get(i)).isPresent(); // the first of each unread segment goes through it
            }
            assertShortReads(storage, log, records);
        }
        storage = new CountingStorage(directory);
        try (LogReader reader = LogReader.open(storage, 0)) {
            storage.counts = true;
            for (int i = 0; i < 300; i++) {
                long before = storage.bytesRead.get();
                int index = 1 + i * 701 % 2000;
                reader.seek(index);
                assertThat(reader.next()).isTrue();
                assertThat(reader.payload()).isEqualTo(ByteBuffer.wrap(records.get(index - 1)));
                assertThat(storage.bytesRead.get() - before).isLessThan(2 * GRAIN_BYTES);
            }
        }
    }

    private static void assertShortReads(CountingStorage storage, MessageLog log, List<byte[]> records)
            throws IOException {
        storage.counts = true;
        for (int i = 0; i < 2000; i++) {
            int index = 1 + i * 701 % 2000;
            long before = storage.bytesRead.get();
            assertThat(log.get(index)).hasValue(records.get(index - 1));
            assertThat(storage.bytesRead.get() - before)
                    .as("read for %s of %s", index, log.segmentFirstIndexes())
                    .isLessThan(3 * GRAIN_BYTES);
        }
        assertThat(storage.open).hasValueLessThanOrEqualTo(RandomReads.MOST_IDLE);
        int opened = storage.opened.get();
        for (int i = 0; i < 2000; i++) {
            log.get(1 + i * 701 % 2000);
        }
        assertThat(storage.opened).as("files that stay open").hasValue(opened);
        storage.counts = false;
    }

    @Test
    void theFilesOfWhatIsDroppedOrCutAreClosed() throws Exception {
        CountingStorage storage = new CountingStorage(directory);
        try (MessageLog log = MessageLog.open(Logs.options(directory), storage)) {
            for (int i = 1; i <= 30; i++) {
                log.appendAndWait(Logs.bytes(15_000, i));
            }
            storage.counts = true;
            for (int i = 1; i <= 30; i++) {
                log.get(i);
            }
            storage.counts = false;
            int segments = log.segmentFirstIndexes().size();
            assertThat(storage.open).hasValue(segments);
            log.truncateBefore(15);
            assertThat(storage.open).hasValue(log.segmentFirstIndexes().size()).hasValueLessThan(segments);
            log.truncateAfter(20);
            assertThat(storage.open).hasValue(0);
        }
    }

    /** Whatever the places say, the record is found, and none that has another index. */
    @Test
    void wrongPlacesLeadToNoWrongRecord() throws Exception {
        AtomicReference<AppendEngine> engine = new AtomicReference<>();
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            records.add(record(200, i));
        }
        try (MessageLog log = Logs.open(Logs.options(directory), new DiskStorage(directory), engine)) {
            append(log, records);
            SegmentLinks links = engine.get().scheduler.lanes().get(0).segments.links();
            for (long wrong : new long[] {8, -8, 232, 5000, 1 << 20}) {
                for (SegmentLinks.Link link : links.byNumber().values()) {
                    SegmentLinks.Link other = new SegmentLinks.Link(link.header(), link.firstIndex(), link.end());
                    for (int i = 0; i <= link.places().before(Long.MAX_VALUE); i++) {
                        other.places()
                                .note(link.places().index(i), link.places().offset(i) + wrong);
                    }
                    links.add(other);
                }
                for (int i = 0; i < 1000; i++) {
                    int index = 1 + i * 701 % 1000;
                    assertThat(log.get(index)).hasValue(records.get(index - 1));
                }
            }
        }
    }

    /** A reader that comes in the middle of it looks for nothing that is in neither of the logs. */
    @Test
    void aLogThatIsEmptiedLosesItsSegmentsBeforeItsLastIndexIsALaterOneAndAfterItIsAnEarlierOne() throws Exception {
        AtomicReference<AppendEngine> engine = new AtomicReference<>();
        try (MessageLog log = Logs.open(Logs.options(directory), new DiskStorage(directory), engine)) {
            Logs.appendTexts(log, 1, 5);
            Lane lane = engine.get().scheduler.lanes().get(0);
            SegmentChain chain = lane.segments;
            List<Long> firsts = new ArrayList<>();
            Runnable taken = () -> firsts.add(chain.links().first().firstIndex());
            chain.rewind(lane.writer, 6, 100, Rewind.toNothing(100, 0), taken);
            chain.rewind(lane.writer, 100, 7, Rewind.toNothing(7, 0), taken);
            assertThat(firsts).containsExactly(100L, 100L);
        }
    }

    // ---- Damage ----

    @Test
    void damageToARecordIsNoticedEachTimeAndOthersAreReadAllTheSame() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            List<byte[]> records = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                records.add(record(1000, i));
            }
            append(log, records);
            Path file = Logs.segment(directory, 1);
            byte[] intact = Files.readAllBytes(file);
            int at = SegmentHeader.BLOCK_BYTES;
            while (!Arrays.equals(intact, at, at + 1000, records.get(19), 0, 1000)) {
                at++;
            }
            for (int place : new int[] {at, at + 999, at - 1, at - RecordHeader.BYTES, at - 10}) {
                assertThat(log.get(20)).hasValue(records.get(19));
                byte[] damaged = intact.clone();
                damaged[place] ^= 4;
                Files.write(file, damaged);
                for (int time = 0; time < 2; time++) {
                    log.get(90); // what the reader of the segment holds is another part of it
                    log.get(2);
                    log.get(1);
                    int recordAt = at - RecordHeader.BYTES;
                    LogDamagedException found = catchThrowableOfType(LogDamagedException.class, () -> log.get(20));
                    assertThat(found.offset()).isEqualTo(recordAt);
                    assertThat(found.file()).isEqualTo(file.getFileName().toString());
                    assertThat(found.expected()).isEqualTo("record 20, which is durable");
                }
                for (int i = 1; i <= 100; i++) {
                    int index = i;
                    boolean behindInItsGrain = i > 20 && i < 30 && place < at; // its header leads to them
                    if (i != 20 && !behindInItsGrain) {
                        assertThat(log.get(index)).hasValue(records.get(i - 1));
                    }
                }
                Files.write(file, intact);
            }
            assertThat(log.appendAndWait(Logs.text("the log goes on"))).isEqualTo(101);
        }
    }
}
