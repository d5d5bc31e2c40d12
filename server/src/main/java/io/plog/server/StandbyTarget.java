package io.plog.server;

import io.plog.log.LogDamagedException;
import io.plog.log.LogException;
import io.plog.log.LogFailedException;
import io.plog.log.LogLockedException;
import io.plog.log.spi.DurableLogProvider;
import io.plog.log.spi.HolderElection;
import io.plog.log.spi.LogFollower;
import io.plog.server.options.LogPlace;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.Service;
import io.plog.server.state.TargetState;
import io.plog.server.targets.DurableRecordLog;
import io.plog.server.targets.FollowedState;
import io.plog.server.targets.RecordLog;
import io.plog.server.targets.ReplayReport;
import io.plog.server.targets.StandbyLog;
import io.plog.server.targets.TakeoverReport;
import io.plog.server.targets.Target;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One target whose log others keep: waits in the queue for the log until its turn comes, takes the log over, serves it until it is lost,
 * and waits again. All of it on a thread of its own. A server that is no standby does the same in a {@link QueueOfOne}, and begins with
 * an open log.
 *
 * <p>The queue may be wrong about whose turn it is. The log is not: opening it fences the writer before, and of two that open it at
 * the same time one is refused.
 */
final class StandbyTarget {
    /** How often it looks who holds the log. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** Between an attempt that failed and the next, which is made from the end of the queue. */
    private static final long PAUSE_SECONDS = 1;

    private final int id;
    private final TargetOptions options;
    private final String where;
    private final String service;
    private final String memory;
    private final HolderElection election;
    private final StandbyTargets host;
    private final @Nullable StandbyTarget before;
    private final AtomicInteger left;
    private final CountDownLatch turn = new CountDownLatch(1); // its first one
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch leaving = new CountDownLatch(1);
    private final Thread thread;
    private boolean interruptible; // guarded by this: while machines that do not answer may keep it for long

    // The next are of the thread.
    private @Nullable StandbyLog standby; // what the target has while it waits; null in a queue of one
    private @Nullable DurableRecordLog open; // what it began with
    private @Nullable FollowedState followed; // while it waits
    private boolean hadTurn;
    private String lastHolder = "";
    private String lastProblem = "";

