package io.plog.log;

import io.plog.log.spi.LogDirectories;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a log in order, checking each. For one thread at a time.
 *
 * <p>On a live log ({@link DurableLog#read}) it delivers what is durable and can be asked again when there may be more. On
 * directories ({@link #open}) it delivers what a recovery would keep, without changing anything; a log that another process
 * is writing can be read this way, up to about where it was when the reader was opened.
 */
public abstract class LogReader implements AutoCloseable {
    /** For implementations of {@link DurableLog}; everybody else gets a reader from a log or a directory. */
    protected LogReader() {}

    /**
     * Reads a directory without a writer, and without changing anything.
     *
     * @param fromIndex the first record to deliver; 0 for the first there is
     * @throws IllegalArgumentException if the log does not hold that index and would not hold it next
     * @throws LogException if the directory does not exist or cannot be used
     */
    public static LogReader open(Path directory, long fromIndex) throws IOException {
        return open(List.of(directory), fromIndex);
    }

    /**
     * Reads a striped log without a writer, and without changing anything.
     *
     * @param directories all of the log's directories, in order
     */
    public static LogReader open(List<Path> directories, long fromIndex) throws IOException {
        return StoredLogReader.ofStorages(LogDirectories.open(directories), fromIndex);
    }

    /** Reads a log on another storage, which the reader closes in the end. */
    public static LogReader open(Storage storage, long fromIndex) throws IOException {
        return StoredLogReader.ofStorages(List.of(storage), fromIndex);
    }

    /**
     * Goes to the next record.
     *
     * @return false if there is none, at present
     * @throws RecordsDroppedException if the next record was dropped since the reader was opened
     * @throws LogDamagedException if the log is damaged here; the records before it were delivered
     */
    public abstract boolean next() throws IOException;

    /**
     * Lets {@link #next} go to the record with this index, before or behind where the reader is; also after a
     * {@link RecordsDroppedException}, which {@code next} throws if that one was dropped. It takes about as long for any record.
     *
     * @param index from 1 to one behind the last record there is
     * @throws IllegalArgumentException if it is not in that range
     * @throws RecordsCutException as {@link #next}
     */
    public void seek(long index) throws IOException {
        throw new UnsupportedOperationException("this reader only reads forward");
    }

    /** The index of the record found last. */
    public abstract long index();

    /**
     * The payload of the record found last, read-only. It is valid until the next call of {@link #next}.
     *
     * @throws IllegalStateException if there is none
     */
    public abstract ByteBuffer payload();

    /** For implementations: refuses an index that {@link #seek} does not take. */
    protected static void checkSeek(long index, long lastIndex) {
        if (index < 1 || index > lastIndex + 1) {
            throw new IllegalArgumentException("cannot read from index " + index + ": the log ends with " + lastIndex);
        }
    }

    /** A copy of {@link #payload}. */
    public final byte[] bytes() {
        ByteBuffer found = payload();
        byte[] copy = new byte[found.remaining()];
        found.get(copy);
        return copy;
    }

    @Override
    public abstract void close() throws IOException;

    /**
     * The log was cut at its end ({@link MessageLog#truncateAfter}, {@link MessageLog#reset}) in front of the place of the reader, which
     * delivered records that are none of the log's any more. What was derived from these has to be undone: open another reader from
     * {@link #firstCutIndex} on, or from where the log begins. This one delivers nothing any more.
     */
    public static final class RecordsCutException extends LogException {
        private final long wanted;
        private final long firstCut;

        RecordsCutException(long wanted, long firstCut) {
            super("the log was cut from index " + firstCut + " on while it was read up to " + (wanted - 1)
                    + ": what was read from " + firstCut + " on is not part of it any more");
            this.wanted = wanted;
            this.firstCut = firstCut;
        }

        /** The index of the record that was to be read next. */
        public long wantedIndex() {
            return wanted;
        }

        /** The lowest index that was given out again since the reader was opened. */
        public long firstCutIndex() {
            return firstCut;
        }
    }

    /**
     * Who read came to records that were dropped from the beginning of the log, perhaps meanwhile
     * ({@link MessageLog#truncateBefore}, by the process that has the log open). Nothing is damaged: read on from {@link #firstIndex}.
     */
    public static final class RecordsDroppedException extends LogException {
        private final long wanted;
        private final long firstIndex;

        /**
         * @param wanted the index of the record that was to be read next
         * @param firstIndex the index of the first record that is still there
         */
        public RecordsDroppedException(long wanted, long firstIndex, @Nullable Throwable cause) {
            super(
                    "records " + wanted + " to " + (firstIndex - 1)
                            + " are no longer there: the log was dropped up to index " + (firstIndex - 1)
                            + "; read from " + firstIndex + " on",
                    cause);
            this.wanted = wanted;
            this.firstIndex = firstIndex;
        }

        /** The index of the record that was to be read next. */
        public long wantedIndex() {
            return wanted;
        }

        /** The index of the first record that is still there, or that is the next to come. */
        public long firstIndex() {
            return firstIndex;
        }
    }
}
