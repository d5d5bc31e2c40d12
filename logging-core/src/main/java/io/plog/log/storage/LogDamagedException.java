package io.plog.log.storage;

/**
 * Bytes that were acknowledged, or that must be intact for other reasons, are damaged or missing. Nothing was changed. Of a log
 * that was open already it is the cause of a {@link io.plog.log.LogFailedException}; see {@link io.plog.log.LogOptions.Check#IN_BACKGROUND}.
 *
 * <p>The message says which file (and, of a striped log, in which directory), at which offset, what was expected, what was found and what to do.
 */
public final class LogDamagedException extends LogException {
    /** What to do about damage in general. */
    public static final String RESTORE =
            "Nothing was changed; restore the file from a copy, or see what can be saved with:"
                    + " plog log repair DIR";

    /** What to do about damage that is found while the log is at work. */
    public static final String CLOSE_AND_RESTORE =
            "Close the log, then restore the file from a copy, or see what can be saved" + " with: plog log repair DIR";

    private final String directory;
    private final int stripe;
    private final String file;
    private final long offset;
    private final String expected;
    private final String found;
    private final String advice;

    /**
     * @param file what is damaged
     * @param offset where in it
     * @param advice what to do: a sentence or two
     */
    public LogDamagedException(String file, long offset, String expected, String found, String advice) {
        this("", 0, file, offset, expected, found, advice);
    }

    private LogDamagedException(
            String directory, int stripe, String file, long offset, String expected, String found, String advice) {
        super("damaged log: " + (stripe == 0 ? "" : "directory " + directory + ", ") + "file " + file + ", offset "
                + offset + ": expected " + expected + ", found " + found + ". " + advice);
        this.directory = directory;
        this.stripe = stripe;
        this.file = file;
        this.offset = offset;
        this.expected = expected;
        this.found = found;
        this.advice = advice;
    }

    /** This damage, with the number and name of the striped log's directory in which it is. */
    public LogDamagedException in(int number, String name) {
        return number > 0 && stripe == 0
                ? new LogDamagedException(name, number, file, offset, expected, found, advice)
                : this;
    }

    /** This damage, with another advice on what to do: a sentence or two. */
    public LogDamagedException withAdvice(String other) {
        return new LogDamagedException(directory, stripe, file, offset, expected, found, other);
    }

    /** Whether both report damage at the same offset of the same file. */
    public boolean isSamePlaceAs(LogDamagedException other) {
        return stripe == other.stripe && file.equals(other.file) && offset == other.offset;
    }

    /** Which of a striped log's directories is damaged; empty if the log has one directory only. */
    public String directory() {
        return directory;
    }

    /** The number of that directory, from 1; 0 if the log has one directory only. */
    public int stripe() {
        return stripe;
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
