package io.plog.e2e.support;

import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import io.plog.log.storage.Force;
import io.plog.protocol.RequestRecord;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** Writes logs of many kinds with the log itself, and damages copies of them. Everything follows from the random numbers. */
public final class LogVariety {
    private static final int SEGMENT_BYTES = 64 * 1024;
    private static final Force[] FORCES = {Force.FDATASYNC, Force.DIRECT, Force.WRITE, Force.DSYNC, Force.FSYNC};

    private final SplittableRandom random;

    public LogVariety(SplittableRandom random) {
        this.random = random;
    }

    /**
     * Writes a log in a few lives, each closed in order or ended as by a kill, with or without a prefix that was dropped and cuts at the
     * end.
     *
     * @param directory is created
     */
    public void write(Path directory) throws Exception {
        Files.createDirectories(directory);
        Force force = FORCES[random.nextInt(FORCES.length)];
        int lives = 1 + random.nextInt(3);
        for (int life = 1; life <= lives; life++) {
            boolean kill = random.nextInt(3) == 0;
            Path killed = directory.resolveSibling(directory.getFileName() + "-killed");
            try (MessageLog log = MessageLog.open(options(directory, force))) {
                append(log, random.nextInt(40));
                if (random.nextInt(4) == 0) {
                    long index = log.durableIndex();
                    log.saveCheckpoint(index, ByteBuffer.wrap(bytes(random.nextInt(200))));
                    log.truncateBefore(index + 1 - random.nextInt(1 + (int) (index + 1 - log.firstIndex())));
                    append(log, random.nextInt(10));
                }
                if (random.nextInt(3) == 0) {
                    turnOver(log);
                }
                for (int i = random.nextInt(4); i > 1; i--) {
                    log.putCell("cell " + random.nextInt(3), bytes(random.nextInt(500)));
                }
                byte[] head = Files.readAllBytes(directory.resolve("log.head"));
                while (random.nextInt(3) == 0) {
                    cut(log);
                    append(log, random.nextInt(20));
                }
                if (kill) {
                    Directories.copy(directory, killed);
                    Files.write(killed.resolve("log.head"), head); // as if the cuts had not come so far
                }
            }
            if (kill) {
                Directories.delete(directory);
                Files.move(killed, directory);
            }
        }
    }

    /** Drops the beginning as fast as the end grows, so that files are used again. */
    private void turnOver(MessageLog log) throws Exception {
        for (int i = 0; i < 25; i++) {
            append(log, 1 + random.nextInt(12));
            log.truncateBefore(Math.max(log.firstIndex(), log.durableIndex() - random.nextInt(20)));
        }
    }

    /** Takes back the end, or everything. */
    private void cut(MessageLog log) throws IOException {
        if (random.nextInt(4) == 0) {
            ByteBuffer[] state = new ByteBuffer[random.nextInt(2)]; // or none
            Arrays.fill(state, ByteBuffer.wrap(record(0)));
            log.reset(1 + random.nextLong(log.durableIndex() + 10), state);
        } else {
            long least = Math.max(log.firstIndex() - 1, log.checkpointIndex());
            log.truncateAfter(least + random.nextLong(log.durableIndex() - least + 1));
        }
    }

    private LogOptions options(Path directory, Force force) {
        return LogOptions.in(directory)
                .withForce(force)
                .withMaxRecordBytes(SEGMENT_BYTES / 4)
                .withSegmentBytes(SEGMENT_BYTES)
                // Only after a record that waits for it: then a copy that is made meanwhile cannot be half of one.
                .withIdleMark(random.nextInt(2) == 0 ? Duration.ofNanos(1) : Duration.ofHours(1));
    }

