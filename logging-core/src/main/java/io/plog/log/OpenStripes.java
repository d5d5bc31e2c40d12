package io.plog.log;

import io.plog.log.file.DiskErrors;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.WriterClaim;
import io.plog.log.segment.CoveredRecordsCheck;
import io.plog.log.segment.OpenSegment;
import io.plog.log.segment.PreparingPace;
import io.plog.log.segment.RecoveryResult;
import io.plog.log.segment.SegmentChain;
import io.plog.log.segment.SegmentClaims;
import io.plog.log.segment.SegmentFactory;
import io.plog.log.segment.SegmentLinks;
import io.plog.log.segment.SegmentListener;
import io.plog.log.segment.SegmentOptions;
import io.plog.log.segment.SegmentPreparer;
import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The directories of an open log: storage, lock, segments and preparing thread of each, in order. */
final class OpenStripes {
    private final List<Storage> storages;
    private final List<Closeable> locks;
    private final List<SegmentPreparer> preparers = new ArrayList<>();
    private final List<SegmentChain> chains = new ArrayList<>();
    private final List<CoveredRecordsCheck> checks = new ArrayList<>();
    private int released; // how many directories were released

    /**
     * Opens the active segment of each directory. Starts no thread.
     *
     * @param locks a held lock for each storage
     * @param reserve how many segments are kept ready
     * @param fail fails the log for good; called by the preparing threads
     * @throws IOException if a segment cannot be opened; the others are closed then, storages and locks are not
     */
    OpenStripes(
            List<Storage> storages,
            List<Closeable> locks,
            SegmentOptions options,
            int reserve,
            RecoveryResult log,
            WriterClaim claim,
            SegmentListener listener,
            PreparingPace pace,
            Consumer<Throwable> fail)
            throws IOException {
        this.storages = storages;
        this.locks = locks;
        try {
            for (int i = 0; i < storages.size(); i++) {
                Storage storage = storages.get(i);
                RecoveryResult.Stripe found = log.stripes().get(i);
                SegmentFactory factory = new SegmentFactory(storage, log.logId(), found.id(), options.sizes(), claim);
                SegmentClaims claims = new SegmentClaims(storage, claim);
                long nextSegment = found.active().segment() + found.spares().size() + 1;
                SegmentPreparer.Host host = hostOf(storage, claims, options, fail);
                SegmentPreparer preparer =
                        new SegmentPreparer(factory, host, listener, found.spares(), nextSegment, reserve, pace);
                preparers.add(preparer);
                SegmentChain chain = new SegmentChain(storage, claims, options, listener, preparer, found);
                chains.add(chain);
                checks.add(new CoveredRecordsCheck(
                        storage,
                        number -> chain.links().byNumber().containsKey(number),
                        found.unchecked(),
                        log.checkpoint(),
                        listener,
                        problem -> fail.accept(reasonOf(problem)),
                        CoveredRecordsCheck.RETRY_NANOS));
            }
        } catch (Throwable t) {
            chains.forEach(SegmentChain::abandon);
            throw t;
        }
    }

    /** What looks damaged may be the work of another writer, who has taken the log over and uses the files. */
    private Throwable reasonOf(Throwable problem) {
        try {
            checkStillOurs();
            return problem;
        } catch (IOException lost) {
            if (DiskErrors.kindOf(lost) == DiskErrors.Kind.SHORTAGE) { // this look itself needs a free file descriptor
                return problem;
            }
            lost.addSuppressed(problem);
            return lost;
        }
    }

    private SegmentPreparer.Host hostOf(
            Storage storage, SegmentClaims claims, SegmentOptions options, Consumer<Throwable> fail) {
        return new SegmentPreparer.Host() {
            @Override
            public OpenSegment open(SegmentHeader segment) throws IOException {
                return OpenSegment.open(storage, claims, options, segment);
            }

            @Override
            public void checkStillOurs() throws IOException {
                OpenStripes.this.checkStillOurs();
            }

            @Override
            public void fail(Throwable cause) {
                fail.accept(cause);
            }
        };
    }

    List<Storage> storages() {
        return storages;
    }

    List<SegmentChain> chains() {
        return chains;
    }

    /**
     * Checks that this writer still owns all directories, and that they are still the ones that were opened.
     *
     * @throws IOException if that is not so, or cannot be determined
     */
    void checkStillOurs() throws IOException {
        for (SegmentChain chain : chains) {
            chain.checkStillOurs();
        }
    }

    /**
     * Checks that every segment still has its full length.
     *
     * @throws IOException if that is not so, or cannot be determined
     */
    void checkLengths() throws IOException {
        for (SegmentChain chain : chains) {
            chain.checkLengths();
        }
    }

    /** Starts the preparing threads and waits for their first segments. An interrupt ends the wait and stays set. */
    void startPreparing() {
        preparers.forEach(SegmentPreparer::start);
        try {
            for (SegmentPreparer preparer : preparers) {
                preparer.awaitReady();
            }
        } catch (InterruptedException e) {
            // The segments get ready all the same; the interrupt is for the caller to handle.
            Thread.currentThread().interrupt();
        }
    }

    /** Those that check what the opening left unread, one for each directory. */
    List<CoveredRecordsCheck> checks() {
        return checks;
    }

    /** Ends the checks of what the opening left unread, as {@link #endPreparing}. */
    boolean endChecks(BoundedClose end) {
        boolean ended = true;
        checks.forEach(CoveredRecordsCheck::stop);
        for (CoveredRecordsCheck check : checks) {
            ended &= end.ended(check::join);
        }
        return ended;
    }

    /** The bytes of the segments that were not read since the log was opened. */
    long uncheckedBytes() {
        return checks.stream().mapToLong(CoveredRecordsCheck::uncheckedBytes).sum();
    }

    /** Ends the preparing threads, within the bounds of {@code end}; returns whether all of them ended. */
    boolean endPreparing(BoundedClose end) {
        boolean ended = true;
        preparers.forEach(SegmentPreparer::stop);
        for (SegmentPreparer preparer : preparers) {
            ended &= end.ended(preparer::join);
        }
        return ended;
    }

    long reserveBytes() {
        return preparers.stream().mapToLong(SegmentPreparer::readyBytes).sum();
    }

    /** The bytes that the segments in use take on the disk, prepared ones not counted. */
    long sizeBytes() {
        return chains.stream().mapToLong(chain -> chain.links().bytes()).sum();
    }

    /** The index with which each segment in use begins, in order. */
    List<Long> segmentFirstIndexes() {
        return chains.stream()
                .flatMap(chain -> chain.links().byNumber().values().stream())
                .map(SegmentLinks.Link::firstIndex)
                .sorted()
                .toList();
    }

    /**
     * Releases the directories: claims, locks and storages. If this throws, call it again: it continues where it stopped.
     *
     * @param intact whether the log did not fail; after a failure nothing more is written
     * @return what failed
     */
    List<IOException> release(boolean intact) {
        List<IOException> problems = new ArrayList<>();
        for (; released < storages.size(); released++) {
            Closeable claim = intact ? chains.get(released)::release : () -> {};
            List<Closeable> steps = List.of(claim, locks.get(released), storages.get(released));
            for (Closeable step : steps) { // each, or a claim that cannot be released would keep the lock
                try {
                    step.close();
                } catch (IOException e) {
                    problems.add(e);
                }
            }
        }
        return problems;
    }
}
