package io.plog.log.bookkeeper;

import io.plog.log.storage.LogException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a log needs of the engine that keeps its bytes: ledgers, and one small node that is changed by compare-and-set. Bound to
 * one log by name. BookKeeper and ZooKeeper in production, a simulation in tests. For any thread; all methods block.
 */
interface LedgerStore extends AutoCloseable {
    /** The log's node. Its version is 0 when it was created, and one more after each change. */
    record Node(String content, int version) {}

    /**
     * Somebody else has fenced a ledger: nothing can be appended to it any more. Another writer did it, or BookKeeper's
     * auto-recovery, which closes a ledger that has lost a bookie; the log's list says which.
     */
    final class FencedException extends IOException {
        FencedException(String message) {
            super(message);
        }
    }

    /** There are fewer bookies than the ledger needs. */
    final class TooFewException extends IOException {
        TooFewException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** There is no such ledger, any more. */
    final class NoLedgerException extends IOException {
        NoLedgerException(String message) {
            super(message);
        }
    }

    enum Standing {
        /** It can be appended to, and a ledger made now would not be better. */
        GOOD,
        /**
         * A ledger made now would be better: on more bookies that are there, or without one that is gone. BookKeeper's auto-recovery
         * closes a ledger with such a one after a while, see {@link FencedException}.
         */
        SURPASSED,
        /** It is closed, or being closed. */
        CLOSED
    }

    /** How a ledger stands, and how many copies its next entry will have at least: bookies that are gone keep none. */
    record Place(Standing standing, int copies) {}

    /** What is worth knowing about the engine, by name, in an order for people. */
    Map<String, String> facts();

    /** The log's node as a majority of ZooKeeper's servers has it at some moment during this call; null if there is none. */
    @Nullable
    Node readNode() throws IOException;

    /** The log's node as one server has it, which may be a little behind. Costs ZooKeeper less. */
    default @Nullable Node lookAtNode() throws IOException {
        return readNode();
    }

    /**
     * Creates the node.
     *
     * @throws IOException if it is there, or it is unknown whether it was created
     */
    void createNode(String content) throws IOException;

    /**
     * Replaces the node's content if its version is still this one.
     *
     * @throws IOException if it is not, or it is unknown whether it was replaced
     */
    void replaceNode(String content, int expectedVersion) throws IOException;

    /**
     * Creates a ledger, which only this writer can append to.
     *
     * @throws TooFewException if fewer bookies than the ensemble are there
     */
    LedgerWriter createLedger(Quorum quorum) throws IOException;

    /**
     * Creates a ledger on the bookies that are there, if that is enough for the ack quorum: an entry counts as stored when as many have forced it
     * as ever, and a log need not stop for a bookie that is missing.
     *
     * @throws TooFewException if there are fewer bookies than that
     * @throws io.plog.log.storage.LogException if bookies have entries of its number: the ledger that had it before is forgotten, and would come
     *     up again behind the end of this one
     */
    default LedgerWriter createLedgerWhereItCan(Quorum quorum) throws IOException {
        Quorum wanted = quorum;
        while (true) {
            try {
                LedgerWriter created = createLedger(wanted);
                checkUnused(created.id(), quorum.ack() - 1);
                return created;
            } catch (TooFewException e) {
                if (wanted.ensemble() == quorum.ack()) {
                    throw explained(quorum, e);
                }
                wanted = wanted.withoutOne();
            }
        }
    }

    private void checkUnused(long ledger, int silent) throws IOException {
        List<String> holders = holdersOf(ledger, silent);
        if (!holders.isEmpty()) {
            deleteLedger(ledger);
            throw new LogException(
                    "the data of ZooKeeper are not the last ones: it has just created ledger " + ledger
                            + ", of which bookies have entries " + holders
                            + ". Stop the bookies, which delete ledgers that ZooKeeper does not know, and restore the"
                            + " last copy of its data. Nothing was appended",
                    null);
        }
    }

    /** Says more about what is missing. */
    default TooFewException explained(Quorum asked, TooFewException e) {
        return e;
    }

    /** Looks how a ledger stands that is being written. Changes nothing. */
    Place placeOf(long ledger, Quorum wanted) throws IOException;

    /** What the servers in the queue for the log say of themselves, a line each, the one whose turn it is first. */
    List<String> queue() throws IOException;

    /** Opens a ledger for reading, after fencing its writer and recovering all that was acknowledged to it. It is closed then. */
    LedgerReader recoverLedger(long ledger) throws IOException;

    /**
     * Opens a ledger that is closed for reading.
     *
     * @throws NoLedgerException if it was deleted
     */
    LedgerReader openLedger(long ledger) throws IOException;

    /**
     * Opens a ledger for reading that may be closed or not, and neither disturbs its writer nor changes anything. Of one that is not
     * closed the reader has what a recovery would keep at this moment.
     *
     * @throws NoLedgerException if it was deleted
     */
    LedgerReader lookInto(long ledger) throws IOException;

    /**
     * Opens a ledger for reading that may be closed or not, as far as it is closed or its entries are known to have been acknowledged, and
     * neither disturbs its writer nor changes anything. {@link LedgerReader#refresh} looks again how far that is.
     *
     * @throws NoLedgerException if it was deleted
     */
    LedgerReader follow(long ledger) throws IOException;

    /** The ledgers with the log's name that were created after this one, in order; -1 for all. */
    List<Long> ledgersAfter(long ledger) throws IOException;

    /** After how long without a sign of life ZooKeeper ends this writer's session, in milliseconds. */
    int sessionMillis();

    /**
     * Whether a session surely lives still. ZooKeeper ends it when it has heard nothing for the session's time, by the clock of its leader.
     * A quarter of it is kept back, because another server than the leader hands its clients' signs of life on every half tick only, and
     * a session is at least two ticks long.
     *
     * @param nanos since the last request that was answered was sent
     * @param sessionMillis the session's time, as it was agreed
     */
    static boolean surelyLives(long nanos, int sessionMillis) {
        return nanos < TimeUnit.MILLISECONDS.toNanos(sessionMillis) / 4 * 3;
    }

    /**
     * The bookies that are there and have a ledger's first entry, whether the ledger is there or not.
     *
     * @param silent so many need not answer
     * @throws IOException if more of those that are there do not say
     */
    List<String> holdersOf(long ledger, int silent) throws IOException;

    /**
     * How often the log's list was changed, as bookies know it: a copy of ZooKeeper's data cannot take that back.
     *
     * @param silent so many bookies need not answer
     * @return the highest number that was noted, 0 if none was
     */
    long notedChange(int silent) throws IOException;

    /** Whether bookies answer this machine within a time; so many need not. */
    boolean areBookiesInReach(int silent, Duration atMost);

    /** Has it noted; forced by the ack quorum of bookies when this returns. */
    void noteChange(long change, Quorum quorum) throws IOException;

    /** Deletes a ledger. One that is not there counts as deleted. */
    void deleteLedger(long ledger) throws IOException;

    @Override
    void close() throws IOException;
}
