package io.plog.server;

import io.plog.log.LogFailedException;
import io.plog.log.spi.DurableLogProvider;
import io.plog.log.spi.HolderElection;
import io.plog.log.spi.LogFollower;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TargetOptions;
import io.plog.server.targets.FollowedState;
import io.plog.server.targets.RecordLog;
import io.plog.server.targets.TakeoverReport;
import io.plog.server.targets.Target;
import io.plog.server.targets.TargetLog;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which server has the log of a target that others keep. A standby waits in the queue for the log until its turn comes, takes the log
 * over, serves it until it is lost, and waits again. A server that is no standby begins with an open log, and opens it again when it is
 * lost and no other server has it. All of it on a thread of its own.
 *
 * <p>The queue may be wrong about whose turn it is. The log is not: opening it fences the writer before, and of two that open it at
 * the same time one is refused.
 */
final class LogOwnership {
    /** How often it looks who holds the log. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** Between an attempt that failed and the next, which is made from the end of the queue. */
    private static final long PAUSE_SECONDS = 1;

    /**
     * BookKeeper's auto-recovery fences a ledger that has lost a bookie, and does not want the log. A server that opens the log enters
     * itself into its list sooner than this; if it takes longer, it is refused, and nothing is harmed.
     */
    private static final long FENCED_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * What a server says of itself to those that wait for its log.
     *
     * @param address how it is reached, {@code HOST:PORT}
     * @param service that executes the log; "" if it does not say
     * @param memory what it remembers of clients, see {@code MemoryBounds}; "" if it does not say
     */
    private record Holder(String address, String service, String memory) {
        /** As the queue keeps it. */
        String line() {
            return address + " " + service + " " + memory;
        }

        static Holder parse(String line) {
            String[] parts = line.split(" ", 3);
            return new Holder(parts[0], parts.length > 1 ? parts[1] : "", parts.length > 2 ? parts[2] : "");
        }
    }

    private final Target target;
    private final TargetOptions options;
    private final URI address;
    private final Holder self;
    private final @Nullable HolderElection election; // null if this server is no standby
    private final Targets host;
    private final CountDownLatch turn = new CountDownLatch(1); // its first one
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch leaving = new CountDownLatch(1);
    private final Thread thread;
    private boolean interruptible; // guarded by this: while machines that do not answer may keep it for long

    // The next are of the thread.
    private final @Nullable LogOwnership before;
    private @Nullable FollowedState followed; // while it waits
    private String waits = Targets.MAY_BE_HELD;
    private boolean hadTurn;
    private String lastHolder = "";
    private String lastProblem = "";

