package io.plog.log.spi;

import io.plog.log.Checkpoint;
import io.plog.log.DurableLog;
import io.plog.log.LogReader;
import io.plog.log.LogTools;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A log without its writer, wherever it is kept, for people and tools that look into it: it changes nothing, and neither needs nor
 * disturbs a writer. A log that is being written is seen up to about where it was when this was opened.
 *
 * <p>For one thread at a time. Close it after its readers.
 */
public interface StoredLog extends AutoCloseable {
    /**
     * Opens the log at an address for looking into it.
     *
     * @param address as {@link DurableLog#open} takes it
     * @throws LogException if nothing here can open such an address, there is no log, or it cannot be used
     * @throws IOException if the operating system or another machine reports another error
     * @throws IllegalArgumentException if the address is not right; the message says what is
     */
    static StoredLog open(URI address) throws IOException {
        return DurableLogProvider.of(address).openStored(address);
    }

    /**
     * The log in directories, one or several in order. Opens nothing yet: each call opens them anew.
     *
     * @param directories all of them
     */
    static StoredLog in(List<Path> directories) {
        List<Path> all = List.copyOf(directories);
        return new StoredLog() {
            @Override
            public LogReader read(long fromIndex) throws IOException {
                return LogReader.open(all, fromIndex);
            }

            @Override
            public Optional<Checkpoint> checkpoint() throws IOException {
                return Checkpoint.read(all.get(0));
            }

            @Override
            public LogTools.Inspection inspect() throws IOException {
                return LogTools.inspect(all);
            }

            @Override
            public void close() {}
        };
    }

    /**
     * Reads forward, up to about what was durable when this log was opened.
     *
     * @param fromIndex the first record to deliver; 0 for the first there is
     * @throws IllegalArgumentException if the log does not hold that index and would not hold it next
     * @throws LogReader.RecordsDroppedException if these records were dropped meanwhile
     */
    LogReader read(long fromIndex) throws IOException;

    /**
     * Reads the last checkpoint, if there is one.
     *
     * @throws LogDamagedException if it is damaged
     */
    Optional<Checkpoint> checkpoint() throws IOException;

    /**
     * Reads all of the log and says what it holds.
     *
     * @throws IOException if it cannot be read; damage is not thrown but reported
     */
    LogTools.Inspection inspect() throws IOException;

    /**
     * What the servers that wait for the log publish about themselves, a line each that begins with {@code HOST:PORT}. If one of them
     * holds the log, it is the first. Empty if none waits, and for a kind of log that has one server.
     *
     * @throws IOException if it cannot be read
     */
    default List<String> servers() throws IOException {
        return List.of();
    }

    @Override
    void close() throws IOException;
}
