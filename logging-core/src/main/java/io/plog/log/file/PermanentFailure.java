package io.plog.log.file;

import io.plog.log.storage.LogRefusedException;
import io.plog.log.storage.Storage;
import java.io.IOException;

/** A failure that leaves the content of the disk unknown, whatever error the operating system reports. Never retried. */
public final class PermanentFailure extends IOException {
    public PermanentFailure(IOException cause) {
        super(cause.getMessage(), cause);
    }

    /**
     * Makes changes of a directory stable. If that failed, it is not tried again: a second force may succeed although the change is
     * gone with the next crash.
     *
     * @throws PermanentFailure if it failed
     * @throws LogRefusedException.Shortage if the directory could not be opened to force it, for lack of file descriptors; later it can
     */
    public static void forceDirectory(Storage storage) throws IOException {
        try {
            storage.forceDirectory();
        } catch (LogRefusedException.Shortage e) {
            throw e;
        } catch (IOException e) {
            throw new PermanentFailure(e);
        }
    }
}
