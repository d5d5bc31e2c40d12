package io.plog.log.segment;

import io.plog.log.file.DiskErrors;
import io.plog.log.file.Rewind;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.LogRefusedException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a few segments initialised ahead of the one in use, on a thread of its own, so that a lane finds the next one ready.
 * When there is no space, {@link #take} fails at once, and this thread tries again until there is.
 *
 * <p>Segments that were dropped are used again before new ones are made. The same thread closes the files of complete
 * segments.
 */
public final class SegmentPreparer {
    private static final long LONG_NANOS = 60_000_000_000L;

    private final SegmentFactory factory;
    private final Host host;
    private final SegmentListener listener;
    private final int wanted;
    private final PreparingPace pace;
    private final RetiredFiles retired = new RetiredFiles();
    private final DroppedSegments dropped;
    private final WorkThread thread;

    // Guarded by this.
    private final Deque<SegmentHeader> ready = new ArrayDeque<>();
    private @Nullable OpenSegment opened; // the first that is ready; opening takes longer than a force
    private @Nullable SegmentHeader notOpened; // opening it ahead failed for good; of the preparing thread, as the next
    private boolean openingFailed; // and is tried again
    private long nextNumber;
    private long filled; // how many segments were filled
    private final QuietTime quiet = new QuietTime(System.nanoTime());
    private boolean awaited; // whether a lane waits for a segment
    private boolean opening = true;
    private @Nullable IOException failure;
    private boolean givenUp;
    private boolean closed;

    private final SegmentFactory.Throttle throttle = new Preparing();
    private final SegmentDemand demand = new SegmentDemand(System.nanoTime(), 0); // the preparing thread's

    /** How much of the active segment is used, 0 to 1. */
    private volatile double used;

    /** What the log does for its preparing thread. */
    public interface Host {
        /** Opens a segment for later writes. */
        OpenSegment open(SegmentHeader segment) throws IOException;

        /**
         * Checks that this writer still owns the log. If it does not, nothing may be added to the directory.
         *
         * @throws IOException if it does not, or if that cannot be determined
         */
        void checkStillOurs() throws IOException;

        /** Fails the log for good. */
        void fail(Throwable cause);
    }

    /**
     * @param spares segments that are ready already, in order
     * @param nextNumber the number of the first segment to create
     * @param wanted how many to keep ready
     */
    public SegmentPreparer(
            SegmentFactory factory,
            Host host,
            SegmentListener listener,
            List<SegmentHeader> spares,
            long nextNumber,
            int wanted,
            PreparingPace pace) {
        this.factory = factory;
        this.host = host;
        this.listener = listener;
        this.wanted = wanted;
        this.nextNumber = nextNumber;
        this.pace = pace;
        this.dropped = new DroppedSegments(factory, wanted);
        ready.addAll(spares);
        thread = pace.newThread("plog-prepare");
    }

    public void start() {
        thread.start(this::run);
    }

    /** Waits until all wanted segments are ready, or one could not be made. */
    public synchronized void awaitReady() throws InterruptedException {
        while (!isReserveReady() && failure == null && !closed) {
            wait();
        }
        opening = false;
    }

    public synchronized long readyBytes() {
        return ready.stream().mapToLong(SegmentHeader::segmentBytes).sum();
    }

    /** By bytes, because segments that an earlier start left behind may be smaller or larger. Called with the lock. */
    private boolean isReserveReady() {
        return readyBytes() >= factory.sizes().reserveBytes(wanted);
    }

    /** Says how much of the active segment is used, 0 to 1. For the leading lane. */
    void used(double part) {
        used = part;
    }

    /**
     * The next segment; waits while one is being made.
     *
     * @throws LogRefusedException.NoSpace at once, if there was no space at the last try to make one; nothing was changed
     * @throws LogRefusedException.Shortage if there were not enough open files, or the like; nothing was changed
     * @throws IOException if it can be neither made nor opened
     */
    OpenSegment take() throws IOException {
        SegmentHeader segment;
        OpenSegment already;
        synchronized (this) {
            segment = awaitNext();
            already = opened;
        }
        OpenSegment taken = already != null ? already : openNow(segment);
        OpenSegment surplus;
        synchronized (this) {
            surplus = taken.equals(opened) ? null : opened; // the preparing thread opened it meanwhile, too
            opened = null;
            ready.remove();
            filled++;
            used = 0;
            quiet.begin(System.nanoTime());
            wakeUp();
        }
        if (surplus != null) {
            surplus.closeUnused();
        }
        return taken;
    }

    /**
     * The next segment, as {@link #take} gives it, made one that {@linkplain Rewind rewinds} the log: when this returns, its header and
     * its name are stable. If this fails otherwise than with a refusal, it is unknown whether the log was rewound.
     *
     * <p>What an earlier use left in a segment has lower indexes than the log will ever have again; an opening that finds no header
     * relies on it. So if the log is emptied, and may go on with a lower index, it does not go on in a segment that is ready.
     *
     * @param passed receives the segments that the log passes over
     */
    OpenSegment takeRewinding(Rewind rewind, List<SegmentHeader> passed) throws IOException {
        OpenSegment spare = take();
        spare.closeUnused();
        if (rewind.isToNothing()) {
            dropped.forget();
            int more;
            synchronized (this) {
                more = ready.size();
            }
            for (; more > 0; more--) {
                passed.add(spare.header());
                spare = take();
                spare.closeUnused();
            }
        }
        SegmentHeader header = spare.header();
        return host.open(factory.useAgain(factory.setAside(header), header.segment(), rewind, throttle));
    }

    /** How large segments are. */
    SegmentSizes sizes() {
        return factory.sizes();
    }

    /** The next segment, if it can be had at once. */
    @Nullable
    OpenSegment takeIfReady() {
        synchronized (this) {
            if (ready.isEmpty() || retired.isFull()) {
                return null;
            }
        }
        try {
            return take();
        } catch (IOException itIsTriedAgainAndReported) {
            return null;
        }
    }

    /** What is left of the {@link QuietTime}; 0 or less if a lane may have to wait for a segment. For any thread. */
    synchronized long quietNanos() {
        boolean hasReserve = !ready.isEmpty() && !closed;
        return hasReserve && pace.isThrottled() ? quiet.left(System.nanoTime()) : 0;
    }

    private OpenSegment openNow(SegmentHeader segment) throws IOException {
        try {
            return host.open(segment);
        } catch (NoSuchFileException gone) {
            host.checkStillOurs(); // says it if the whole directory is gone
            throw gone;
        } catch (IOException e) {
            throw refusal(e); // to open a file changes nothing
        }
    }

    private synchronized SegmentHeader awaitNext() throws IOException {
        boolean interrupted = false;
        try {
            while (ready.isEmpty() || retired.isFull()) {
                IOException cause = failure;
                if (cause != null && ready.isEmpty()) {
                    throw refusal(cause);
                }
                if (closed && ready.isEmpty()) {
                    throw new LogRefusedException.Closed("the log is closed; the record was not written");
                }
                awaited = true;
                thread.unpark(); // it may rest
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return ready.element();
        } finally {
            awaited = false;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The exception for a lane that needs a segment that could not be made. */
    private static IOException refusal(IOException cause) {
        return switch (DiskErrors.kindOf(cause)) {
            case NO_SPACE ->
                new LogRefusedException.NoSpace(
                        "no space for the next segment of the log (" + cause.getMessage()
                                + "); nothing was written. What is in the log is safe, and appends are accepted again"
                                + " when there is space",
                        cause);
            case SHORTAGE ->
                new LogRefusedException.Shortage(
                        "the next segment of the log cannot be had at present (" + cause.getMessage()
                                + "); nothing was written. What is in the log is safe, and appends are accepted again"
                                + " when the process, or the machine, has what it lacks",
                        cause);
            case DENIED ->
                new LogRefusedException.NoSpace(
                        "the next segment of the log cannot be made at present (" + cause.getMessage()
                                + "); nothing was written. What is in the log is safe, and appends are accepted again"
                                + " when the directory is writable",
                        cause);
            case READ_ONLY, LASTING -> cause;
        };
    }

    /**
     * Takes segments that were dropped out of the log, to be used again or to be deleted. For one thread at a time.
     *
     * @param segments the head that says that they were dropped is stable
     * @param mayBeUsedAgain whether no record in them has an index that the log has yet to reach
     */
    void drop(List<SegmentHeader> segments, boolean mayBeUsedAgain) throws IOException {
        dropped.add(segments, mayBeUsedAgain);
        if (pace.nanosBetweenDeletions() == 0) {
            while (dropped.hasSurplus()) {
                dropped.deleteOne();
            }
        }
        wakeUp();
    }

    /** Has a complete segment's file closed on the preparing thread; if {@code force} is set, forced before. */
    void retire(SegmentFile file, boolean force) {
        retired.add(file, force);
        wakeUp();
    }

    private synchronized void wakeUp() {
        notifyAll();
        if (thread.isShared()) {
            thread.unpark();
        }
    }

    /**
     * Waits until every retired file is forced and closed. An interrupt does not end the wait.
     *
     * @throws IOException if a force failed
     */
    public void awaitRetired() throws IOException {
        retired.await();
    }

    private void run() {
        while (true) {
            synchronized (this) {
                for (long left = quietNanos(); left > 0 || isAtRest(); left = quietNanos()) {
                    if (left <= 0 && thread.isShared()) {
                        return;
                    }
                    pause(left > 0 ? left : LONG_NANOS);
                }
                if (closed && retired.isEmpty()) {
                    break;
                }
            }
            try {
                work();
            } catch (OutOfMemoryError passes) { // even for saying so
                LockSupport.parkNanos(this, WorkThread.SHORTAGE_NANOS);
            }
        }
        closeUnused();
        deleteDropped();
        thread.end();
    }

    private void work() {
        try {
            if (!attend()) {
                prepareOrDelete();
            }
        } catch (Throwable e) {
            failed(e);
        }
    }

    /** Called with the lock. */
    private boolean isAtRest() {
        return isIdle() && !dropped.hasSurplus() && !closed;
    }

    /** Whether no lane may have to wait for what this thread has to do. Called with the lock. */
    private boolean isIdle() {
        return retired.isEmpty() && (givenUp || isReserveReady()) && !isToBeOpened();
    }

    private void prepareOrDelete() {
        boolean deletes;
        synchronized (this) {
            deletes = (isIdle() || failure != null) && dropped.hasSurplus(); // if there was no space, it gives some
        }
        if (deletes) {
            dropped.deleteOne();
            restAfterDeletion();
        } else {
            prepare();
        }
    }

    private synchronized void restAfterDeletion() {
        if (isIdle() && !closed && dropped.hasSurplus()) {
            pause(pace.nanosBetweenDeletions());
        }
    }

    /** The next start would do it, too; but the space should be free before that. */
    private void deleteDropped() {
        dropped.close();
        try {
            host.checkStillOurs();
        } catch (IOException theNextWriterDoesIt) {
            return;
        }
        while (dropped.hasSurplus()) {
            dropped.deleteOne();
        }
    }

    /**
     * Does the work that a lane may wait for: closes the file of a complete segment, opens the next segment ahead of
     * time. On the preparing thread, or instead of it.
     *
     * @return whether there was such work
     */
    public boolean attend() {
        boolean found = retired.putNextAway();
        if (found) {
            pace.putAway();
        }
        SegmentHeader toOpen;
        synchronized (this) {
            toOpen = isToBeOpened() && !closed ? ready.peek() : null;
            notifyAll(); // a lane may wait until fewer are left to be put away
        }
        if (toOpen != null) {
            openAhead(toOpen);
        }
        return found || toOpen != null;
    }

    /** Called with the lock. */
    private boolean isToBeOpened() {
        return opened == null && !ready.isEmpty() && !ready.element().equals(notOpened);
    }

    private void openAhead(SegmentHeader segment) {
        long begin = System.nanoTime();
        OpenSegment made;
        try {
            made = host.open(segment);
        } catch (IOException e) {
            if (isPassing(e)) { // reported here, since whoever knows of it may append nothing more
                openingFailed = true;
                failed(e);
            } else {
                notOpened = segment; // take() tries again, and reports
            }
            return;
        }
        if (openingFailed) {
            openingFailed = false;
            succeeded(segment.segment(), begin);
        }
        synchronized (this) {
            if (opened == null && segment.equals(ready.peek())) { // else it was taken meanwhile
                opened = made;
                return;
            }
        }
        made.closeUnused();
    }

    private void succeeded(long number, long begin) {
        synchronized (this) {
            failure = null;
            notifyAll();
        }
        listener.segmentPrepared(number, System.nanoTime() - begin);
    }

    /**
     * Makes the next segment, on the preparing thread, or instead of it: two threads would make the same one.
     *
     * @return whether there is one more
     */
    public boolean prepare() {
        long number;
        synchronized (this) {
            number = nextNumber;
        }
        long begin = System.nanoTime();
        try {
            pace.beforeTry(number);
            attend(); // more urgent than a new segment
            SegmentHeader made = make(number);
            synchronized (this) {
                ready.add(made);
                nextNumber++;
            }
            succeeded(number, begin);
            return true;
        } catch (Throwable e) {
            failed(e);
            return false;
        }
    }

    /** Includes what should not happen: a lane that waits for a segment must be woken, or it waits for ever. */
    private void failed(Throwable e) {
        IOException known = e instanceof IOException io ? io : new IOException(e.toString(), e);
        boolean first;
        synchronized (this) {
            first = failure == null;
            failure = known;
            givenUp = !isPassing(known); // a second try may succeed without proving anything
            notifyAll();
        }
        if (!isPassing(known)) {
            host.fail(e);
            return;
        }
        if (first) {
            listener.segmentNotPrepared(e);
        }
        pauseBeforeRetry();
    }

    private SegmentHeader make(long number) throws IOException {
        SegmentFactory.Dropped old = dropped.poll();
        if (old != null && !factory.sizes().isFit(old.bytes())) { // the log has grown since
            factory.delete(old);
            old = null;
        }
        return old == null ? factory.create(number, null, throttle) : factory.useAgain(old, number, null, throttle);
    }

    private static boolean isPassing(IOException failure) {
        return switch (DiskErrors.kindOf(failure)) {
            case NO_SPACE, SHORTAGE, DENIED -> true;
            case READ_ONLY, LASTING -> false;
        };
    }

    /** Yields to appends if the pace says so, and checks the ownership before a segment gets its name. */
    private final class Preparing implements SegmentFactory.Throttle {
        @Override
        public boolean afterPart(double part, long nanos) {
            return !pace.isThrottled() || !giveWay(part, nanos);
        }

        @Override
        public void beforeNaming() throws IOException {
            host.checkStillOurs();
        }
    }

    /** Rests between two parts of a segment, so that appends get the disk. False if there is no time for that. */
    private boolean giveWay(double part, long nanos) {
        double segmentsReady;
        synchronized (this) {
            if (opening || awaited || closed) {
                return false;
            }
            segmentsReady = ready.size() + 1 - used;
            demand.observe(System.nanoTime(), filled + used);
        }
        long rest = demand.restNanos(segmentsReady, part, nanos);
        LockSupport.parkNanos(rest);
        attend();
        return rest > 0;
    }

    private synchronized void pauseBeforeRetry() {
        long deadline = System.nanoTime() + pace.retryNanos();
        while (!closed && retired.isEmpty()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return;
            }
            pause(left);
        }
    }

    /** Waits to be notified. An interrupt only ends the wait early. */
    @SuppressWarnings("WaitNotInLoop") // every caller looks again in a loop of its own
    private synchronized void pause(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        } catch (InterruptedException e) {
            return;
        }
    }

    /** Lets the thread end after what it is doing, and after it has put away what was retired. Returns at once. */
    public synchronized void stop() {
        closed = true;
        wakeUp();
    }

    /**
     * Waits until the thread has ended, at most so many nanoseconds. An interrupt does not end the wait and stays set.
     *
     * @return whether it has ended, or was never started
     */
    public boolean join(long nanos) {
        return thread.join(nanos);
    }

    private void closeUnused() {
        OpenSegment unused;
        synchronized (this) {
            unused = opened;
            opened = null;
        }
        if (unused != null) {
            unused.closeUnused();
        }
    }
}
