package io.plog.server.targets;

import java.time.Duration;

/**
 * What a target's state was made of when the server started.
 *
 * @param checkpointIndex the last record whose effect its checkpoint holds; 0 if there is none, or it holds none
 * @param followedIndex the last record whose effect it had before, of a standby that followed the log; else 0
 * @param requests records that were executed again
 * @param skipped records that are no requests
 * @param bytes of the records behind the checkpoint, about if a standby followed them
 * @param duration how long that took
 */
public record ReplayReport(
        long checkpointIndex, long followedIndex, long requests, long skipped, long bytes, Duration duration) {}
