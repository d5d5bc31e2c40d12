package io.plog.log.file;

/**
 * Which of a striped log's directories one is.
 *
 * @param number from 1 to {@code of}, in the order of {@code LogOptions.directories}; 0 if the log is not striped
 * @param of how many there are; 0 if the log is not striped
 */
public record StripeId(int number, int of) {
    /** The most directories of a striped log. */
    public static final int MOST = 16;

    /** The one directory of a log that is not striped. */
    public static final StripeId NONE = new StripeId(0, 0);

    /** Which one the directory at a place of {@code LogOptions.directories} is. */
    public static StripeId at(int place, int directories) {
        return directories == 1 ? NONE : new StripeId(place + 1, directories);
    }

    public boolean isStriped() {
        return of > 0;
    }

    /** Whether it can be that of a striped log. */
    boolean isPossible() {
        return of >= 2 && of <= MOST && number >= 1 && number <= of;
    }

    @Override
    public String toString() {
        return isStriped() ? "stripe " + number + " of " + of : "a log of one directory";
    }
}
