package io.plog.log.file;

import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.LogRefusedException;
import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A directory on a real file system. */
public final class DiskStorage implements Storage {
    // The kernel's lock belongs to the process, not to the channel. Within one process it guards nothing, and to close
    // any other channel on the same file drops it. So writers of this JVM are kept apart before the file is opened:
    // by its path, and by what it is, because a directory has two paths where it is mounted twice.
    private static final Set<Object> LOCKED_IN_THIS_JVM = ConcurrentHashMap.newKeySet();

    private static final boolean IS_WINDOWS = File.separatorChar == '\\';

    /** In a name that the platform's encoding does not know: no path can be made of it, and it is no file's of a log. */
    private static final char UNREADABLE = '\uFFFD';

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

    /** Makes a directory that is missing, if its parent is there. The name becomes stable with the log's first file. */
    public static void makeIfMissing(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (!Files.exists(directory) && parent != null && Files.isDirectory(parent)) {
            Files.createDirectory(directory);
        }
    }

    /** Something that the file system is asked for. */
    private interface Operation<T extends @Nullable Object> {
        T run() throws IOException;
    }

    private static <T extends @Nullable Object> T named(String what, Operation<T> operation) throws IOException {
        try {
            return operation.run();
        } catch (DirectoryIteratorException e) {
            IOException cause = e.getCause();
            throw cause == null ? new IOException(what, e) : DiskErrors.because(what, cause);
        } catch (LogException e) {
            throw e;
        } catch (IOException e) {
            throw DiskErrors.because(what, e);
        }
    }

