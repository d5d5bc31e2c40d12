package io.plog.log;

/**
 * Bytes that were acknowledged, or that must be intact for other reasons, are damaged or missing. Nothing was changed.
 *
 * <p>The message says which file, at which offset, what was expected, what was found and what to do.
 */
public final class LogDamagedException extends LogException {
    private static final long serialVersionUID = 1L;

    /** What to do about damage in general. */
    static final String RESTORE = "Nothing was changed; restore the file from a copy, or see what can be saved with:"
            + " plog log repair DIR";

    private final String file;
    private final long offset;
    private final String expected;
    private final String found;

    LogDamagedException(String file, long offset, String expected, String found, String advice) {
        super("damaged log: file " + file + ", offset " + offset + ": expected " + expected + ", found " + found + ". "
                + advice);
        this.file = file;
        this.offset = offset;
        this.expected = expected;
        this.found = found;
    }

    /** Whether both tell of damage at the same offset of the same file. */
    boolean isSamePlaceAs(LogDamagedException other) {
        return file.equals(other.file) && offset == other.offset;
    }

    /** The damaged file's name within the log's directory. */
    public String file() {
        return file;
    }

    /** Where in the file the damage was noticed, in bytes from its start. */
    public long offset() {
        return offset;
    }

    /** What should have been there. */
    public String expected() {
        return expected;
    }

    /** What was there instead. */
    public String found() {
        return found;
    }
}
