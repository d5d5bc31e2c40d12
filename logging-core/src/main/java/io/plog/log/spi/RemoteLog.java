package io.plog.log.spi;

import io.plog.log.DurableLog;
import io.plog.log.LogFailedException;
import io.plog.log.storage.LogLockedException;
import java.io.IOException;
import java.time.Duration;

/** A log that other machines keep, so that another server may take it over. Who serves with it asks it for more. For any thread. */
public interface RemoteLog extends DurableLog {
    /**
     * Whether enough of the machines that keep the log answer this one. Blocks.
     *
     * @param atMost how long they are waited for
     */
    boolean isInReach(Duration atMost);

    /**
     * On how many machines a record that is appended now is kept at least, as {@link #checkHeld} found it last: those that are gone keep
     * none. 0 if that is not known yet.
     */
    int copies();

    /**
     * Asks whether the log is still this writer's, and fails it if another one took it over. Without it a writer that appends nothing
     * learns that late. Also looks whether the log could be on more machines than it is, since some came back or are spare, and if so
     * its next append is. So call it each second or so. Blocks.
     *
     * <p>If the log has failed, this says whether another writer has it. If none has, close it and open it again to continue. After a
     * {@link LogFailedException.Reason#FENCED fence} let some seconds pass before that, or it takes the log away from a writer that is
     * just opening it.
     *
     * @throws LogLockedException if the log has failed, and another writer has it
     * @throws IOException if no server answers; the log continues
     */
    void checkHeld() throws IOException;

    /**
     * Whether it is certain at this moment that this log is this writer's, because the last proof of it is recent enough. A server that
     * answers reads from memory asks this after it has read, and answers only then. {@link #checkHeld} proves it, and the proof is good
     * for a few seconds, by this machine's monotonic clock. Without that, and when the log was fenced or closed, it is not certain.
     * Reads a clock and does not block.
     */
    boolean isSurelyHeld();
}
