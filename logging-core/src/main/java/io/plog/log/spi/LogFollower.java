package io.plog.log.spi;

import io.plog.log.Checkpoint;
import io.plog.log.DurableLog;
import io.plog.log.LogReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Reads a log that another server writes, as it grows, up to the last record that is known to be acknowledged: what it delivers no
 * recovery loses. It neither fences nor recovers nor changes anything, so the writer does not notice.
 *
 * <p>It connects when it is asked for something first. After an {@link IOException}, {@link #close} it; the next call connects anew and
 * goes on. Any thread may call {@link #isBeginningOf}, {@link #confirmedIndex} and {@link #checkpointIndex}, which do not
 * block; one thread at a time may call the other methods.
 */
public interface LogFollower extends AutoCloseable {
    /**
     * Where to begin: with this state and the records behind it.
     *
     * @param firstIndex of the log, when the checkpoint was read
     */
    record Beginning(Optional<Checkpoint> checkpoint, long firstIndex) {}

    /**
     * What was read so far is of no more use: there is another log, or none, records behind it were dropped, or a checkpoint spares
     * reading many. Call {@link #begin}.
     */
    final class StartAnewException extends IOException {
        public StartAnewException(String message) {
            super(message);
        }
    }

    /**
     * Begins with what the log has to begin with at this moment.
     *
     * @throws StartAnewException if there is no log yet
     */
    Beginning begin() throws IOException;

    /**
     * Looks how far the log is known to be acknowledged now, and reads up to there. Close the reader before the next call.
     *
     * @param fromIndex the record behind those that were delivered, or behind the beginning
     * @throws StartAnewException if what was delivered is not the beginning of the log any more
     */
    LogReader read(long fromIndex) throws IOException;

    /** The last record that is known to be acknowledged, as {@link #read} found. */
    long confirmedIndex();

    /** The last record that the log's checkpoint covers, as {@link #read} found; 0 if none. */
    long checkpointIndex();

    /**
     * Whether what was delivered is the beginning of a log that was opened since, and it is worth going on behind it.
     *
     * @param index of the record that was delivered last
     */
    boolean isBeginningOf(DurableLog opened, long index);

    /** Gives the connection up. */
    @Override
    void close() throws IOException;
}
