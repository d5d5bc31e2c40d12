package io.plog.fuzz;

import io.plog.log.LogReader;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reader finds from an index on.
 *
 * @param records what it delivered, in order
 * @param failure how it ended; null if it came to the end
 */
record Reading(List<Entry> records, @Nullable LogException failure) {
    /** A record. */
    record Entry(long index, ByteBuffer payload) {}

    /** Reads a directory that is not being written. */
    static Reading of(Storage storage, long fromIndex) throws IOException {
        List<Entry> records = new ArrayList<>();
        try (LogReader reader = LogReader.open(storage, fromIndex)) {
            return readOn(reader, records);
        } catch (LogException refused) {
            return new Reading(records, refused);
        }
    }

    /** Reads what this reader has. */
    static Reading of(LogReader reader) throws IOException {
        return readOn(reader, new ArrayList<>());
    }

    private static Reading readOn(LogReader reader, List<Entry> records) throws IOException {
        try {
            while (reader.next()) {
                ByteBuffer payload = reader.payload();
                byte[] copy = new byte[payload.remaining()];
                payload.get(copy);
                records.add(new Entry(reader.index(), ByteBuffer.wrap(copy)));
            }
            return new Reading(records, null);
        } catch (LogException ended) {
            return new Reading(records, ended);
        }
    }

    /** Fails if an index is not the one after that before it. */
    void checkOrder() {
        for (int i = 1; i < records.size(); i++) {
            if (records.get(i).index() != records.get(i - 1).index() + 1) {
                throw new AssertionError("record " + records.get(i).index() + " after "
                        + records.get(i - 1).index());
            }
        }
    }
}
