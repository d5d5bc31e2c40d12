package io.plog.server.state;

import io.plog.log.LogException;
import io.plog.log.LogFailedException;
import io.plog.log.LogRefusedException;
import io.plog.protocol.Status;

/** How the log's failures are told to a client. */
final class Refusals {
    private Refusals() {}

    static Status statusOf(LogException cause) {
        if (cause instanceof LogRefusedException.QueueFull || cause instanceof LogRefusedException.Shortage) {
            return Status.OVERLOADED;
        }
        if (cause instanceof LogRefusedException.NoSpace) {
            return Status.LOG_FULL;
        }
        if (cause instanceof LogFailedException) {
            return cause.isIndeterminate() ? Status.LOG_FAILED : Status.LOG_UNAVAILABLE;
        }
        if (cause instanceof LogRefusedException.Closed) {
            return Status.SHUTTING_DOWN;
        }
        return Status.FAILED;
    }

    static String sentenceOf(LogException cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
