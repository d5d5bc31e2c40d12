package io.plog.log;

import java.time.Duration;

/**
 * How long closing a log waits without progress before it gives the log up.
 *
 * @param callback for a callback that does not return
 * @param disk for an operation on the disk that does not; longer than a device takes to report one that timed out
 */
record CloseTimeouts(Duration callback, Duration disk) {
    static final CloseTimeouts NORMAL = new CloseTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(60));
}
