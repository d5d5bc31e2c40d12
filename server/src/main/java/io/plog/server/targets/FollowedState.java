package io.plog.server.targets;

import io.plog.log.DurableLog;
import io.plog.log.LogReader;
import io.plog.log.spi.LogFollower;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.options.ServerStartException;
import io.plog.server.state.TargetState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of a target as a standby makes it while another server writes the log: so a takeover has only the rest to replay. A thread of
 * its own looks for more several times a second, and each second at rest. What goes wrong is reported once and tried again; a takeover
 * never waits for it, and makes the state from the log alone if there is nothing of use. For any thread.
 */
public final class FollowedState {
    private static final long LEAST_PAUSE_MILLIS = 200;
    private static final long MOST_PAUSE_MILLIS = 1_000;

    /** After something went wrong: the service may have failed, and would fail again. */
    private static final long MOST_PAUSE_AFTER_FAILURES_MILLIS = 60_000;

    /**
     * What a takeover continues with.
     *
     * @param lastIndex the last record whose effect the state has
     * @param bytes of the records behind the log's checkpoint, about
     */
    record Followed(TargetState state, long lastIndex, long bytes) {}

    private final String target;
    private final LogFollower log;
    private final Supplier<TargetState> first;
    private final ServerNotices notices;
    private final Thread thread;

    // Written under this, so that nothing is applied to a state that was taken.
    private volatile @Nullable TargetState state; // null while there is nothing of use
    private volatile long lastIndex; // whose effect it has
    private long bytes; // followed since the checkpoint
    private volatile boolean ended;

    // Of the thread.
    private long checkpointIndex;
    private @Nullable String problem;

    /** @param first makes a machine in its first state */
    public FollowedState(String target, LogFollower log, Supplier<TargetState> first, ServerNotices notices) {
        this.target = target;
        this.log = log;
        this.first = first;
        this.notices = notices;
        // It inherits the class loader that finds the log's engine, see LogEngines.
        this.thread = new Thread(this::work, "plog-follower-" + target);
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Ends it. Does not wait. */
    public void end() {
        ended = true;
        thread.interrupt();
    }

    /** Whether it was ended, or its state was taken. */
    public boolean hasEnded() {
        return ended;
    }

    /** How far it is, a part of a sentence; "" while there is nothing of use. Does not wait. */
    String progress() {
        long last = lastIndex;
        return state == null
                ? ""
                : "; applied here up to record " + last + " of " + Math.max(last, log.confirmedIndex());
    }

    /** How many records are known to be in the log and not applied here; NaN while there is nothing of use. Does not wait. */
    double recordsBehind() {
        return state == null ? Double.NaN : Math.max(0, log.confirmedIndex() - lastIndex);
    }

    /** Ends it, and hands the state over if it is that of the log's beginning. Waits for the record that is being applied. */
    @Nullable
    synchronized Followed take(DurableLog opened) {
        end();
        TargetState made = state;
        state = null;
        if (made == null) {
            return null;
        }
        if (!log.isBeginningOf(opened, lastIndex)) {
            notices.say("target " + target + ": what this standby followed up to record " + lastIndex
                    + " is of no use for the log that it took over; it makes the state from the log alone");
            return null;
        }
        return new Followed(made, lastIndex, bytes);
    }

    // ---- The thread ----

    private void work() {
        long pause = LEAST_PAUSE_MILLIS;
        while (!ended) {
            try {
                pause = follow() ? LEAST_PAUSE_MILLIS : Math.min(2 * pause, MOST_PAUSE_MILLIS);
                problem = null;
            } catch (LogFollower.StartAnewException | LogReader.RecordsDroppedException e) {
                discard();
            } catch (ServerStartException | RuntimeException | Error e) {
                discard();
                failed(e instanceof ServerStartException ? e.getMessage() : e.toString());
                pause = Math.min(2 * Math.max(pause, MOST_PAUSE_MILLIS), MOST_PAUSE_AFTER_FAILURES_MILLIS);
            } catch (IOException e) {
                failed(e.getMessage());
                disconnect();
                pause = MOST_PAUSE_MILLIS;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(pause);
            } catch (InterruptedException e) {
                break; // it has ended
            }
        }
        discard();
        Thread.interrupted(); // the connection is to be given up all the same
        disconnect();
    }

    /** Returns whether there was more. */
    private boolean follow() throws IOException {
        if (state == null) {
            begin();
        }
        boolean more = false;
        try (LogReader reader = log.read(lastIndex + 1)) {
            noteCheckpoint(log.checkpointIndex());
            while (reader.next() && apply(reader)) {
                more = true;
            }
        }
        return more;
    }

    private void begin() throws IOException {
        LogFollower.Beginning beginning = log.begin();
        TargetState made = first.get();
        long from = StateRecovery.begin(target, made, beginning.checkpoint(), beginning.firstIndex());
        noteCheckpoint(log.checkpointIndex());
        synchronized (this) {
            lastIndex = from - 1;
            state = ended ? null : made;
        }
    }

    private synchronized void noteCheckpoint(long index) {
        if (index != checkpointIndex || state == null) {
            checkpointIndex = index;
            bytes = 0;
        }
    }

    /** Returns false if it has ended. */
    private synchronized boolean apply(LogReader reader) throws ServerStartException {
        TargetState made = state;
        if (ended || made == null) {
            return false;
        }
        ByteBuffer record = reader.payload();
        boolean applied = false;
        try {
            StateRecovery.replay(target, made, reader.index(), record);
            applied = true;
        } finally {
            if (!applied) {
                state = null; // it may be half changed, and a takeover may come before this thread continues
            }
        }
        bytes += record.remaining();
        lastIndex = reader.index();
        return true;
    }

    private synchronized void discard() {
        state = null;
    }

    private void failed(@Nullable String why) {
        if (!ended && !Objects.equals(why, problem)) {
            problem = why;
            notices.say("target " + target + ": this standby cannot follow its log (" + why
                    + "), and tries again; until then a takeover has more to replay");
        }
    }

    private void disconnect() {
        try {
            log.close();
        } catch (IOException e) {
            // the next call makes another connection
        }
    }
}
