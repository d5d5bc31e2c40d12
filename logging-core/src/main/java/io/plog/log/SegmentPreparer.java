package io.plog.log;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a few segments initialised ahead of the one in use, on a thread of its own, so that the log's thread finds the next
 * one ready. When there is no space it says so at once to whoever needs a segment, and tries again until there is.
 *
 * <p>It also puts away the files of segments that are complete.
 */
final class SegmentPreparer implements AutoCloseable {
    /** When segments are made. Tests have one of their own, in which threads take turns and time does not pass. */
    interface Pace {
        /** As soon as one is wanted, and twice a second while there is no space; not faster than it is needed. */
        Pace NORMAL = new Pace() {
            @Override
            public boolean isThrottled() {
                return true;
            }
        };

        /** Whether making a segment gives way to the appends that go on meanwhile. */
        default boolean isThrottled() {
            return false;
        }

        /** Called by the preparing thread before each try to make a segment; an exception is a try that failed. */
        default void beforeTry(long segment) throws IOException {}

        /** Called by the preparing thread after it has put the file of a complete segment away. */
        default void putAway() {}

        /** How long to wait after a try that failed. */
        default long retryNanos() {
            return 500_000_000;
        }
    }

    private static final long LONG_NANOS = 60_000_000_000L;

    private final SegmentFactory factory;
    private final Host host;
    private final LogListener listener;
    private final int wanted;
    private final Pace pace;
    private final Thread thread;

    // Guarded by this.
    private final Deque<SegmentHeader> ready = new ArrayDeque<>();
    private final Deque<Retired> retired = new ArrayDeque<>();
    private @Nullable OpenSegment opened; // of the first that is ready; to open a file takes longer than to force one
    private @Nullable SegmentHeader notOpened; // it was tried; the preparing thread's
    private long nextNumber;
    private long filled; // how many segments were filled
    private boolean awaited; // whether a lane waits for a segment
    private boolean opening = true;
    private @Nullable IOException failure;
    private @Nullable IOException retireFailure;
    private boolean retiring;
    private boolean givenUp;
    private boolean closed;

    private final SegmentFactory.Throttle throttle = new Preparing();
    private final SegmentDemand demand = new SegmentDemand(System.nanoTime(), 0); // the preparing thread's

    /** How much of the active segment is used, 0 to 1. */
    private volatile double used;

    /** What the log does for its preparing thread. */
    interface Host {
        /** Opens a segment, to be written to later. */
        OpenSegment open(SegmentHeader segment) throws IOException;

        /** Fails if the log is not this writer's any more; then nothing may be put into its directory. */
        void checkStillOurs() throws IOException;

        /** Something failed that makes going on unsafe. */
        void fail(Throwable cause);
    }

    /** A complete segment's file, and whether it must still be forced (where appends are not, {@code force=write}). */
    private record Retired(SegmentFile file, boolean force) {}

    /**
     * @param spares segments that are ready already, in order
     * @param nextNumber the number of the first segment to create
     * @param wanted how many to keep ready
     */
    SegmentPreparer(
            SegmentFactory factory,
            Host host,
            LogListener listener,
            List<SegmentHeader> spares,
            long nextNumber,
            int wanted,
            Pace pace) {
        this.factory = factory;
        this.host = host;
        this.listener = listener;
        this.wanted = wanted;
        this.nextNumber = nextNumber;
        this.pace = pace;
        ready.addAll(spares);
        thread = new Thread(this::run, "plog-prepare");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Waits until all that are wanted are ready, or one could not be made. */
    synchronized void awaitReady() throws InterruptedException {
        while (ready.size() < wanted && failure == null && !closed) {
            wait();
        }
        opening = false;
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
            surplus = taken.equals(opened) ? null : opened; // the preparing thread did it, too, meanwhile
            opened = null;
            ready.remove();
            filled++;
            used = 0;
            notifyAll();
        }
        if (surplus != null) {
            surplus.closeUnused();
        }
        return taken;
    }

    private OpenSegment openNow(SegmentHeader segment) throws IOException {
        try {
            return host.open(segment);
        } catch (IOException e) {
            throw refusal(e); // to open a file changes nothing
        }
    }