    /**
     * Of a target of this server. Its thread inherits this one's class loader, which finds the log's engine.
     *
     * @param address of the log
     * @param election where it waits; null if it has its log and does not
     * @param self how others reach this server
     * @param before whose turn is to come first, see {@link #letsOthersGoFirst}
     */
    LogOwnership(
            Target target,
            URI address,
            @Nullable HolderElection election,
            String self,
            Targets host,
            @Nullable LogOwnership before) {
        this.target = target;
        this.options = target.options();
        this.address = address;
        this.election = election;
        this.self = new Holder(
                self,
                target.phase().state().service().name(),
                host.memory().bounds().common());
        this.host = host;
        this.before = before;
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
            HolderElection queue = election;
            while (!isClosing()) {
                if (queue == null) {
                    serveAlone();
                } else if (!waitAndServe(queue)) {
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
        if (election == null && target.phase().log() instanceof TargetLog lost) {
            lost.lost(sentence, why instanceof LogLockedException);
        } else if (host.servesOthers()) {
            waitsBecause("it cannot serve its log (" + sentence + ")");
            host.notices().say(sentence + ". Target " + options.name() + " is not served here; the others are");
        } else {
            host.failed(known != null ? (IOException) why : new IOException(sentence, why));
        }
    }

    private void waitsBecause(String why) {
        waits = why;
        target.standBy(why, followed);
    }

    // ---- Without others that wait ----

    /** Until the log is lost and open again. The target keeps the lost one until then: it says why requests are refused. */
    private void serveAlone() throws IOException, InterruptedException {
        if (!(target.phase().log() instanceof TargetLog log)) {
            closing.await();
            return;
        }
        awaitLost(null, log);
        if (log.failureReason() == null) {
            closing.await(); // its service failed, and would fail again
        }
        long lost = System.nanoTime();
        while (mayWait()) {
            long began = System.nanoTime();
            TargetLog again = isFree(log, lost) ? takeOver() : null;
            if (again != null) {
                takeItsPlace(again, () -> true, lost, began);
                return;
            }
            closing.await(PAUSE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** @throws LogLockedException if another server has the log: this one does not take it back */
    private boolean isFree(TargetLog lost, long sinceNanos) throws LogLockedException {
        try {
            lost.checkHeld();
        } catch (LogLockedException e) {
            throw e;
        } catch (IOException e) {
            return false; // no server answers yet
        }
        return lost.failureReason() != LogFailedException.Reason.FENCED
                || System.nanoTime() - sinceNanos > FENCED_NANOS;
    }

    // ---- Waiting ----

    /** Once through the queue; returns whether that worked. */
    private boolean waitAndServe(HolderElection queue) throws IOException, InterruptedException {
        if (!mayWait()) {
            return true;
        }
        long joined = System.nanoTime();
        HolderElection.Place mine = join(queue);
        if (mine == null) {
            return false;
        }
        try (mine) {
            if (!awaitTurn(mine) || letsOthersGoFirst(mine)) {
                return true;
            }
            turn.countDown();
            long began = System.nanoTime();
            TargetLog log = takeOver();
            if (log == null) {
                return false;
            }
            if (takeItsPlace(log, mine::isSurelyFirst, joined, began)) {
                serve(mine, log);
            }
            return true;
        }
    }

    /** The address may be wrong, or what keeps the queue not started yet: only who started this server knows. */
    private HolderElection.@Nullable Place join(HolderElection queue) throws IOException {
        try {
            return queue.join(self.line(), host.notice());
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
        if (followed != null) {
            return;
        }
        LogFollower log = DurableLogProvider.of(address).follower(address).orElse(null);
        if (log != null) {
            FollowedState state = new FollowedState(options.name(), log, () -> host.newState(options), host.notices());
            followed = state;
            waitsBecause(waits);
            state.start();
        }
    }

    private void heldBy(String line, Duration notice) throws ServerStartException {
        if (line.isEmpty() || line.equals(lastHolder)) {
            return;
        }
        lastHolder = line;
        Holder holder = Holder.parse(line);
        String where = "target " + options.name() + ": its log " + address + " is served by " + holder.address;
        if (!holder.service.isEmpty() && !holder.service.equals(self.service)) {
            throw new ServerStartException(where + " with the service '" + holder.service
                    + "', and this standby has '" + self.service + "': give it service=" + holder.service
                    + ", or another log");
        }
        if (!holder.memory.isEmpty() && !holder.memory.equals(self.memory)) {
            throw new ServerStartException(where + ", which remembers " + holder.memory + ", and this standby "
                    + self.memory
                    + ": a request that is sent again might be executed twice after a takeover. Give all servers of a log"
                    + " the same --client-memory, --max-connections and --least-time");
        }
        waitsBecause(holder.address + " holds the log");
        host.notices()
                .say("target " + options.name() + " is a standby: " + holder.address + " holds the log " + address
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
        LogOwnership first = before;
        if (first == null || first.turn.await(host.notice().toNanos(), TimeUnit.NANOSECONDS) || !mine.isWaitedFor()) {
            return isClosing();
        }
        waitsBecause("its turn came before that of target " + first.options.name() + ", and it lets others go first");
        return true;
    }

    // ---- Taking over ----

    /** The log, open and replayed; {@code null} if that did not work and may work later. */
    private @Nullable TargetLog takeOver() throws IOException {
        lastHolder = "";
        waitsBecause("its turn has come, and it recovers the log");
        try {
            return host.reopen(target, followed);
        } catch (IOException e) {
            if (isForGood(e)) {
                throw e;
            }
            tryAgain(election == null ? "cannot open its log again" : "cannot take its log over", e);
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
            return election == null;
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
                    .say("target " + options.name() + ": this " + (election == null ? "server " : "standby ") + problem
                            + ", and tries again");
        }
    }

    /** Requests go to the log that was taken over; returns false if the server is closing. */
    private boolean takeItsPlace(TargetLog log, BooleanSupplier isTurn, long joined, long began) throws IOException {
        TakeoverReport report = new TakeoverReport(
                Duration.ofNanos(began - joined), Duration.ofNanos(System.nanoTime() - began), log.opening());
        target.meters().takenOver(report);
        RecordLog lost = target.phase().log();
        if (!target.serve(log, log.state(), isTurn)) {
            log.close();
            return false;
        }
        lastProblem = "";
        host.notices().say("target " + options.name() + " serves the log " + address + ": " + report.sentence());
        if (lost != null) {
            close(lost);
        }
        return true;
    }

    // ---- Serving ----

    private void serve(HolderElection.Place mine, TargetLog log) throws InterruptedException {
        long stalled = awaitLost(mine, log);
        if (isClosing()) {
            leaving.await();
        } else {
            lost(mine, log, stalled);
        }
    }

    /**
     * Looks each second, and when the log fails. Returns how long no append has had an outcome, in nanoseconds, if the log is to be left
     * for that; else 0.
     */
    private long awaitLost(HolderElection.@Nullable Place mine, TargetLog log) throws InterruptedException {
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
    private long stalledForOthers(HolderElection.@Nullable Place mine, TargetLog log) {
        long nanos = log.stalledNanos();
        if (mine == null
                || !mine.isWaitedFor()
                || nanos < host.notice().toNanos() / 2
                || log.isInReach(host.notice())) {
            return 0;
        }
        long now = log.stalledNanos();
        return now > nanos ? now : 0; // or there was an outcome meanwhile
    }

    /**
     * The next one's turn comes before the log is closed, which may wait for machines that do not answer: when that one opens the log,
     * they are not waited for any more. What they acknowledge until then is in the log that it finds.
     */
    private void lost(HolderElection.Place mine, TargetLog log, long stalledNanos) {
        String why = "";
        waits = Targets.MAY_BE_HELD;
        if (stalledNanos > 0) { // what has failed was reported before
            why = ": no append had an outcome for " + TimeUnit.NANOSECONDS.toMillis(stalledNanos)
                    + " ms, and another server may reach more of the machines that keep the log";
            waits = "it gave its log up" + why;
        }
        if (!target.standByAfterLoss(host.newState(options), waits)) {
            return; // the server closes it
        }
        host.notices()
                .say("target " + options.name() + " gives its log up and waits for it at the end of the queue" + why);
        mine.close();
        close(log);
    }

    private static void close(RecordLog lost) {
        try {
            lost.close();
        } catch (IOException e) {
            // That it failed was reported when it did.
        }
    }
}
