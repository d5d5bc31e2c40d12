package io.plog.server;

import io.plog.log.LogDamagedException;
import io.plog.log.LogException;
import io.plog.log.LogLockedException;
import io.plog.log.spi.HolderElection;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TargetOptions;
import io.plog.server.state.StateMachine;
import io.plog.server.targets.DurableRecordLog;
import io.plog.server.targets.StandbyLog;
import io.plog.server.targets.TakeoverReport;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One target of a server that is a standby: waits in the queue for its log until its turn comes, takes the log over, serves it until it is
 * lost, and waits again. All of it on a thread of its own.
 *
 * <p>The queue may be wrong about whose turn it is. The log is not: opening it fences whoever wrote it before, and of two that open it at
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
    private final HolderElection election;
    private final StandbyHost host;
    private final @Nullable StandbyTarget before;
    private final CountDownLatch tried = new CountDownLatch(1);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch leaving = new CountDownLatch(1);
    private final Thread thread;
    private boolean interruptible; // guarded by this: from the beginning of the wait until the log is open
    private StandbyLog standby; // the next are of the thread
    private String lastHolder = "";
    private String lastProblem = "";
    private boolean hasJoined;

    /**
     * Takes the place of a target that waits.
     *
     * @param id of the target
     * @param standby its log until it has a real one
     * @param before of another target of this server, whose turn is to come first
     */
    StandbyTarget(
            int id,
            TargetOptions options,
            String where,
            HolderElection election,
            StandbyLog standby,
            StandbyHost host,
            @Nullable StandbyTarget before) {
        this.id = id;
        this.options = options;
        this.where = where;
        this.service = options.service().get().name();
        this.election = election;
        this.standby = standby;
        this.host = host;
        this.before = before;
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
            thread.interrupt(); // machines that do not answer may keep it for long
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
            if (before != null) {
                standby.because("it waits for the log of target " + before.options.name() + " first");
                before.tried.await();
            }
            while (!isClosing()) {
                if (!waitAndServe()) {
                    closing.await(PAUSE_SECONDS, TimeUnit.SECONDS);
                }
            }
        } catch (InterruptedException e) {
            // the server is closing, and the place in the queue was given up
        } catch (IOException | RuntimeException e) {
            if (!isClosing()) {
                String known = e instanceof IOException ? e.getMessage() : null;
                host.failed()
                        .accept(known != null ? known : "target " + options.name() + " cannot wait for its log: " + e);
            }
        } finally {
            tried.countDown();
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
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
            if (!awaitTurn(mine)) {
                return true;
            }
            long turn = System.nanoTime();
            tried.countDown();
            DurableRecordLog log = takeOver(mine);
            if (log == null) {
                return false;
            }
            serve(mine, log, joined, turn);
            return true;
        }
    }

    // ---- Waiting ----

    private HolderElection.@Nullable Place join() throws IOException {
        try {
            HolderElection.Place place =
                    election.join(host.self() + " " + service, host.how().notice());
            hasJoined = true;
            return place;
        } catch (LogException e) {
            if (!hasJoined) {
                throw e; // a wrong address, most likely
            }
            tryAgain("cannot wait for its log", e);
            return null;
        }
    }

    private boolean awaitTurn(HolderElection.Place place) throws IOException, InterruptedException {
        boolean turn = place.awaitTurn(Duration.ZERO);
        while (!turn && !isClosing()) {
            heldBy(place.holder(), place.notice());
            turn = place.awaitTurn(LOOK);
        }
        return turn && !isClosing();
    }

    private void heldBy(String told, Duration notice) throws ServerStartException {
        if (told.isEmpty() || told.equals(lastHolder)) {
            return;
        }
        lastHolder = told;
        String[] parts = told.split(" ", 2);
        if (parts.length == 2 && !parts[1].equals(service)) {
            throw new ServerStartException(
                    "target " + options.name() + ": its log " + where + " is served by " + parts[0]
                            + " with the service '" + parts[1] + "', and this standby has '" + service
                            + "': give it service=" + parts[1] + ", or another log");
        }
        standby.because(parts[0] + " holds the log");
        host.notices()
                .say("target " + options.name() + " is a standby: " + parts[0] + " holds the log " + where
                        + "; it is taken over when that server has given no sign of life for " + notice.toMillis()
                        + " ms");
    }

    // ---- Taking over ----

    /** The log, open and replayed; {@code null} if that did not work and may work later. */
    private @Nullable DurableRecordLog takeOver(HolderElection.Place mine) throws IOException {
        lastHolder = "";
        standby.because("its turn has come, and it recovers the log");
        try {
            return host.open(id, options, mine::isWaitedFor);
        } catch (IOException e) {
            if (isForGood(e)) {
                throw e;
            }
            tryAgain("cannot take its log over", e);
            return null;
        } finally {
            endInterrupts();
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
    private static boolean isForGood(IOException e) {
        return e instanceof ServerStartException
                || e instanceof LogDamagedException
                || (e instanceof LogException && !(e instanceof LogLockedException) && e.getCause() == null);
    }

    private void tryAgain(String what, IOException why) {
        String problem = what + " (" + why.getMessage() + ")";
        standby.because("it " + problem + ", and tries again");
        if (!problem.equals(lastProblem) && !isClosing()) {
            lastProblem = problem;
            host.notices().say("target " + options.name() + ": this standby " + problem + ", and tries again");
        }
    }

    // ---- Serving ----

    private void serve(HolderElection.Place mine, DurableRecordLog log, long joined, long turn)
            throws IOException, InterruptedException {
        TakeoverReport report = new TakeoverReport(
                Duration.ofNanos(turn - joined),
                log.opening(),
                log.replay().duration(),
                Duration.ofNanos(System.nanoTime() - turn),
                log.replay().requests());
        host.targets().all().get(id).meters().takenOver(report);
        if (!host.targets().replace(id, log.machine(), log)) {
            log.close();
            return;
        }
        lastProblem = "";
        host.served().run();
        host.notices().say("target " + options.name() + " serves the log " + where + ": " + report.sentence());
        log.awaitLost();
        if (isClosing()) {
            leaving.await();
            return;
        }
        lost(mine, log);
    }

    /**
     * The next one's turn comes before the log is closed, which may wait for machines that do not answer: when that one opens the log,
     * they are not waited for any more. What they acknowledge until then is in the log that it finds.
     */
    private void lost(HolderElection.Place mine, DurableRecordLog log) {
        StateMachine machine = host.newMachine(options);
        StandbyLog waiting = new StandbyLog(options.name(), machine, log.machine());
        if (!host.targets().replace(id, machine, waiting)) {
            return; // the server closes it
        }
        standby = waiting;
        host.notices().say("target " + options.name() + " gives its log up and waits for it at the end of the queue");
        mine.close();
        try {
            log.close();
        } catch (IOException e) {
            // That it failed was told when it did.
        }
    }
}
