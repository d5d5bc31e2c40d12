package io.plog.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A directory on a real file system. */
public final class DiskStorage implements Storage {
    // The kernel's lock belongs to the process, not to the channel: within one process it guards nothing, and closing
    // any
    // other channel on the same file drops it. So writers of this JVM are kept apart here, before the file is touched.
    private static final Set<Path> LOCKED_IN_THIS_JVM = ConcurrentHashMap.newKeySet();

    private static final Set<OpenOption> BUFFERED = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

    /** Whether files can be written around the page cache here. */
    private enum Uncached {
        UNKNOWN,
        POSSIBLE,
        IMPOSSIBLE
    }

    private final Path directory;
    private volatile Uncached uncached = Uncached.UNKNOWN;

    /**
     * The directory must exist; it is not created, so that a wrong path or a missing mount is noticed.
     *
     * @throws LogException if it is missing, no directory, or not readable; in one sentence
     */
    public DiskStorage(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            throw new LogException("log directory " + directory + " does not exist; create it (mkdir -p " + directory
                    + ") or name another");
        }
        if (!Files.isDirectory(directory)) {
            throw new LogException("log directory " + directory + " is not a directory; name another");
        }
        if (!Files.isReadable(directory)) {
            throw new LogException(
                    "log directory " + directory + " cannot be read by this user; check its permissions");
        }
        this.directory = directory.toRealPath();
    }

    @Override
    public List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                names.add(String.valueOf(file.getFileName()));
            }
        }
        return names;
    }

    @Override
    public StorageFile create(String name) throws IOException {
        return new DiskFile(FileChannel.open(
                directory.resolve(name),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE));
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        return open(name, access, (file, options) -> new DiskFile(FileChannel.open(file, options)));
    }

    @Override
    public StorageFile openUninterruptible(String name, Access access) throws IOException {
        return open(
                name,
                access,
                (file, options) ->
                        new UninterruptibleFile(AsynchronousFileChannel.open(file, options, DirectExecutor.INSTANCE)));
    }

    /** Opens a file with the JDK's options. */
    private interface Opener {
        StorageFile open(Path file, Set<OpenOption> options) throws IOException;
    }

    private StorageFile open(String name, Access access, Opener opener) throws IOException {
        Path file = directory.resolve(name);
        return switch (access) {
            case READ -> opener.open(file, Set.of(StandardOpenOption.READ));
            case WRITE -> opener.open(file, BUFFERED);
            case WRITE_DSYNC -> opener.open(file, with(StandardOpenOption.DSYNC));
            case WRITE_DIRECT -> openDirect(file, opener);
            case WRITE_UNCACHED -> openUncached(file, opener);
        };
    }

    private static Set<OpenOption> with(OpenOption... more) {
        Set<OpenOption> options = new HashSet<>(BUFFERED);
        options.addAll(List.of(more));
        return options;
    }

    private StorageFile openDirect(Path file, Opener opener) throws IOException {
        try {
            return opener.open(file, with(StandardOpenOption.DSYNC, directOption()));
        } catch (IOException | UnsupportedOperationException e) {
            throw new LogException(
                    "force=direct is not possible in " + directory + " (" + e.getMessage()
                            + "); its file system may not support O_DIRECT. Choose force=dsync or force=fdatasync",
                    e);
        }
    }

    /** Around the page cache if that is possible here, which is tried once, by reading a block. */
    private StorageFile openUncached(Path file, Opener opener) throws IOException {
        if (uncached != Uncached.IMPOSSIBLE) {
            try {
                StorageFile opened = opener.open(file, with(directOption()));
                if (uncached == Uncached.POSSIBLE || canRead(opened)) {
                    uncached = Uncached.POSSIBLE;
                    return opened;
                }
            } catch (NoSuchFileException | AccessDeniedException e) {
                throw e;
            } catch (IOException | UnsupportedOperationException e) {
                if (uncached == Uncached.POSSIBLE) {
                    throw e;
                }
            }
            uncached = Uncached.IMPOSSIBLE;
        }
        return opener.open(file, BUFFERED);
    }

    /** Whether blocks of 4096 bytes can be read around the page cache; if not, closes the file. */
    private static boolean canRead(StorageFile file) throws IOException {
        ByteBuffer block =
                ByteBuffer.allocateDirect(2 * SegmentHeader.BLOCK_BYTES).alignedSlice(SegmentHeader.BLOCK_BYTES);
        try {
            file.read(block.limit(SegmentHeader.BLOCK_BYTES), 0);
            return true;
        } catch (IOException refused) {
            file.close();
            return false;
        }
    }

    /**
     * {@code com.sun.nio.file.ExtendedOpenOption.DIRECT}, the JDK's only name for O_DIRECT. Looked up at run time because
     * newer compilers warn wherever it is mentioned, in a way that cannot be switched off, and a warning is an error here.
     */
    private static OpenOption directOption() {
        try {
            for (Object option :
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
                if (option.toString().equals("DIRECT")) {
                    return (OpenOption) option;
                }
            }
        } catch (ClassNotFoundException e) {
            throw new UnsupportedOperationException("this JDK has no module jdk.unsupported", e);
        }
        throw new UnsupportedOperationException("this JDK has no O_DIRECT");
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(
                directory.resolve(from),
                directory.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.delete(directory.resolve(name));
    }

    @Override
    public void forceDirectory() throws IOException {
        forceDirectory(directory);
    }

    @Override
    public void forceParentDirectory() throws IOException {
        Path parent = directory.getParent();
        if (parent != null) {
            try {
                forceDirectory(parent);
            } catch (AccessDeniedException e) {
                // A service may own its log directory without being allowed to read the parent. Whoever made the
                // directory is then the one who can make its entry stable; docs/log-format.md says so.
                return;
            }
        }
    }

    private static void forceDirectory(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public Closeable lock(String name) throws IOException {
        if (!Files.isWritable(directory)) {
            throw new LogException(
                    "log directory " + directory + " cannot be written by this user; check its permissions"
                            + " and that its file system is not mounted read-only");
        }
        Path file = directory.resolve(name);
        if (!LOCKED_IN_THIS_JVM.add(file)) {
            throw new LogLockedException("the log in " + directory + " is already open in this process");
        }
        @Nullable FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    file, EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new LogLockedException("the log in " + directory + " is already open by another process ("
                        + readOwner(channel) + "); stop it, or name another directory");
            }
            writeOwner(channel);
            FileChannel held = channel;
            return () -> {
                try {
                    held.close();
                } finally {
                    LOCKED_IN_THIS_JVM.remove(file);
                }
            };
        } catch (IOException | RuntimeException e) {
            if (channel != null) {
                channel.close();
            }
            LOCKED_IN_THIS_JVM.remove(file);
            throw e;
        }
    }

    private static void writeOwner(FileChannel channel) throws IOException {
        byte[] owner = ("pid " + ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(owner), 0);
    }

    private static String readOwner(FileChannel channel) throws IOException {
        ByteBuffer owner = ByteBuffer.allocate(64);
        int count = channel.read(owner, 0);
        return count <= 0 ? "owner unknown" : new String(owner.array(), 0, count, StandardCharsets.US_ASCII);
    }

    @Override
    public String describe() {
        return directory.toString();
    }

    @Override
    public void close() {}

    /** Positional reads; writes keep the channel's own position, so that a gathered write needs no seek before it. */
    private static final class DiskFile implements StorageFile {
        private final FileChannel channel;
        private long channelPosition;

        DiskFile(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return channel.read(target, position);
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
            if (channelPosition != position) {
                channel.position(position);
                channelPosition = position;
            }
            long written = channel.write(sources, offset, length);
            channelPosition += written;
            return written;
        }

        @Override
        public void force(boolean metadata) throws IOException {
            channel.force(metadata);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
