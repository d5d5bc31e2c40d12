package io.plog.log.bookkeeper;

import io.plog.log.storage.LogException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.proto.BookieClient;

/**
 * Where a ledger ends that was not closed. The last entry that is known to have been acknowledged is named by the entry behind it
 * only, so the last ones that were acknowledged lie behind the known ones. They are what a recovery would keep: found by reading
 * on, until so many bookies have not got an entry that it cannot have been acknowledged. Neither fences nor writes.
 */
final class LedgerTail {
    /** More are not under way in a log at once, with the usual bound; so a writer that continues meanwhile is not followed for ever. */
    private static final int MOST_UNDER_WAY = 1 << 16;

    private static final int STEP = 64;
    private static final long CALL_SECONDS = 60;

    private final ReadHandle ledger;
    private final BookieClient bookies;
    private final String log; // for messages

    LedgerTail(ReadHandle ledger, BookieClient bookies, String log) {
        this.ledger = ledger;
        this.bookies = bookies;
        this.log = log;
    }

    /** How many entries there are. */
    long entries() throws IOException {
        long next = ledger.getLastAddConfirmed() + 1;
        long most = next + MOST_UNDER_WAY;
        int step = STEP;
        while (next < most) {
            if (isReadable(next, next + step - 1)) {
                next += step;
            } else if (step > 1) {
                step /= 2;
            } else {
                checkMissing(next);
                return next;
            }
        }
        return next;
    }

    private boolean isReadable(long first, long last) throws IOException {
        try (LedgerEntries entries = ledger.readUnconfirmedAsync(first, last).get(CALL_SECONDS, TimeUnit.SECONDS)) {
            return entries != null;
        } catch (ExecutionException e) {
            return false; // for whatever reason; if it may be there all the same, that is found out about the first
        } catch (TimeoutException e) {
            throw new IOException("BookKeeper did not answer for " + CALL_SECONDS + " s", e);
        } catch (InterruptedException e) {
            throw ZooKeeperSession.interrupted(e);
        }
    }

    /** An entry that was acknowledged is on the ack quorum of its bookies; so many less than all must not lack it. */
    private void checkMissing(long entry) throws IOException {
        LedgerMetadata metadata = ledger.getLedgerMetadata();
        List<BookieId> ensemble = metadata.getEnsembleAt(entry);
        int missing = 0;
        for (int i = 0; i < metadata.getWriteQuorumSize(); i++) {
            BookieId bookie = ensemble.get((int) ((entry + i) % ensemble.size()));
            missing += PresentBookies.isMissing(PresentBookies.answer(bookies, bookie, ledger.getId(), entry)) ? 1 : 0;
        }
        if (missing < metadata.getWriteQuorumSize() - metadata.getAckQuorumSize() + 1) {
            throw new LogException(
                    "too few bookies answer for log " + log + ": it is not known where ledger " + ledger.getId()
                            + " ends, entry " + entry + " may be there; start more of " + ensemble,
                    null);
        }
    }
}
