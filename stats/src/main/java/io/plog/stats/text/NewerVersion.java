package io.plog.stats.text;

/** The one sentence about a file that a newer plog wrote: it is not damaged, and only that plog can read it. Stateless. */
public final class NewerVersion {
    private NewerVersion() {}

    /**
     * Makes it, to follow the file's name.
     *
     * @param what what has the version, such as {@code sample format}
     * @param found the file's version, unsigned
     * @param known the newest version that this program reads
     */
    public static String words(String what, long found, int known) {
        return "was written by a newer plog (" + what + " " + Long.toUnsignedString(found) + ", this one reads " + known
                + "); nothing is wrong with it, use that version";
    }
}
