package io.plog.log.storage;

/**
 * A file of the log was written by a newer plog: its check is right, and its format has a version that this one does not know.
 * Nothing is wrong with it, and nothing was changed. The remedy is to use the newer version.
 */
public final class NewerFormatException extends LogException {
    NewerFormatException(String file, int version, int known) {
        super(file + " was written by a newer plog: its format is version " + Integer.toUnsignedString(version)
                + ", and this plog reads version " + known
                + ". Nothing is wrong with it, and nothing was changed; use the version that wrote it, or a newer one");
    }

    /**
     * Looks whether a file is of a newer format. To be called when its check is right.
     *
     * @throws NewerFormatException if it is
     */
    public static void check(String file, int version, int known) throws NewerFormatException {
        if (Integer.compareUnsigned(version, known) > 0) {
            throw new NewerFormatException(file, version, known);
        }
    }
}
