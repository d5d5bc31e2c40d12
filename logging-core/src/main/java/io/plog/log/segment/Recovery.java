package io.plog.log.segment;

import io.plog.log.file.CellsFile;
import io.plog.log.file.CheckpointFile;
import io.plog.log.file.HeadFile;
import io.plog.log.file.WriterClaim;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.LogRefusedException;
import io.plog.log.storage.RecoveryReport;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Puts an analysed log into a state in which it can be appended to. {@link LogAnalysis} decides what belongs to the log.
 * Recovery never guesses. If something is damaged, it stops before it changes anything.
 *
 * <p>There are two phases. The first makes the log stable in every directory and cuts the rest ({@link StripeRecovery}). When
 * that is done everywhere, the second writes marks that say so. Only then is a record shown to anybody. After an
 * interrupted recovery the next one finds the same end of the log, or an earlier one that was never shown.
 */
public final class Recovery {
    private final List<StripeRecovery> stripes = new ArrayList<>();
    private final LogAnalysis analysis;

    private Recovery(LogAnalysis analysis, SegmentOptions options, WriterClaim claim) {
        this.analysis = analysis;
        for (StripeAnalysis stripe : analysis.stripes()) {
            stripes.add(new StripeRecovery(stripe, options, claim));
        }
    }

    /**
     * Recovers the log of these directories, or creates one where there is none.
     *
     * @param storages the directories, in order
     * @param claim whose they are from now on
     * @throws LogLockedException if another process is writing the log; nothing was changed
     * @throws LogDamagedException if something that was acknowledged is damaged; nothing was changed
     * @throws LogException if these are not the directories of one log; nothing was changed
     * @throws LogRefusedException.NoSpace if there is no space for the first segment
     */
    public static RecoveryResult recover(List<Storage> storages, SegmentOptions options, WriterClaim claim)
            throws IOException {
        LogAnalysis analysis = Takeover.take(storages, claim, options.skipsCovered());
        LogDamagedException damage = analysis.damage();
        if (damage != null) {
            throw damage;
        }
        Recovery recovery = new Recovery(analysis, options, claim);
        // What the directories show may not be stable if the process before died, or failed, between a rename and its
        // force. All of them, before anything is deleted: one may have gone for what another says.
        for (StripeRecovery stripe : recovery.stripes) {
            stripe.forceDirectory();
        }
        StripeAnalysis first = analysis.stripes().get(0);
        HeadFile found = analysis.head();
        // Once more: the writer before may have put one until it lost the log.
        CellsFile cells = found == null ? null : CellsFile.read(storages.get(0), found);
        HeadFile head = found == null ? null : found.withCells(cells != null);
        if (head != null && (first.isRewound() || !head.equals(found))) {
            if (first.rewinds().areToNothing()) {
                CheckpointFile.settle(
                        storages.get(0), first.rewinds().checks()); // before the head lets an opening believe in it
            }
            head.write(storages.get(0)); // it has to know of the cut before what was cut is deleted
        }
        for (StripeRecovery stripe : recovery.stripes) {
            stripe.deleteDiscards();
        }
        return head == null ? recovery.create(options.firstIndex()) : recovery.goOn(head, cells);
    }

    /** The first directory comes last: a log exists when that has its head. */
    private RecoveryResult create(long firstIndex) throws IOException {
        UUID logId = UUID.randomUUID();
        List<RecoveryResult.Stripe> created = new ArrayList<>();
        for (int i = stripes.size() - 1; i >= 0; i--) {
            created.add(0, stripes.get(i).create(logId, firstIndex));
        }
        long marked = firstIndex - 1;
        return new RecoveryResult(
                logId,
                0,
                firstIndex == 1 ? 0 : 1,
                null,
                created,
                new RecoveryReport(firstIndex, marked, marked, true, 0, "", "", "a new log"));
    }

    private RecoveryResult goOn(HeadFile head, @Nullable CellsFile cells) throws IOException {
        if (cells != null && !(cells.twice() && analysis.stripes().get(0).isClosedForGood())) {
            // What is shown must stay, and may stand in the page cache alone, or in one copy.
            cells.write(analysis.stripes().get(0).storage(), cells.place());
        }
        long markedIndex = analysis.markedIndex();
        long lastIndex = analysis.nextIndex() - 1;
        boolean news = markedIndex < lastIndex;
        for (StripeRecovery stripe : stripes) {
            stripe.makeStable(analysis.provenIndex(), lastIndex);
            news |= stripe.cutBytes() > 0;
        }
        List<RecoveryResult.Stripe> recovered = new ArrayList<>();
        for (StripeRecovery stripe : stripes) {
            recovered.add(stripe.mark(head, lastIndex, news));
        }
        return new RecoveryResult(
                head.logId(), analysis.checkpoint(), head.rewound(), cells, recovered, report(markedIndex, lastIndex));
    }

    private RecoveryReport report(long markedIndex, long lastIndex) {
        long records = lastIndex - analysis.firstIndex() + 1;
        List<String> text = new ArrayList<>();
        text.add("recovered " + records + (records == 1 ? " record" : " records")
                + (analysis.isCleanlyClosed()
                        ? " of a log that was closed in order"
                        : " of a log that was not closed"));
        if (markedIndex < lastIndex) {
            text.add((lastIndex - markedIndex) + " of them, from " + (markedIndex + 1)
                    + " on, lay behind the last watermark; they were written again and forced");
        }
        long cutBytes = 0;
        List<String> cutFiles = new ArrayList<>();
        List<String> setAside = new ArrayList<>();
        for (StripeRecovery stripe : stripes) {
            cutBytes += stripe.cutBytes();
            cutFiles.addAll(stripe.cutFiles());
            setAside.addAll(stripe.setAside());
            text.addAll(stripe.text());
        }
        for (StripeAnalysis stripe : analysis.stripes()) {
            if (!stripe.unread().isEmpty()) {
                text.add("those before " + stripe.segments().get(0).firstIndex()
                        + ", whose effect is in the checkpoint, are read and checked in the background");
            }
        }
        text.addAll(analysis.notes());
        return new RecoveryReport(
                analysis.firstIndex(),
                lastIndex,
                markedIndex,
                analysis.isCleanlyClosed(),
                cutBytes,
                String.join(", ", cutFiles),
                String.join(", ", setAside),
                String.join("\n", text));
    }
}
