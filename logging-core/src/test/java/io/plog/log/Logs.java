package io.plog.log;

import io.plog.log.file.LogFiles;
import io.plog.log.file.Payload;
import io.plog.log.file.SegmentHeader;
import io.plog.log.segment.PreparingPace;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;

/** Small logs for tests. */
public final class Logs {
    /** The smallest segments there are, so that a few records fill several. */
    public static final int SEGMENT_BYTES = LogOptions.SEGMENT_GRAIN_BYTES;

    private Logs() {}

    /** Small segments, no spinning, and no idle mark unless a test asks for one. */
    static LogOptions options(Path directory) {
        return LogOptions.in(directory)
                .withMaxRecordBytes(SEGMENT_BYTES / 4)
                .withSegmentBytes(SEGMENT_BYTES)
                .withReserveSegments(1)
                .withIdleMark(Duration.ofHours(1))
                .withSpin(Duration.ZERO);
    }

    /** A log of which a test has the engine. */
    static MessageLog open(LogOptions options, Storage storage, AtomicReference<AppendEngine> engine)
            throws IOException {
        LaneRunner runner = new LaneRunner() {
            private final LaneRunner lanes = LogThreading.normal().runner();

            @Override
            public void start(AppendEngine started) {
                engine.set(started);
                lanes.start(started);
            }

            @Override
            public boolean join(long nanos) {
                return lanes.join(nanos);
            }
        };
        LogThreading threading = new LogThreading(PreparingPace.NORMAL, runner);
        return MessageLog.open(options, List.of(storage), threading);
    }

    public static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    public static ByteBuffer bytes(int count, int seed) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(count);
        for (int i = 0; i < count; i++) {
            buffer.put((byte) (seed * 31 + i * 7));
        }
        return buffer.flip();
    }

    /** Appends records "record 1", "record 2" and so on, each acknowledged before the next. */
    static void appendTexts(MessageLog log, int from, int to) throws Exception {
        for (int i = from; i <= to; i++) {
            log.appendAndWait(text("record " + i));
        }
    }

    static List<String> texts(int from, int to) {
        List<String> texts = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            texts.add("record " + i);
        }
        return texts;
    }

    /** Everything from an index on, as texts. */
    static List<String> readTexts(LogReader reader) throws IOException {
        List<String> texts = new ArrayList<>();
        while (reader.next()) {
            texts.add(StandardCharsets.UTF_8.decode(reader.payload()).toString());
        }
        return texts;
    }

    static List<String> readTexts(Path directory) throws IOException {
        try (LogReader reader = LogReader.open(directory, 0)) {
            return readTexts(reader);
        }
    }

    /** What a kill of the process would leave: the files as they are now. */
    static Path copyAsAfterKill(Path directory, Path target) throws IOException {
        Files.createDirectories(target);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                // A segment being prepared may get its name while we copy; a kill would have left it or not.
                if (!file.toString().endsWith(LogFiles.TEMPORARY_SUFFIX)) {
                    Files.copy(file, target.resolve(file.getFileName().toString()));
                }
            }
        }
        return target;
    }

    static void overwrite(Path file, long offset, byte[] bytes) throws IOException {
        byte[] content = Files.readAllBytes(file);
        byte[] before = Arrays.copyOfRange(content, (int) offset, (int) offset + bytes.length);
        System.arraycopy(bytes, 0, content, (int) offset, bytes.length);
        if (Arrays.equals(before, bytes)) {
            content[(int) offset] ^= 1; // a random number of a header may have had these bytes
        }
        Files.write(file, content);
    }

    static Path segment(Path directory, long number) {
        return directory.resolve(SegmentHeader.fileName(number));
    }

    /** An append of another thread that has put it in, and is about to wake a thread of the log's. */
    static void putWithoutWaking(MessageLog log, Append append, ByteBuffer record) {
        Payload payload = Payload.of(record, null);
        payload.consume();
        append.use(payload.crc, null);
        try {
            Assertions.assertThat(log.order().put(append, payload, System.nanoTime()))
                    .isNull();
            payload.release(true);
        } catch (InterruptedException e) {
            throw new AssertionError("it does not wait for room", e);
        }
    }

    /** Until then a thread of the log's may still be on its way to where it can be borrowed. */
    static void awaitRest() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            while (thread.getName().startsWith("plog-log") && thread.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait(); // ends, or the test's time limit does
            }
        }
    }

    /** Waits in code that may not throw; only its time limit interrupts a test's threads. */
    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
