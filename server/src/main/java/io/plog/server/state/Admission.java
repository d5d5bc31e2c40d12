package io.plog.server.state;

/** What is to be done with a request that has just arrived. */
enum Admission {
    /** It is in flight now: append it. */
    NEW,
    /** The same number is in flight: its outcome will be reported to this one too. */
    ATTACHED,
    ANSWERED,
    /** It may have been answered before and forgotten. */
    OUTDATED,
    /** There are more new ones than can be remembered for as long as was promised. */
    TOO_MANY,
    /** This session is not the client's any more: ask for another. */
    GONE
}