    @Override
    public List<String> list() throws IOException {
        return named("list of " + directory, () -> {
            List<String> names = new ArrayList<>();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    String name = String.valueOf(file.getFileName());
                    if (name.indexOf(UNREADABLE) < 0) {
                        names.add(name);
                    }
                }
            }
            return names;
        });
    }

    @Override
    public Storage.FileHandle create(String name) throws IOException {
        Path file = directory.resolve(name);
        return named("creation of " + file, () -> DiskFile.open(file, with(StandardOpenOption.CREATE_NEW)));
    }

    @Override
    public Storage.FileHandle open(String name, Access access) throws IOException {
        Path file = directory.resolve(name);
        checkRegular(file);
        return named("open of " + file, () -> switch (access) {
            case READ -> DiskFile.open(file, Set.of(StandardOpenOption.READ));
            case WRITE -> DiskFile.open(file, BUFFERED);
            case WRITE_DSYNC -> DiskFile.open(file, with(StandardOpenOption.DSYNC));
            case WRITE_DIRECT -> openDirect(file);
            case WRITE_UNCACHED -> openUncached(file);
        });
    }

    /** To open a pipe waits for whoever writes to it, and to read from a device may never end. */
    private static void checkRegular(Path file) throws LogException {
        boolean isRegular;
        try { // in one look: another thread may delete the file meanwhile
            isRegular = Files.readAttributes(file, BasicFileAttributes.class).isRegularFile();
        } catch (IOException openingItSaysWhy) {
            return;
        }
        if (!isRegular) {
            throw new LogException(file + " is not a regular file, which each file of a log is; move it away, and"
                    + " restore the file from a copy if the log had one of this name");
        }
    }

    private static Set<OpenOption> with(OpenOption... more) {
        Set<OpenOption> options = new HashSet<>(BUFFERED);
        options.addAll(List.of(more));
        return options;
    }

    private Storage.FileHandle openDirect(Path file) throws IOException {
        try {
            return DiskFile.open(file, with(StandardOpenOption.DSYNC, directOption()));
        } catch (IOException | UnsupportedOperationException e) {
            DiskFile.open(file, BUFFERED).close(); // throws the reason if O_DIRECT was not it
            throw new LogException(
                    "force=direct is not possible in " + directory + " (" + DiskErrors.reasonOf(e)
                            + "); its file system may not support O_DIRECT. Choose force=dsync or force=fdatasync",
                    e);
        }
    }

    /** Around the page cache if that is possible here, which is tried once, by reading a block. */
    private Storage.FileHandle openUncached(Path file) throws IOException {
        if (uncached == Uncached.IMPOSSIBLE) {
            return DiskFile.open(file, BUFFERED);
        }
        try {
            Storage.FileHandle opened = DiskFile.open(file, with(directOption()));
            if (uncached == Uncached.POSSIBLE || canRead(opened)) {
                uncached = Uncached.POSSIBLE;
                return opened;
            }
        } catch (IOException | UnsupportedOperationException e) {
            if (uncached == Uncached.POSSIBLE && e instanceof IOException lasting) {
                throw lasting;
            }
        }
        Storage.FileHandle buffered = DiskFile.open(file, BUFFERED); // if this fails, too, O_DIRECT was not the reason
        uncached = Uncached.IMPOSSIBLE;
        return buffered;
    }

    /** Whether blocks of 4096 bytes can be read around the page cache; if not, closes the file. */
    private static boolean canRead(Storage.FileHandle file) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(2 * BLOCK_BYTES).alignedSlice(BLOCK_BYTES);
        try {
            file.read(block.limit(BLOCK_BYTES), 0);
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
        named(
                "rename of " + directory.resolve(from) + " to " + to,
                () -> Files.move(
                        directory.resolve(from),
                        directory.resolve(to),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING));
    }

    @Override
    public void delete(String name) throws IOException {
        named("deletion of " + directory.resolve(name), () -> {
            Files.deleteIfExists(directory.resolve(name));
            return true;
        });
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
                // A service may own its log directory without being allowed to read the parent. The process that made
                // the
                // directory is then the one who can make its entry stable; docs/log-format.md says so.
                return;
            }
        }
    }

    /** On Windows no program can force a directory; docs/log-format.md says what a log relies on there. */
    private static void forceDirectory(Path path) throws IOException {
        if (IS_WINDOWS) {
            return;
        }
        try (DiskFile opened = openDirectory(path)) {
            opened.force(true);
        }
    }

    private static DiskFile openDirectory(Path path) throws IOException {
        try {
            return named("open of directory " + path, () -> DiskFile.open(path, Set.of(StandardOpenOption.READ)));
        } catch (IOException e) {
            if (DiskErrors.kindOf(e) == DiskErrors.Kind.SHORTAGE) {
                throw new LogRefusedException.Shortage(String.valueOf(e.getMessage()), e); // no force was tried
            }
            throw e;
        }
    }

    @Override
    public Closeable lock(String name) throws IOException {
        if (!Files.isWritable(directory)) {
            throw new LogException(
                    Files.getFileStore(directory).isReadOnly()
                            ? "log directory " + directory + " is on a file system that is mounted read-only; mount it"
                                    + " for writing (mount -o remount,rw), or name another"
                            : "log directory " + directory + " cannot be written by this user; check its permissions");
        }
        Path file = directory.resolve(name);
        Set<Object> reserved = new HashSet<>();
        @Nullable DiskFile held = null;
        try {
            reserve(file, reserved);
            reserve(keyOf(file), reserved);
            checkRegular(file);
            DiskFile opened = named("open of " + file, () -> DiskFile.open(file, with(StandardOpenOption.CREATE)));
            held = opened;
            reserve(keyOf(file), reserved); // it may have been made just now
            if (!opened.tryLock()) {
                throw new LogLockedException("the log in " + directory + " is already open by another process ("
                        + readOwner(opened) + "); stop it, or name another directory");
            }
            opened.replace(("pid " + ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII));
            return () -> {
                try {
                    opened.close();
                } finally {
                    LOCKED_IN_THIS_JVM.removeAll(reserved);
                }
            };
        } catch (Throwable e) {
            Closeable opened = held;
            try (opened) {
                throw e;
            } finally {
                LOCKED_IN_THIS_JVM.removeAll(reserved);
            }
        }
    }

    private void reserve(@Nullable Object identity, Set<Object> reserved) throws LogLockedException {
        if (identity != null && reserved.add(identity) && !LOCKED_IN_THIS_JVM.add(identity)) {
            reserved.remove(identity);
            throw new LogLockedException("the log in " + directory + " is already open in this process");
        }
    }

    private static String readOwner(DiskFile file) throws IOException {
        ByteBuffer owner = ByteBuffer.allocate(64);
        int count = file.read(owner, 0);
        return count <= 0 ? "owner unknown" : new String(owner.array(), 0, count, StandardCharsets.US_ASCII);
    }

    /** Device and inode. */
    @Override
    public Object identityOf(String name) throws IOException {
        Path file = directory.resolve(name);
        Object key = named(
                "look at " + file,
                () -> Files.readAttributes(file, BasicFileAttributes.class).fileKey());
        return key == null ? name : key; // a system without inodes
    }

    @Override
    public void link(String name, String second) throws IOException {
        if (!countsLinks()) {
            throw new IOException(
                    "a second name of " + name + " could not be distinguished from the first in " + directory);
        }
        named(
                "link of " + directory.resolve(name) + " as " + second,
                () -> Files.createLink(directory.resolve(second), directory.resolve(name)));
    }

    private boolean countsLinks() {
        return directory.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    @Override
    public int linksOf(String name) throws IOException {
        Path file = directory.resolve(name);
        if (!countsLinks()) {
            return 1;
        }
        return named("look at " + file, () -> (Integer) Files.getAttribute(file, "unix:nlink"));
    }

    @Override
    public long sizeOf(String name) throws IOException {
        Path file = directory.resolve(name);
        return named("look at " + file, () -> Files.size(file));
    }

    /** Device and inode; null if there is no such file (any more), or the system has no inodes. */
    private static @Nullable Object keyOf(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (IOException gone) {
            return null;
        }
    }

    /** Goes through the files that the process has open, where the system lists them. */
    @Override
    public boolean mayBeOpenIn(long pid) throws IOException {
        Set<Object> here = new HashSet<>();
        for (String name : list()) {
            here.add(identityOf(name));
        }
        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path file : open) {
                if (here.contains(keyOf(file))) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException e) {
            return true; // the process of another user, or of another system: unknown
        }
    }

    @Override
    public String describe() {
        return directory.toString();
    }

    @Override
    public void close() {}
}