    private synchronized SegmentHeader awaitNext() throws IOException {
        boolean interrupted = false;
        try {
            while (ready.isEmpty()) {
                IOException cause = failure;
                if (cause != null) {
                    throw refusal(cause);
                }
                if (closed) {
                    throw new LogRefusedException.Closed("the log is closed; the record was not written");
                }
                awaited = true;
                LockSupport.unpark(thread); // it may rest
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

    /** What to tell whoever needs a segment that cannot be had. */
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
            case READ_ONLY, LASTING -> cause;
        };
    }

    /** Closes a complete segment's file in the background, after forcing it if that was not done with its appends. */
    synchronized void retire(SegmentFile file, boolean force) {
        retired.add(new Retired(file, force));
        notifyAll();
    }

    /** Waits until every retired file is forced and closed. */
    synchronized void awaitRetired() throws IOException {
        boolean interrupted = false;
        while ((retiring || !retired.isEmpty()) && retireFailure == null) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (retireFailure != null) {
            throw retireFailure;
        }
    }

    private void run() {
        while (true) {
            long number;
            synchronized (this) {
                while (retired.isEmpty() && (givenUp || ready.size() >= wanted) && !isToBeOpened() && !closed) {
                    pause(LONG_NANOS);
                }
                if (closed && retired.isEmpty()) {
                    return;
                }
                number = nextNumber;
            }
            if (!attend()) {
                prepare(number);
            }
        }
    }

    /**
     * Does what others may wait for soon: opens the next segment ahead of time, puts a complete one away.
     *
     * @return whether there was such
     */
    private boolean attend() {
        Retired files;
        SegmentHeader toOpen;
        synchronized (this) {
            files = retired.poll();
            retiring = files != null;
            toOpen = isToBeOpened() && !closed ? ready.peek() : null;
        }
        if (files != null) {
            putAway(files);
        }
        if (toOpen != null) {
            openAhead(toOpen);
        }
        return files != null || toOpen != null;
    }

    /** Called with the lock. */
    private boolean isToBeOpened() {
        return opened == null && !ready.isEmpty() && !ready.element().equals(notOpened);
    }

    private void openAhead(SegmentHeader segment) {
        OpenSegment made = null;
        try {
            made = host.open(segment);
        } catch (IOException whoeverNeedsItOpensItAndHearsWhyItCannotBe) {
            notOpened = segment;
        }
        synchronized (this) {
            if (opened == null && segment.equals(ready.peek())) { // else it was taken meanwhile
                opened = made;
                return;
            }
        }
        if (made != null) {
            made.closeUnused();
        }
    }

    private void putAway(Retired file) {
        IOException problem = null;
        try {
            if (file.force()) {
                file.file().forceData();
            }
        } catch (IOException e) {
            problem = e;
        }
        try {
            file.file().close();
        } catch (IOException ignored) {
            // Everything in the file was forced before; closing makes nothing stable and can lose nothing.
        }
        synchronized (this) {
            retiring = false;
            if (problem != null && retireFailure == null) {
                retireFailure = problem;
            }
            notifyAll();
        }
        pace.putAway();
    }

    private void prepare(long number) {
        long begin = System.nanoTime();
        try {
            pace.beforeTry(number);
            attend(); // a new segment can wait
            SegmentHeader made = factory.create(number, throttle);
            synchronized (this) {
                ready.add(made);
                nextNumber++;
                failure = null;
                notifyAll();
            }
            listener.segmentPrepared(number, System.nanoTime() - begin);
        } catch (Throwable e) {
            // Also what should not happen: whoever needs a segment must hear of it and not wait for ever.
            IOException known = e instanceof IOException io ? io : new IOException(e.toString(), e);
            boolean first;
            synchronized (this) {
                first = failure == null;
                failure = known;
                givenUp = !isPassing(known); // to try again might succeed, and prove nothing
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
    }

    private static boolean isPassing(IOException failure) {
        DiskErrors.Kind kind = DiskErrors.kindOf(failure);
        return kind == DiskErrors.Kind.NO_SPACE || kind == DiskErrors.Kind.SHORTAGE;
    }

    /** Makes a segment as fast as it goes, or gives way; and puts nothing into a directory that is another's now. */
    private final class Preparing implements SegmentFactory.Throttle {
        @Override
        public void afterPart(double part, long nanos) {
            if (pace.isThrottled()) {
                giveWay(part, nanos);
            }
        }

        @Override
        public void beforeNaming() throws IOException {
            host.checkStillOurs();
        }
    }

    /** Rests between two parts of a segment. */
    private void giveWay(double part, long nanos) {
        double segmentsReady;
        synchronized (this) {
            if (opening || awaited || closed) {
                return;
            }
            segmentsReady = ready.size() + 1 - used;
            demand.observe(System.nanoTime(), filled + used);
        }
        LockSupport.parkNanos(demand.restNanos(segmentsReady, part, nanos));
        attend();
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

    /** Waits to be notified. The thread is private; should somebody interrupt it, that only makes it look again. */
    @SuppressWarnings("WaitNotInLoop") // every caller looks again in a loop of its own
    private synchronized void pause(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        } catch (InterruptedException e) {
            return;
        }
    }

    /** Stops the thread after what it is doing; waits for it. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        ThreadJoin.join(thread);
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
