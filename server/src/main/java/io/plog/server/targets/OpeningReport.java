package io.plog.server.targets;

import io.plog.log.storage.RecoveryReport;
import java.time.Duration;

/**
 * What was found and made when a target's log was opened.
 *
 * @param duration how long the log itself took
 * @param recovery what it reported
 * @param reserveBytes of the segments that are initialised ahead of time
 * @param wantedReserveBytes of those that were to be; more, if there was no space for all
 * @param preparing how long it took to make those that were not there before
 * @param replay what the target's state was made of
 */
public record OpeningReport(
        Duration duration,
        RecoveryReport recovery,
        long reserveBytes,
        long wantedReserveBytes,
        Duration preparing,
        ReplayReport replay) {}
