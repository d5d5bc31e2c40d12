package io.plog.log;

import java.io.IOException;

/** A failure that leaves the content of the disk unknown, whatever error the operating system reports. Never retried. */
final class PermanentFailure extends IOException {
    private static final long serialVersionUID = 1L;

    PermanentFailure(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
