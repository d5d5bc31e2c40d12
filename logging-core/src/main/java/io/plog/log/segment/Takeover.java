package io.plog.log.segment;

import io.plog.log.file.LogFiles;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.WriterClaim;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Becoming the one writer of a log that exists: refuses if the writer before is another process that is still there, puts the
 * new writer's claim onto whatever the one before could be writing to, and reads what it wrote until then.
 *
 * <p>The order decides. A writer acknowledges only after it has looked, behind its write, and found its own claim. So whatever
 * it acknowledged was written before the new claim was, and is read here, after that.
 */
public final class Takeover {
    /** So often a log may have moved on between reading and claiming; who is that busy is alive. */
    private static final int TRIES = 16;

    private final WriterClaim claim;

    private Takeover(WriterClaim claim) {
        this.claim = claim;
    }

    /**
     * Analyses a log and claims it, unless it is damaged or does not exist yet; then nothing was changed.
     *
     * @param skipsCovered whether records that a checkpoint covers may be left unread
     * @return what the directories hold, with the claims in place
     * @throws LogLockedException if another process is writing the log; nothing was changed
     */
    static LogAnalysis take(List<? extends Storage> storages, WriterClaim claim, boolean skipsCovered)
            throws IOException {
        Takeover takeover = new Takeover(claim);
        for (int i = 0; i < TRIES; i++) {
            LogAnalysis analysis = refuseIfOwnersAreAlive(LogAnalysis.ofOpening(storages, skipsCovered));
            if (analysis.damage() != null || analysis.head() == null || !takeover.claimAll(analysis)) {
                return analysis;
            }
            if (isStillSo(analysis)) {
                return analysis;
            }
        }
        throw new LogLockedException("the log in " + storages.get(0).describe()
                + " is being written by somebody else: it changed each time it was read. Stop that one");
    }

    /**
     * Analyses a log that is about to be changed, and changes nothing.
     *
     * @throws LogLockedException if another process is writing it
     */
    public static LogAnalysis analyse(List<? extends Storage> storages) throws IOException {
        return refuseIfOwnersAreAlive(LogAnalysis.of(storages));
    }

    private static LogAnalysis refuseIfOwnersAreAlive(LogAnalysis analysis) throws IOException {
        for (StripeAnalysis stripe : analysis.stripes()) {
            refuseIfOwnerIsAlive(stripe);
        }
        return analysis;
    }

    /** After an opening that failed: says that no process has the log open, as far as that can be said. */
    public static void giveBack(List<? extends Storage> storages, WriterClaim claim) {
        for (Storage storage : storages) {
            SegmentClaims claims = new SegmentClaims(storage, claim);
            try {
                for (String name : storage.list()) {
                    SegmentHeader header = SegmentHeader.numberOf(name) < 0 ? null : SegmentHeader.read(storage, name);
                    if (header != null && claims.has(header)) {
                        claims.release(header, 0);
                    }
                }
            } catch (IOException ignored) {
                // The caller hears why it could not be opened; another process is refused until this one ends.
            }
        }
    }

    private static void refuseIfOwnerIsAlive(StripeAnalysis stripe) throws IOException {
        WriterClaim found = activeClaim(stripe);
        if (found != null
                && found.open()
                && found.owner().isAnotherAlive()
                && stripe.storage().mayBeOpenIn(found.owner().pid())) {
            throw new LogLockedException("the log in " + stripe.name() + " is already open by another process (pid "
                    + found.owner().pid() + "), which is still there although it has lost the lock on "
                    + LogFiles.LOCK + "; stop it, or name another directory");
        }
    }

    /** The claim on the segment that the writer before was writing to; null if there is none. */
    private static @Nullable WriterClaim activeClaim(StripeAnalysis stripe) throws IOException {
        if (!stripe.segments().isEmpty()) {
            return SegmentClaims.read(stripe.storage(), stripe.last().header());
        }
        // A log that is being created, or one of which nothing could be read, has a first segment, perhaps.
        String name = SegmentHeader.fileName(1);
        SegmentHeader first = SegmentHeader.read(stripe.storage(), name);
        return first == null || first.segment() != 1 ? null : SegmentClaims.read(stripe.storage(), first);
    }

    /**
     * Claims the active segment of each directory and all behind it; also the one before, if nothing is written behind its seal: the
     * writer before may not have changed the segment yet. Returns whether one was not claimed yet.
     */
    private boolean claimAll(LogAnalysis analysis) throws IOException {
        boolean news = false;
        for (StripeAnalysis stripe : analysis.stripes()) {
            SegmentClaims claims = new SegmentClaims(stripe.storage(), claim);
            List<SegmentHeader> segments = new ArrayList<>();
            segments.add(stripe.end().header());
            segments.add(stripe.last().header());
            stripe.superseded().forEach(state -> segments.add(state.header()));
            segments.addAll(stripe.spares());
            for (SegmentHeader segment : segments) {
                if (!claims.has(segment)) {
                    claims.take(segment);
                    news = true;
                }
            }
        }
        return news;
    }

    /** Whether the directories hold what they held before they were claimed, so that they need not be read once more. */
    private static boolean isStillSo(LogAnalysis analysis) throws IOException {
        for (StripeAnalysis stripe : analysis.stripes()) {
            if (!stripe.isStillSo()) {
                return false;
            }
        }
        return true;
    }
}
