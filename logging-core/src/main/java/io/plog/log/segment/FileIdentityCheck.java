package io.plog.log.segment;

import io.plog.log.file.LogFiles;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;

/**
 * Checks that the names of an open log's files still lead to those files. An open file stays usable after it was deleted or
 * moved, so without this check a log could acknowledge records that no restart would find. For any thread.
 */
final class FileIdentityCheck {
    private final Storage storage;
    private final Object directory;
    private final Object lock;

    /** Remembers the files that are there now. Call with the lock held. */
    FileIdentityCheck(Storage storage) throws IOException {
        this.storage = storage;
        this.directory = storage.identityOf("");
        this.lock = storage.identityOf(LogFiles.LOCK);
    }

    /**
     * Looks whether the directory, the lock's file and a segment's file are still those that were opened, the segment in its full
     * length.
     *
     * @throws LogException if not; what is written to the segment is not found under its name
     */
    void check(OpenSegment segment) throws IOException {
        if (!isStill("", directory)) {
            throw new LogException("the directory " + storage.describe()
                    + " was removed or replaced while its log was open; what is appended would go to files that nobody"
                    + " finds again. Put it back, or start anew in another");
        }
        checkFile(LogFiles.LOCK, lock);
        checkFile(SegmentHeader.fileName(segment.header().segment()), segment.identity());
        checkLength(segment.header());
    }

    /**
     * Looks whether a segment still has its full length, which a file has from its making on.
     *
     * @throws LogException if not
     * @throws NoSuchFileException if it is not there
     */
    void checkLength(SegmentHeader segment) throws IOException {
        String name = SegmentHeader.fileName(segment.segment());
        long bytes = storage.sizeOf(name);
        if (bytes < segment.segmentBytes()) {
            throw new LogException(
                    "the file " + name + " in " + storage.describe() + " was cut to " + bytes + " of its "
                            + segment.segmentBytes()
                            + " bytes while the log was open, and records may be gone with them; a log's"
                            + " files must be left alone until it is closed");
        }
    }

    private void checkFile(String name, Object identity) throws IOException {
        if (!isStill(name, identity)) {
            throw new LogException("the file " + name + " in " + storage.describe()
                    + " was removed or replaced while the log was open; a log's files must be left alone until it is"
                    + " closed");
        }
    }

    private boolean isStill(String name, Object identity) throws IOException {
        try {
            return identity.equals(storage.identityOf(name));
        } catch (NoSuchFileException gone) {
            return false;
        }
    }
}