    /**
     * Takes the place of a target that waits, or looks after one that has its log and is not to wait for it.
     *
     * @param before whose turn is to come first, see {@link #letsOthersGoFirst}
     * @param left how many targets of this server did not give up
     */
    StandbyTarget(
            StandbyTargets.Prepared prepared, StandbyTargets host, @Nullable StandbyTarget before, AtomicInteger left) {
        this.id = prepared.id();
        this.options = prepared.options();
        this.where = prepared.address().toString();
        Service executes = options.service().get();
        this.service = executes.name();
        this.memory = host.memory().bounds().common();
        this.election = prepared.election() == null ? new QueueOfOne() : prepared.election();
        this.standby = prepared.standby();
        this.open = prepared.open();
        this.host = host;
        this.before = before;
        this.left = left;
        // It inherits the class loader that finds the log's engine, see LogEngines.
        this.thread = new Thread(this::work, "plog-standby-" + options.name());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Takes no log over from now on. A log that is served stays its server's until {@link #leave}. */
    synchronized void stop() {
        closing.countDown();
        if (interruptible) {
            thread.interrupt();
        }
    }

    /** Leaves the queue, and waits until that is done. The log must be closed: the next one's turn comes at once. */
    void leave() throws InterruptedException {
        closing.countDown();
        leaving.countDown();
        thread.join();
    }

    private void work() {
        try {
            while (!isClosing()) {
                if (!waitAndServe()) {
                    closing.await(PAUSE_SECONDS, TimeUnit.SECONDS);
                }
            }
        } catch (InterruptedException e) {
            // the server is closing, and the place in the queue was given up
        } catch (IOException | RuntimeException e) {
            if (!isClosing()) {
                givenUp(e);
            }
        } finally {
            FollowedState state = followed;
            if (state != null) {
                state.end();
            }
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    /** Trying again would not help. */
    private void givenUp(Exception why) {
        String known = why instanceof IOException ? why.getMessage() : null;
        String sentence = known != null ? known : "target " + options.name() + " cannot wait for its log: " + why;
        RecordLog present = host.targets().all().get(id).log();
        if (standby == null && present instanceof DurableRecordLog lost) {
            lost.lost(sentence, why instanceof LogLockedException);
        } else if (left.decrementAndGet() > 0) {
            waitsBecause("it cannot serve its log (" + sentence + ")");
            host.notices().say(sentence + ". Target " + options.name() + " is not served here; the others are");
        } else {
            host.failed(known != null ? (IOException) why : new IOException(sentence, why));
        }
    }

    private void waitsBecause(String why) {
        StandbyLog waiting = standby;
        if (waiting != null) {
            waiting.because(why);
        }
    }

    /** Once through the queue; returns whether that worked. */
    private boolean waitAndServe() throws IOException, InterruptedException {
        if (!mayWait()) {
            return true;
        }
        long joined = System.nanoTime();
        HolderElection.Place mine = join();
        if (mine == null) {
            return false;
        }
        try (mine) {
            DurableRecordLog has = open;
            if (has != null) {
                open = null;
                serve(mine, has);
                return true;
            }
            if (!awaitTurn(mine) || letsOthersGoFirst(mine)) {
                return true;
            }
            turn.countDown();
            long began = System.nanoTime();
            DurableRecordLog log = takeOver();
            if (log == null) {
                return false;
            }
            log.servesWhile(mine::isSurelyFirst);
            if (takeItsPlace(log, joined, began)) {
                serve(mine, log);
            }
            return true;
        }
    }

    // ---- Waiting ----

    /** The address may be wrong, or what keeps the queue not started yet: only who started this server can tell. */
    private HolderElection.@Nullable Place join() throws IOException {
        try {
            return election.join(host.self() + " " + service + " " + memory, host.notice());
        } catch (LogException e) {
            tryAgain("cannot wait for its log", e);
            return null;
        }
    }

    private boolean awaitTurn(HolderElection.Place place) throws IOException, InterruptedException {
        boolean turn = place.awaitTurn(Duration.ZERO);
        while (!turn && !isClosing()) {
            heldBy(place.holder(), place.notice());
            follow();
            turn = place.awaitTurn(LOOK);
        }
        return turn && !isClosing();
    }

    /** Applies what the holder logs, so that a takeover has little left to replay. */
    private void follow() throws IOException {
        StandbyLog waiting = standby;
        if (followed != null || waiting == null) {
            return;
        }
        URI address = ((LogPlace.Address) options.place()).uri();
        LogFollower log = DurableLogProvider.of(address).follower(address).orElse(null);
        if (log != null) {
            FollowedState state =
                    new FollowedState(options.name(), log, () -> host.newMachine(options), host.notices());
            followed = state;
            waiting.follows(state);
            state.start();
        }
    }

    private void heldBy(String holder, Duration notice) throws ServerStartException {
        if (holder.isEmpty() || holder.equals(lastHolder)) {
            return;
        }
        lastHolder = holder;
        String[] parts = holder.split(" ", 3);
        if (parts.length > 1 && !parts[1].equals(service)) {
            throw new ServerStartException(
                    "target " + options.name() + ": its log " + where + " is served by " + parts[0]
                            + " with the service '" + parts[1] + "', and this standby has '" + service
                            + "': give it service=" + parts[1] + ", or another log");
        }
        if (parts.length > 2 && !parts[2].equals(memory)) {
            throw new ServerStartException(
                    "target " + options.name() + ": its log " + where + " is served by " + parts[0]
                            + ", which remembers " + parts[2] + ", and this standby " + memory
                            + ": a request that is sent again might be executed twice after a takeover. Give all servers of a log"
                            + " the same --client-memory, --max-connections and --least-time");
        }
        waitsBecause(parts[0] + " holds the log");
        host.notices()
                .say("target " + options.name() + " is a standby: " + parts[0] + " holds the log " + where
                        + "; it is taken over when that server has given no sign of life for " + notice.toMillis()
                        + " ms");
    }

    /**
     * Servers that start at the same time with the same logs may get the first places in different queues. To hold all logs, the one that
     * has the first log is to have the others, too; so at its first turn a target goes to the end of its queue if the turn of the target
     * before has not come.
     */
    private boolean letsOthersGoFirst(HolderElection.Place mine) throws InterruptedException {
        if (hadTurn) {
            return false;
        }
        hadTurn = true;
        StandbyTarget first = before;
        if (first == null || first.turn.await(host.notice().toNanos(), TimeUnit.NANOSECONDS) || !mine.isWaitedFor()) {
            return isClosing();
        }
        waitsBecause("its turn came before that of target " + first.options.name() + ", and it lets others go first");
        return true;
    }

    // ---- Taking over ----

    /** The log, open and replayed; {@code null} if that did not work and may work later. */
    private @Nullable DurableRecordLog takeOver() throws IOException {
        lastHolder = "";
        waitsBecause("its turn has come, and it recovers the log");
        try {
            return host.open(id, options, followed);
        } catch (IOException e) {
            if (isForGood(e)) {
                throw e;
            }
            tryAgain(standby == null ? "cannot open its log again" : "cannot take its log over", e);
            return null;
        } finally {
            endInterrupts();
            if (followed != null && followed.hasEnded()) {
                followed = null; // its state was taken
            }
        }
    }

    private synchronized boolean mayWait() {
        interruptible = !isClosing();
        return interruptible;
    }

    private synchronized void endInterrupts() {
        interruptible = false;
        Thread.interrupted(); // the place in the queue is to be given up all the same
    }

    /** Whether the reason lies in the log or in the options, and not in what is there at the moment. */
    private boolean isForGood(IOException e) {
        if (e instanceof LogLockedException) {
            return standby == null;
        }
        return e instanceof ServerStartException
                || e instanceof LogDamagedException
                || (e instanceof LogException && !(e instanceof LogFailedException) && e.getCause() == null);
    }

    private void tryAgain(String what, IOException why) {
        String problem = what + " (" + why.getMessage() + ")";
        waitsBecause("it " + problem + ", and tries again");
        if (!problem.equals(lastProblem) && !isClosing()) {
            lastProblem = problem;
            host.notices()
                    .say("target " + options.name() + ": this " + (standby == null ? "server " : "standby ") + problem
                            + ", and tries again");
        }
    }

    /** Requests go to the log that was taken over; returns false if the server is closing. */
    private boolean takeItsPlace(DurableRecordLog log, long joined, long began) throws IOException {
        ReplayReport replay = log.opening().replay();
        TakeoverReport report = new TakeoverReport(
                Duration.ofNanos(began - joined),
                log.opening().duration(),
                replay.duration(),
                Duration.ofNanos(System.nanoTime() - began),
                replay.followedIndex(),
                replay.requests());
        Target before = host.targets().all().get(id);
        before.meters().takenOver(report);
        if (!host.targets().replace(id, log.state(), log)) {
            log.close();
            return false;
        }
        lastProblem = "";
        host.served();
        host.notices().say("target " + options.name() + " serves the log " + where + ": " + report.sentence());
        if (before.log() instanceof DurableRecordLog lost) {
            close(lost);
        }
        return true;
    }

    // ---- Serving ----

    private void serve(HolderElection.Place mine, DurableRecordLog log) throws InterruptedException {
        long stalled = awaitLost(mine, log);
        if (isClosing()) {
            leaving.await();
        } else if (election instanceof QueueOfOne queue) {
            lostAlone(queue, log);
        } else {
            lost(mine, log, stalled);
        }
    }

    /**
     * Looks each second, and when the log fails. Returns how long no append has had an outcome, in nanoseconds, if the log is to be left
     * for that; else 0.
     */
    private long awaitLost(HolderElection.Place mine, DurableRecordLog log) throws InterruptedException {
        long stalled = 0;
        try {
            while (stalled == 0 && mayWait() && !log.failsWithin(LOOK)) {
                stalled = stalledForOthers(mine, log);
            }
        } catch (InterruptedException e) {
            if (!isClosing()) {
                throw e;
            }
        } finally {
            endInterrupts();
        }
        return stalled;
    }

    /**
     * Another server should try if no append has an outcome and too few of the machines that keep the log answer this one: it may reach
     * more of them. If they answer, they or this server are slow, which is no loss of the log.
     */
    private long stalledForOthers(HolderElection.Place mine, DurableRecordLog log) {
        long nanos = log.stalledNanos();
        if (!mine.isWaitedFor() || nanos < host.notice().toNanos() / 2 || log.isInReach(host.notice())) {
            return 0;
        }
        long now = log.stalledNanos();
        return now > nanos ? now : 0; // or there was an outcome meanwhile
    }

    /** The target keeps the log that it lost until that is open again: it says why requests are refused. */
    private void lostAlone(QueueOfOne queue, DurableRecordLog log) throws InterruptedException {
        if (log.failureReason() == null) {
            closing.await(); // its service failed, and would fail again
        }
        queue.lost(log);
    }

    /**
     * The next one's turn comes before the log is closed, which may wait for machines that do not answer: when that one opens the log,
     * they are not waited for any more. What they acknowledge until then is in the log that it finds.
     */
    private void lost(HolderElection.Place mine, DurableRecordLog log, long stalledNanos) {
        TargetState machine = host.newMachine(options);
        StandbyLog waiting = new StandbyLog(options.name(), machine, log.state());
        if (!host.targets().replace(id, machine, waiting)) {
            return; // the server closes it
        }
        standby = waiting;
        String why = "";
        if (stalledNanos > 0) { // what has failed was reported before
            why = ": no append had an outcome for " + TimeUnit.NANOSECONDS.toMillis(stalledNanos)
                    + " ms, and another server may reach more of the machines that keep the log";
            waiting.because("it gave its log up" + why);
        }
        host.notices()
                .say("target " + options.name() + " gives its log up and waits for it at the end of the queue" + why);
        mine.close();
        close(log);
    }

    private static void close(DurableRecordLog lost) {
        try {
            lost.close();
        } catch (IOException e) {
            // That it failed was reported when it did.
        }
    }
}
