package io.plog.log;

/** The names of files in a log's directory that belong to no single class. */
final class LogFiles {
    /** The file that carries the kernel's lock. */
    static final String LOCK = "log.lock";

    /** Ends the name of a file that is being written; such a file holds nothing of the log and may be deleted. */
    static final String TEMPORARY_SUFFIX = ".tmp";

    /**
     * Ends the name of a segment that one writer makes. A writer that lost its log cleans up behind itself, and must not
     * find, under the same name, what its successor makes.
     */
    static String temporarySuffix(WriterClaim claim) {
        return "." + claim.writer().toString().substring(0, 8) + TEMPORARY_SUFFIX;
    }

    /** Begins the name of a file that keeps what recovery or repair cut. */
    static final String CUT_PREFIX = "cut-";

    private LogFiles() {}
}
