package io.plog.server.targets;

import java.time.Duration;

/**
 * What a log had initialised ahead of time when it was opened.
 *
 * @param bytes of the segments that are ready
 * @param wantedBytes of those that were to be ready; more, if there was no space for all
 * @param duration how long it took to make those that were not there before
 */
public record ReserveReport(long bytes, long wantedBytes, Duration duration) {}
