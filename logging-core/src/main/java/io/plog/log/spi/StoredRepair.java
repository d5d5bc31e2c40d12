package io.plog.log.spi;

import io.plog.log.storage.LogDamagedException;
import java.io.IOException;

/** What can be done about the damage of a log at an address. For one thread. */
public interface StoredRepair extends AutoCloseable {
    /** The damage. */
    LogDamagedException damage();

    /** The name of what is to be replaced, as the user names it to have it done. */
    String replaces();

    /** What would be done, and what it costs, in a sentence for people. */
    String cost();

    /**
     * Does it.
     *
     * @throws io.plog.log.storage.LogLockedException if a server changed the log meanwhile; nothing was done
     * @throws IOException if it is unknown whether it was done: plan it again
     */
    void carryOut() throws IOException;

    @Override
    void close() throws IOException;
}
