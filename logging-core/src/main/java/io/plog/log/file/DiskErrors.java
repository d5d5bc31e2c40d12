package io.plog.log.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What an error of the operating system means to a log. The JDK passes on only the system's words (of
 * glibc, musl or Windows; in another language where the environment says so, and then an error is taken for one that
 * lasts, which is the safe side).
 */
public final class DiskErrors {
    /** What to do about an error. */
    public enum Kind {
        /** No space is left, or a quota or a limit of size is reached: it passes when somebody makes room. */
        NO_SPACE,
        /** The process or the machine is short of open files or memory: it passes by itself, and nothing was touched. */
        SHORTAGE,
        /** The directory is not writable for this process: it passes when somebody makes it so, and nothing was touched. */
        DENIED,
        /** The file system can be read only. */
        READ_ONLY,
        /** Any other error: the content of the disk is unknown. */
        LASTING
    }

    private static final List<String> NO_SPACE_WORDS = List.of(
            "no space left on device",
            "quota exceeded",
            "file too large",
            "there is not enough space on the disk",
            "the disk is full",
            "the storage quota was exceeded");
    private static final List<String> SHORTAGE_WORDS = List.of(
            "too many open files",
            "too many open files in system",
            "no file descriptors available",
            "cannot allocate memory",
            "out of memory",
            "resource temporarily unavailable",
            "the system cannot open the file",
            "insufficient system resources exist to complete the requested service",
            "not enough memory resources are available to process this command");
    private static final List<String> DENIED_WORDS =
            List.of("permission denied", "operation not permitted", "access is denied");
    private static final List<String> READ_ONLY_WORDS =
            List.of("read-only file system", "the media is write protected");
    private static final List<String> BAD_SECTOR_WORDS =
            List.of("input/output error", "data error (cyclic redundancy check)");

    private DiskErrors() {}

    /** What kind of error it is, going by its own words and those of its causes. */
    public static Kind kindOf(Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            if (each instanceof OutOfMemoryError) {
                return Kind.SHORTAGE;
            }
            if (each instanceof PermanentFailure) {
                return Kind.LASTING;
            }
            String words = reasonOf(each).toLowerCase(Locale.ROOT);
            if (endsWithOneOf(words, NO_SPACE_WORDS)) {
                return Kind.NO_SPACE;
            }
            if (endsWithOneOf(words, SHORTAGE_WORDS)) {
                return Kind.SHORTAGE;
            }
            if (endsWithOneOf(words, DENIED_WORDS)) {
                return Kind.DENIED;
            }
            if (endsWithOneOf(words, READ_ONLY_WORDS)) {
                return Kind.READ_ONLY;
            }
        }
        return Kind.LASTING;
    }

    private static boolean endsWithOneOf(String words, List<String> ends) {
        return ends.stream().anyMatch(words::endsWith);
    }

    /** Whether a read failed because the disk does not have the bytes any more; it would fail again. */
    static boolean isBadSector(IOException error) {
        return endsWithOneOf(reasonOf(error).toLowerCase(Locale.ROOT), BAD_SECTOR_WORDS);
    }

    /**
     * An exception that says what failed and why.
     *
     * @param what operation and place
     * @return of the same class, where callers look at it
     */
    public static IOException because(String what, IOException cause) {
        String message = what + ": " + reasonOf(cause);
        IOException said;
        if (cause instanceof NoSuchFileException) {
            said = new NoSuchFileException(message);
        } else if (cause instanceof AccessDeniedException) {
            said = new AccessDeniedException(message);
        } else if (cause instanceof FileAlreadyExistsException) {
            said = new FileAlreadyExistsException(message);
        } else {
            return new IOException(message, cause);
        }
        said.initCause(cause);
        return said;
    }

    /** The operating system's words, without the name of the file. */
    static String reasonOf(Throwable error) {
        String reason = error instanceof FileSystemException known ? reasonOf(known) : error.getMessage();
        return reason == null || reason.isEmpty() ? error.getClass().getSimpleName() : reason;
    }

    private static @Nullable String reasonOf(FileSystemException error) {
        if (error.getReason() != null) {
            return error.getReason();
        }
        if (error.getCause() != null) {
            return error.getMessage(); // one of these exceptions that says it all already
        }
        if (error instanceof NoSuchFileException) {
            return "No such file or directory";
        }
        if (error instanceof AccessDeniedException) {
            return "Permission denied";
        }
        if (error instanceof DirectoryNotEmptyException) {
            return "Directory not empty";
        }
        return error instanceof FileAlreadyExistsException ? "File exists" : error.getMessage();
    }
}