    private void append(MessageLog log, int count) throws Exception {
        List<CompletableFuture<Long>> appended = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            appended.add(log.append(ByteBuffer.wrap(record(i))));
            if (random.nextInt(4) == 0) {
                appended.get(i).get();
            }
        }
        for (CompletableFuture<Long> each : appended) {
            each.get();
        }
    }

    /** Empty, small, large; of a request or of anything. */
    private byte[] record(int number) {
        int length = switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> random.nextInt(10_000);
            case 2 -> 8 * random.nextInt(30);
            default -> random.nextInt(300);
        };
        if (random.nextInt(3) == 0) {
            return bytes(length);
        }
        ByteBuffer record = ByteBuffer.allocate(RequestRecord.ENVELOPE_BYTES + length);
        record.put((byte) RequestRecord.KIND).putLong(8, random.nextLong()).putLong(16, number);
        return record.position(RequestRecord.ENVELOPE_BYTES).put(bytes(length)).array();
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /**
     * Damages a log in one to three places.
     *
     * @return what was done, for people
     */
    public String damage(Path directory) throws IOException {
        List<String> done = new ArrayList<>();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            done.add(damageOnce(directory));
        }
        return String.join(", ", done);
    }

    private String damageOnce(Path directory) throws IOException {
        List<Path> files = Directories.files(directory).stream()
                .filter(file -> !file.endsWith("log.lock"))
                .toList();
        if (files.isEmpty()) {
            return "nothing left";
        }
        Path file = files.get(random.nextInt(files.size()));
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long used = Math.max(1, used(bytes));
            long at = random.nextInt(5) == 0 ? random.nextLong(Math.max(1, bytes.length())) : random.nextLong(used);
            String where = " in " + file.getFileName() + " at " + at;
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> {
                    change(bytes, at, 1 << random.nextInt(8));
                    return "a bit" + where;
                }
                case 3 -> {
                    fill(bytes, at / 512 * 512, 512, 0);
                    return "a sector of zeros" + where;
                }
                case 4 -> {
                    fill(bytes, at / 4096 * 4096, 4096, 0);
                    return "a block of zeros" + where;
                }
                case 5 -> {
                    fill(bytes, used / 8 * 8, 1 + random.nextInt(600), 0x5A);
                    return "garbage behind the end" + where;
                }
                case 6 -> {
                    bytes.setLength(random.nextBoolean() ? at : bytes.length() + random.nextInt(5_000));
                    return "another length" + where;
                }
                case 7 -> {
                    Files.delete(file);
                    return "no file" + where;
                }
                case 8 -> {
                    Path other = files.get(random.nextInt(files.size()));
                    int unit = random.nextBoolean() ? 512 : 4096;
                    int bytesMoved = unit == 512 ? unit : unit * (1 + random.nextInt(3));
                    boolean overHeader = unit > 512 && random.nextBoolean();
                    move(
                            other,
                            random.nextLong(used) / unit * unit,
                            bytes,
                            overHeader ? 0 : at / unit * unit,
                            bytesMoved);
                    return bytesMoved + " bytes of " + other.getFileName() + where;
                }
                default -> {
                    Path other = directory.resolve(String.format("%020d.seg", 1 + random.nextInt(6)));
                    Files.move(file, other, StandardCopyOption.REPLACE_EXISTING);
                    return "the name " + other.getFileName() + where;
                }
            }
        }
    }

    /** Where the last byte is that is not zero. */
    private static long used(RandomAccessFile file) throws IOException {
        byte[] content = new byte[(int) file.length()];
        file.seek(0);
        file.readFully(content);
        int end = content.length;
        while (end > 0 && content[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private static void change(RandomAccessFile file, long at, int bits) throws IOException {
        file.seek(at);
        int old = Math.max(0, file.read());
        file.seek(at);
        file.write(old ^ bits);
    }

    private static void fill(RandomAccessFile file, long at, int count, int value) throws IOException {
        file.seek(at);
        for (long i = at; i < Math.min(file.length(), at + count); i++) {
            file.write(value);
        }
    }

    /** As a write that goes astray: where the bytes were there are zeros. */
    private static void move(Path from, long source, RandomAccessFile file, long at, int count) {
        byte[] moved = new byte[count];
        try (RandomAccessFile other = new RandomAccessFile(from.toFile(), "rw")) {
            other.seek(source);
            if (other.read(moved) < moved.length) {
                return;
            }
            fill(other, source, count, 0);
            file.seek(at);
            file.write(moved, 0, (int) Math.max(0, Math.min(moved.length, file.length() - at)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
