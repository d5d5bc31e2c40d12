package io.plog.server.targets;

import java.time.Duration;

/**
 * What a target's state was made of when the server started.
 *
 * @param checkpointIndex the last record whose effect its checkpoint holds; 0 if there is none, or it holds none
 * @param requests records that were executed again
 * @param skipped records that are no requests
 * @param bytes of the records that were read
 * @param duration how long that took
 */
public record ReplayReport(long checkpointIndex, long requests, long skipped, long bytes, Duration duration) {}
