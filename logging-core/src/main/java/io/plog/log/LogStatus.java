package io.plog.log;

/**
 * How a log is, at one moment: for meters, health checks and people.
 *
 * @param queuedRecords how many appends have no outcome yet
 * @param queuedBytes how many payload bytes these have
 * @param sizeBytes what the log takes where it is kept, without what is prepared ahead
 * @param reserveBytes what is initialised ahead of the log's end, space that it cannot lose; 0 for a log that prepares nothing
 * @param uncheckedBytes what the opening left unread and was not checked since; see {@link LogOptions.Check#IN_BACKGROUND}
 * @param stalledNanos how long the oldest append that is being forced has taken so far, or has waited for that while no callback
 *     runs; 0 if there is none. A disk that hangs shows here long before it fails
 * @param callbackNanos how long the current callback has taken so far; 0 if there is none. Callbacks are the methods of an
 *     {@link Append} and of the {@link LogListener}, and what was attached to a future. Until it returns, no other append learns its
 *     outcome
 */
public record LogStatus(
        int queuedRecords,
        long queuedBytes,
        long sizeBytes,
        long reserveBytes,
        long uncheckedBytes,
        long stalledNanos,
        long callbackNanos) {}
