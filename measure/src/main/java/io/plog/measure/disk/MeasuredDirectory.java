package io.plog.measure.disk;

import io.plog.host.DirectoryFacts;
import io.plog.log.storage.Force;
import io.plog.log.storage.Storage;
import io.plog.measure.plan.Directories;
import io.plog.measure.plan.DiskCell;
import io.plog.measure.plan.FileKind;
import io.plog.measure.plan.Neighbour;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory that is measured: its facts, a subdirectory of its own that is removed at the end, and the files in it. For
 * one thread, but for {@link #close}, which may come from a shutdown.
 */
public final class MeasuredDirectory implements Closeable {
    /** A fact of this name, with the way of forcing behind it, says what that way does in the directory. */
    public static final String WAY = "force=";

    /** Begins the fact of a way of forcing that a file system lacks. */
    public static final String NOT_AVAILABLE = "not available here: ";

    private final String name;
    private final Path path;
    private final DirectoryFacts facts;
    private final Path scratch;
    private final Storage.Opener opener;
    private final Map<Force, WayFiles> files = new EnumMap<>(Force.class);
    private final Map<Force, String> ways = new LinkedHashMap<>(); // how each writes, or why it is not available
    private boolean uncached;
    private @Nullable NeighbourFiles neighbours;

    private MeasuredDirectory(String name, Path path, DirectoryFacts facts, Path scratch, Storage.Opener opener) {
        this.name = name;
        this.path = path;
        this.facts = facts;
        this.scratch = scratch;
        this.opener = opener;
    }

    /**
     * Makes the subdirectory; writes nothing yet.
     *
     * @param name as the plan has it
     * @param opener of the subdirectory
     * @throws IOException if that is not possible; the message says what was found and what to do
     */
    public static MeasuredDirectory open(String name, Path path, long occupiedBytes, Storage.Opener opener)
            throws IOException {
        if (!Files.exists(path)) {
            throw new IOException(
                    "directory " + path + " does not exist: expected one on the disk to measure; create it"
                            + " (mkdir -p " + path + ") or name another");
        }
        if (!Files.isDirectory(path)) {
            throw new IOException(path + " is not a directory: expected one on the disk to measure");
        }
        DirectoryFacts facts = DirectoryFacts.of(path).with(opener.facts());
        long free = path.toFile().getUsableSpace();
        if (facts.get("readOnly").equals("yes")) {
            throw new IOException("directory " + path + " lies on a file system that is mounted read-only ("
                    + facts.get("mountPoint") + "): expected one that can be written");
        }
        if (free < occupiedBytes) {
            throw new IOException("directory " + path + " has " + mebibytes(free) + " MiB free, but its files need "
                    + mebibytes(occupiedBytes) + " MiB: name another, or choose fewer ways with --force");
        }
        try {
            Path scratch = Files.createTempDirectory(path.toRealPath(), "plog-disk-");
            return new MeasuredDirectory(name, path, facts, scratch, opener);
        } catch (AccessDeniedException e) {
            throw new IOException("directory " + path + " cannot be written by this user: check its permissions", e);
        } catch (FileSystemException e) {
            throw new IOException(
                    "directory " + path + " cannot be written (" + e.getMessage() + "): expected one that can", e);
        }
    }

    private static long mebibytes(long bytes) {
        return bytes >> 20;
    }

    /**
     * Creates the files for the plan's ways of forcing and neighbours, and tries each way.
     *
     * @param source as for {@link AppendFile#append}
     * @throws IOException if not even writing is possible, or space runs out
     */
    void prepare(Directories plan, ByteBuffer source, LongSupplier clock) throws IOException {
        Storage storage = opener.open(scratch);
        uncached = canWriteUncached(storage);
        for (Force force : plan.openedForces()) {
            ways.put(force, prepare(storage, force, plan.kinds(), source, clock));
        }
        neighbours = NeighbourFiles.create(
                storage, plan.neighbours().stream().filter(this::hasNeighbour).toList(), source);
    }

    /** Whether a neighbour would use the disk: reads that the page cache answers would not. */
    boolean hasNeighbour(Neighbour neighbour) {
        return neighbour != Neighbour.READS || uncached;
    }

    /** Starts a neighbour of the plan, which writes at most this much. */
    NeighbourLoad start(Neighbour neighbour, long mostBytes) throws IOException {
        return Objects.requireNonNull(neighbours).start(neighbour, mostBytes);
    }

    /** Returns how the way writes, or why it is not available. */
    private String prepare(Storage storage, Force force, List<FileKind> kinds, ByteBuffer source, LongSupplier clock)
            throws IOException {
        try {
            force.checkFlushes(System.getProperty("os.name", ""));
            WayFiles opened = WayFiles.create(storage, force, kinds);
            files.put(force, opened);
            for (FileKind kind : kinds) {
                opened.fileFor(kind, DiskCell.BLOCK_BYTES)
                        .append(DiskCell.BLOCK_BYTES, source, AppendFile.Timing.UNUSED, clock);
            }
            return how(force);
        } catch (IOException e) {
            if (force == Force.WRITE || isForLackOfSpace(e)) {
                throw e;
            }
            WayFiles opened = files.remove(force);
            if (opened != null) {
                opened.close();
            }
            return NOT_AVAILABLE + String.valueOf(e.getMessage()).replace(scratch.toString(), path.toString());
        }
    }

    private String how(Force force) {
        return switch (force) {
            case OFF, WRITE -> "written into the page cache, not forced";
            case FDATASYNC -> "written " + (uncached ? "around" : "through") + " the page cache, then fdatasync";
            case FSYNC -> "written into the page cache, then fsync";
            case DSYNC -> "written through the page cache with O_DSYNC";
            case DIRECT -> "written around the page cache with O_DIRECT and O_DSYNC";
        };
    }

    /** What {@code fdatasync} does depends on whether O_DIRECT is to be had, which only a trial shows. */
    static boolean canWriteUncached(Storage storage) throws IOException {
        String name = "uncached";
        storage.create(name).close();
        ByteBuffer block = ByteBuffer.allocateDirect(2 * DiskCell.BLOCK_BYTES)
                .alignedSlice(DiskCell.BLOCK_BYTES)
                .limit(DiskCell.BLOCK_BYTES);
        try (var file = storage.open(name, Storage.Access.WRITE_DIRECT)) {
            file.read(block, 0);
            return true;
        } catch (IOException refused) {
            return false;
        } finally {
            storage.delete(name);
        }
    }

    /** The JDK has no type for it, only the operating system's words. */
    static boolean isForLackOfSpace(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("No space left")
                || message.contains("quota exceeded")
                || message.contains("not enough space on the disk");
    }

    /** The directory as the plan names it. */
    public String name() {
        return name;
    }

    /** What the system says of the directory's device and file system. */
    public DirectoryFacts facts() {
        return facts;
    }

    /** That, with what each way of forcing does here, or why it is not available. */
    Map<String, String> described() {
        Map<String, String> described = new LinkedHashMap<>(facts.asMap());
        ways.forEach((force, what) -> described.put(WAY + force.label(), what));
        return described;
    }

    /** The directory inside it that holds the files of the measurement. */
    public Path scratch() {
        return scratch;
    }

    List<Force> availableForces() {
        return List.copyOf(files.keySet());
    }

    WayFiles files(Force force) {
        return Objects.requireNonNull(files.get(force));
    }

    /** Removes all that was made here. May be called more than once. */
    @Override
    public void close() throws IOException {
        files.values().forEach(WayFiles::close);
        if (neighbours != null) {
            neighbours.close();
        }
        @Nullable IOException first = null;
        List<Path> all;
        try (Stream<Path> found = Files.exists(scratch) ? Files.walk(scratch) : Stream.empty()) {
            all = found.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path file : all) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
