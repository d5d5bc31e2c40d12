package io.plog.app.cli;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;

/**
 * How far a run is, for {@code plog view}: a file in its directory that is there while the run is under way, written in place about
 * once a second. To replace it by a rename would make ext4 write it to the disk each time, which may be the disk that is measured.
 * Safe for any thread.
 */
public final class RunProgress implements Closeable {
    /** The file's name within a results directory. */
    public static final String FILE_NAME = "progress.json";

    /** A page of memory, which a reader sees as a whole; the text is short enough for it. */
    private static final int BYTES = 4096;

    private static final int MOST_TEXT = 300;
    private static final long EVERY_NANOS = 1_000_000_000;

    /** The system gives the start of a process in its own ticks, and its clock may be set. */
    private static final long SAME_START_MILLIS = 2_000;

    private final Path file;
    private final FileChannel channel;
    private final String kind;
    private final String startedAt =
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    private final long pid = ProcessHandle.current().pid();
    private final long pidSince = since(ProcessHandle.current());
    private long nextNanos = System.nanoTime();

    /**
     * What the file says.
     *
     * @param kind of the run, as in {@code results.json}
     * @param startedAt when it began, ISO 8601
     * @param pid the process that measures
     * @param pidSince when that process began, in milliseconds since 1970, as its number is used again; 0 if it is not known
     * @param done of {@code total}, in whatever the run counts; {@code total} is 0 if it is not known
     * @param text how far it is, for people
     */
    public record State(String kind, String startedAt, long pid, long pidSince, long done, long total, String text) {
        /** Whether its process still runs. */
        public boolean stillRuns() {
            return ProcessHandle.of(pid)
                    .filter(process -> Math.abs(since(process) - pidSince) <= SAME_START_MILLIS)
                    .isPresent();
        }
    }

    /**
     * From now on the run is under way.
     *
     * @param directory its results; created if it is missing
     * @param kind as in {@code results.json}
     */
    public RunProgress(Path directory, String kind) throws IOException {
        this.kind = kind;
        file = ResultsDirectory.ownFile(Files.createDirectories(directory), FILE_NAME);
        channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        at(0, 0, "preparing");
    }

    /** Notes how far it is, at most once a second. */
    public synchronized void at(long done, long total, String text) {
        if (System.nanoTime() - nextNanos < 0) {
            return;
        }
        nextNanos = System.nanoTime() + EVERY_NANOS;
        String words = text.substring(0, Math.min(text.length(), MOST_TEXT));
        byte[] json = JsonText.line(new State(kind, startedAt, pid, pidSince, done, total, words))
                .getBytes(StandardCharsets.UTF_8);
        byte[] page = Arrays.copyOf(json, BYTES);
        Arrays.fill(page, json.length, BYTES, (byte) ' ');
        try {
            channel.write(ByteBuffer.wrap(page), 0);
        } catch (IOException e) {
            // No reason to end a run; the next one may be written.
        }
    }

    private static long since(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(file);
    }

    /** What the file in a directory says; empty if there is none, or none that plog wrote. */
    public static Optional<State> read(Path directory) {
        Path file = directory.resolve(FILE_NAME);
        try {
            boolean mayBe = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) == BYTES;
            State state = mayBe ? JsonText.read(Files.readString(file), State.class) : null;
            return Optional.ofNullable(state)
                    .filter(all -> all.kind != null && all.startedAt != null && all.text != null);
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
