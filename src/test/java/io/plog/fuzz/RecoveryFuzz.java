package io.plog.fuzz;

import io.plog.log.Checkpoint;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.NewerFormatException;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A directory of arbitrary files, made by {@link LogForge}; the first byte chooses the way of forcing.
 *
 * <p>It is refused as damaged, or as of a newer format, and then nothing was changed; or it is opened, and then what the
 * inspection and the reader promised is there, it can be appended to, and all of it is there after a crash, after a close, and
 * when it is opened again.
 */
public final class RecoveryFuzz {
    private static final Force[] FORCES = {Force.FDATASYNC, Force.DIRECT, Force.WRITE, Force.DSYNC, Force.FSYNC};
    private static final long LIMIT_BYTES = 8 << 20;

    private RecoveryFuzz() {}

    /** Runs one case. */
    public static void fuzzerTestOneInput(byte[] data) {
        Input input = new Input(data);
        Force force = FORCES[input.below(FORCES.length)];
        LogOptions options = options(force);
        byte[] appended = new byte[input.below(3) * 7_500 + 3];
        try {
            SimulatedDisk disk = FuzzDisk.of(new LogForge(input).directory());
            recover(disk, force, options, RecordFuzz.checkLooking(disk), appended);
        } catch (IOException undeclared) {
            throw new UncheckedIOException(undeclared);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private static LogOptions options(Force force) {
        return LogOptions.in(Path.of("."))
                .withForce(force)
                .withMaxRecordBytes(LogBytes.SEGMENT_BYTES / 4)
                .withSegmentBytes(LogBytes.SEGMENT_BYTES)
                .withMaxQueuedBytes(LogBytes.SEGMENT_BYTES)
                .withMaxBatchBytes(LogBytes.SEGMENT_BYTES)
                .withIdleMark(Duration.ofHours(1))
                .withSpin(Duration.ZERO);
    }

    private static void recover(
            SimulatedDisk storage, Force force, LogOptions options, @Nullable Reading before, byte[] appended)
            throws IOException, InterruptedException {
        Map<String, byte[]> untouched = FuzzDisk.content(storage, LIMIT_BYTES);
        List<Reading.Entry> expected;
        Optional<Checkpoint> checkpoint;
        SimulatedDisk crashed;
        try (MessageLog log = MessageLog.open(options.withStorage(path -> storage))) {
            check(before == null || before.failure() == null, "opened, and refused to be read");
            expected = new ArrayList<>(before == null ? List.of() : before.records());
            long first = log.firstIndex();
            check(read(log).equals(expected), "what was read before and what was recovered differ");
            check(log.durableIndex() == first + expected.size() - 1, "durable up to " + log.durableIndex());
            checkpoint = log.checkpoint();
            for (int i = 0; i < 4; i++) {
                appended[0] = (byte) i;
                long index = log.appendAndWait(ByteBuffer.wrap(appended));
                check(index == first + expected.size(), "appended as " + index);
                expected.add(new Reading.Entry(index, ByteBuffer.wrap(appended.clone())));
            }
            crashed = force.isStable()
                    ? storage.copy().afterCrash(appended.length)
                    : storage.copy().afterKill();
        } catch (LogDamagedException | NewerFormatException refused) {
            checkRefused(untouched, storage, before, refused);
            return;
        }
        checkAgain(crashed, options, expected, checkpoint);
        checkAgain(storage, options, expected, checkpoint);
    }

    private static void checkRefused(
            Map<String, byte[]> untouched, SimulatedDisk storage, @Nullable Reading before, LogException refused)
            throws IOException {
        Map<String, byte[]> now = FuzzDisk.content(storage, LIMIT_BYTES);
        check(untouched.keySet().equals(now.keySet()), "refused, and has the files " + now.keySet());
        untouched.forEach((name, bytes) ->
                check(Arrays.equals(bytes, Objects.requireNonNull(now.get(name))), "refused, and changed " + name));
        check(before != null && before.failure() != null, "read without a failure, but not opened: " + refused);
    }

    private static void checkAgain(
            SimulatedDisk storage, LogOptions options, List<Reading.Entry> expected, Optional<Checkpoint> checkpoint)
            throws IOException {
        Reading read = Objects.requireNonNull(RecordFuzz.checkLooking(storage));
        check(
                read.failure() == null && read.records().equals(expected),
                "read again: " + read + "\nexpected: " + expected);
        FuzzDisk.content(storage, LIMIT_BYTES);
        try (MessageLog log = MessageLog.open(options.withStorage(path -> storage))) {
            check(log.recovery().cutBytes() == 0, "nothing was torn: " + log.recovery());
            check(read(log).equals(expected), "opened again");
            check(log.checkpoint().equals(checkpoint), "the checkpoint");
        }
    }

    private static List<Reading.Entry> read(MessageLog log) throws IOException {
        try (LogReader reader = log.read(log.firstIndex())) {
            Reading reading = Reading.of(reader);
            check(reading.failure() == null, "the live log cannot be read");
            return reading.records();
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
