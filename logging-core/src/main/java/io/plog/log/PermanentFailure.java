package io.plog.log;

import java.io.IOException;

/** A failure after which what is on the disk is not known, whatever the operating system calls it. Not to be tried again. */
final class PermanentFailure extends IOException {
    private static final long serialVersionUID = 1L;

    PermanentFailure(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
