package io.plog.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the process that has a log open, without touching the log: a process that tries the lock to see whether it is free holds
 * it for a moment, and a server that starts just then is turned away. Linux tells who holds which lock.
 */
public final class LogWriterProcess {
    private static final Path LOCKS = Path.of("/proc/locks");
    private static final String LOCK_FILE = "log.lock";

    private LogWriterProcess() {}

    /** The pid of the process that has the log in this directory open; empty if there is none, or it cannot be determined. */
    public static Optional<String> of(Path directory) throws IOException {
        Path lock = directory.resolve(LOCK_FILE);
        if (!Files.exists(lock) || !Files.isReadable(LOCKS)) {
            return Optional.empty();
        }
        String inode;
        long device;
        try {
            inode = Files.getAttribute(lock, "unix:ino").toString();
            device = ((Number) Files.getAttribute(lock, "unix:dev")).longValue();
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return Optional.empty();
        }
        // Example: 1: POSIX  ADVISORY  WRITE 4711 fd:01:131074 0 EOF
        for (String line : Files.readAllLines(LOCKS)) {
            List<String> words = List.of(line.strip().split("\\s+"));
            if (words.size() >= 6 && words.get(1).equals("POSIX")) {
                String pid = words.get(4);
                String[] file = words.get(5).split(":");
                boolean sameInode = file.length == 3 && file[2].equals(inode);
                if (sameInode && (isDevice(file, device) || hasOpen(pid, lock))) {
                    return Optional.of(pid);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isDevice(String[] file, long device) {
        // As glibc's makedev(3) puts major and minor together.
        long major = ((device >>> 8) & 0xFFF) | ((device >>> 32) & 0xFFFF_F000L);
        long minor = (device & 0xFF) | ((device >>> 12) & 0xFFFF_FF00L);
        return Long.parseLong(file[0], 16) == major && Long.parseLong(file[1], 16) == minor;
    }

    /** For file systems (btrfs) whose files name another device than their locks do. */
    private static boolean hasOpen(String pid, Path lock) {
        try (Stream<Path> open = Files.list(Path.of("/proc", pid, "fd"))) {
            Path real = lock.toRealPath();
            return open.anyMatch(link -> {
                try {
                    return Files.readSymbolicLink(link).equals(real);
                } catch (IOException e) {
                    return false; // closed meanwhile
                }
            });
        } catch (IOException e) {
            return false; // it has ended, or belongs to somebody else
        }
    }
}
