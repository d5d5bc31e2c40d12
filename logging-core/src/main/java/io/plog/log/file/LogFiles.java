package io.plog.log.file;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/** The names of files in a log's directory that belong to no single class. */
public final class LogFiles {
    /** The file that carries the kernel's lock. */
    public static final String LOCK = "log.lock";

    /** Ends the name of a file that is being written; such a file holds nothing of the log and may be deleted. */
    public static final String TEMPORARY_SUFFIX = ".tmp";

    /**
     * Ends the name of a segment that one writer makes. A writer that lost its log cleans up behind itself, and must not
     * find, under the same name, what its successor makes.
     */
    public static String temporarySuffix(UUID writer) {
        return "." + writer.toString().substring(0, 8) + TEMPORARY_SUFFIX;
    }

    private static final Pattern TEMPORARY =
            Pattern.compile("(log\\.(head|checkpoint|cells)|\\d{20}\\.seg\\.[0-9a-f]{8}|cut-.+\\.bin)\\.tmp");

    /** Whether a log gives this name to what is unfinished. Other files in its directory are not for it to delete. */
    public static boolean isTemporary(String name) {
        return TEMPORARY.matcher(name).matches();
    }

    /** Begins the name of a file that keeps what recovery or repair cut. */
    public static final String CUT_PREFIX = "cut-";

    private LogFiles() {}

    /** The check of the 64 bytes with which a file begins: their CRC-32C, with bytes 12 to 15, where it stands, taken as zero. */
    static int checkOf(ByteBuffer bytes, int start) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(start, 12));
        crc.update(new byte[4]);
        crc.update(bytes.slice(start + 16, 48));
        return (int) crc.getValue();
    }

    static String hex(long value) {
        return String.format(Locale.ROOT, "%016x", value);
    }

    static String hex(int value) {
        return String.format(Locale.ROOT, "%08x", value);
    }
}
