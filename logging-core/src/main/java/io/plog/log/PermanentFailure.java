package io.plog.log;

import java.io.IOException;

/** A failure that leaves the content of the disk unknown, whatever error the operating system reports. Never retried. */
final class PermanentFailure extends IOException {
    private static final long serialVersionUID = 1L;

    PermanentFailure(IOException cause) {
        super(cause.getMessage(), cause);
    }

    /**
     * Makes changes of a directory stable. A force that failed is not tried again: a second one may succeed although the change is
     * gone with the next crash.
     *
     * @throws PermanentFailure if it failed
     * @throws LogRefusedException.Shortage if the directory could not be opened to force it, for want of file descriptors; later it can
     */
    static void forceDirectory(Storage storage) throws IOException {
        try {
            storage.forceDirectory();
        } catch (LogRefusedException.Shortage e) {
            throw e;
        } catch (IOException e) {
            throw new PermanentFailure(e);
        }
    }
}
