package io.plog.server.state;

import io.plog.log.LogException;
import io.plog.log.LogFailedException;
import io.plog.log.LogRefusedException;
import io.plog.protocol.Status;

/** How the log's failures are reported to a client. */
final class LogErrorStatus {
    private LogErrorStatus() {}

    static Status statusOf(LogException cause) {
        if (cause instanceof LogRefusedException.QueueFull) {
            return Status.OVERLOADED;
        }
        if (cause instanceof LogRefusedException.NoSpace || cause instanceof LogRefusedException.Shortage) {
            return Status.LOG_FULL;
        }
        if (cause instanceof LogFailedException failed) {
            return failed.isIndeterminate() ? Status.LOG_FAILED : laterStatus(failed.reason());
        }
        if (cause instanceof LogRefusedException.Closed) {
            return Status.SHUTTING_DOWN;
        }
        return Status.FAILED;
    }

    /** The status of a request that came after the log had failed. */
    static Status laterStatus(LogFailedException.Reason reason) {
        return switch (reason) {
            case ERROR -> Status.LOG_UNAVAILABLE;
            case FENCED -> Status.NOT_SERVING;
            case NO_QUORUM -> Status.NO_QUORUM;
        };
    }

    static String sentenceOf(LogException cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
