package io.plog.benchmarks.result;

/** What the thread that submits does while all its appends are outstanding. */
public enum Submitter {
    /** It looks for the outcome, longer than a force takes, before it parks. */
    LOOKS,
    /** It parks at once, and must be woken. */
    PARKS
}
