package io.plog.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A segment opened for one lane.
 *
 * @param own for the lane's own thread
 * @param callers for callers who do the lane's work, see {@link Storage#openUninterruptible}; null if that is not possible
 */
record LaneFiles(StorageFile own, @Nullable StorageFile callers) implements Closeable {
    static LaneFiles open(Storage storage, String name, Storage.Access access) throws IOException {
        StorageFile own = storage.open(name, access);
        try {
            return new LaneFiles(own, storage.openUninterruptible(name, access));
        } catch (IOException e) {
            own.close();
            throw e;
        }
    }

    /** Closes files through which nothing was written. */
    static void closeUnused(List<LaneFiles> all) {
        for (LaneFiles files : all) {
            try {
                files.close();
            } catch (IOException ignored) {
                // There is nothing in them that could be lost.
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            if (callers != null) {
                callers.close();
            }
        } finally {
            own.close();
        }
    }
}
