package io.plog.benchmarks.result;

/** What the thread that submits does while all its appends are outstanding. */
public enum Submitter {
    /** It looks for the outcome for as long as a quick disk's force takes, and yields now and then, before it parks. */
    LOOKS,
    /** It parks at once, and must be woken. */
    PARKS
}
