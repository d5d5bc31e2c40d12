package io.plog.log.file;

import java.io.IOException;

/** A failure that leaves the content of the disk unknown, whatever error the operating system reports. Never retried. */
public final class PermanentFailure extends IOException {
    private static final long serialVersionUID = 1L;

    public PermanentFailure(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
