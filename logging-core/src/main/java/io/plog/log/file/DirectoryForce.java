package io.plog.log.file;

import io.plog.log.storage.LogRefusedException;
import io.plog.log.storage.Storage;
import java.io.IOException;

/**
 * Makes changes of a directory stable. A force that failed is not tried again: a second one may succeed although the change is
 * gone with the next crash.
 */
public final class DirectoryForce {
    private DirectoryForce() {}

    /**
     * Forces the directory, once.
     *
     * @throws PermanentFailure if it failed
     * @throws LogRefusedException.Shortage if the directory could not be opened to force it, for lack of file descriptors; later it can
     */
    public static void once(Storage storage) throws IOException {
        try {
            storage.forceDirectory();
        } catch (LogRefusedException.Shortage e) {
            throw e;
        } catch (IOException e) {
            throw new PermanentFailure(e);
        }
    }
}
