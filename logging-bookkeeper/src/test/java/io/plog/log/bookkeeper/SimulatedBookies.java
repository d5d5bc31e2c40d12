package io.plog.log.bookkeeper;

import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.spi.HolderElection;
import io.plog.log.spi.LogFollower;
import io.plog.log.spi.StoredLog;
import io.plog.log.spi.StoredRepair;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Bookies without network and disk, for tests of whatever uses a log at an address: {@code DurableLog.open(bookies.address(), ...)}
 * opens the log that they keep. A thread of their own drives them, so it is real time that passes. For any thread.
 */
public final class SimulatedBookies implements AutoCloseable {
    static final String SCHEME = "simulated";
    private static final long PAUSE_NANOS = 50_000;
    private static final Map<String, SimulatedBookies> RUNNING = new ConcurrentHashMap<>();

    private final String name;
    private final SimulatedCluster cluster;
    private final List<SharedStore> stores = new CopyOnWriteArrayList<>();
    private final ReadGate gate = new ReadGate();
    private final SimulatedElection election = new SimulatedElection();
    private final ExecutorService changes = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "simulated-ledger-changes");
        thread.setDaemon(true);
        return thread;
    });
    private final Thread engine = new Thread(this::drive, "simulated-bookies");
    private volatile boolean hanging;
    private volatile boolean refusingFollowers;
    private volatile boolean closed;

    private SimulatedBookies(String name, int count, long seed) {
        this.name = name;
        this.cluster = new SimulatedCluster(count, new SplittableRandom(seed));
    }

    /**
     * Starts them.
     *
     * @param name of the log that they keep; of one at a time
     * @param seed of the order in which messages arrive
     */
    public static SimulatedBookies start(String name, int count, long seed) {
        SimulatedBookies bookies = new SimulatedBookies(name, count, seed);
        if (RUNNING.putIfAbsent(name, bookies) != null) {
            throw new IllegalArgumentException("bookies of the log " + name + " run already");
        }
        bookies.engine.setDaemon(true);
        bookies.engine.start();
        return bookies;
    }

    /** Of the log that they keep. */
    public URI address() {
        return URI.create(SCHEME + "://bookies/" + name);
    }

    /** One of them crashes, and loses what it did not force. */
    public void crash(int bookie) {
        synchronized (cluster) {
            cluster.crash(bookie);
        }
    }

    /** It comes back with what it forced. */
    public void restart(int bookie) {
        synchronized (cluster) {
            cluster.bookies.get(bookie).restart();
        }
    }

    /** The ledger that is being written is closed by BookKeeper's auto-recovery, which does not take the log. */
    public void closeLedger() throws IOException {
        synchronized (cluster) {
            String list = Objects.requireNonNull(cluster.node()).content();
            cluster.recover(LedgerList.decode(name, list).last().ledger());
        }
    }

    /** The ledger that is being written is gone, and the list names it. */
    public void deleteLastLedger() throws IOException {
        synchronized (cluster) {
            String list = Objects.requireNonNull(cluster.node()).content();
            cluster.deleteLedger(LedgerList.decode(name, list).last().ledger());
        }
    }

    /** All copies of an entry change, and no bookie notices. */
    public void damage(long ledger, long entry) {
        synchronized (cluster) {
            cluster.bookies.forEach(bookie -> bookie.damage(ledger, entry));
        }
    }

    /** The node of the log is what it was not: a newer version wrote it, say. */
    public void replaceNode(String content) throws IOException {
        synchronized (cluster) {
            cluster.replaceNode(content, -1);
        }
    }

    /** While they hang, no append has an outcome; a log can be opened all the same, as by a server that reaches other bookies. */
    public void hang(boolean now) {
        synchronized (cluster) {
            hanging = now;
            cluster.inReach = !now;
        }
    }

    /** While they are slow, no append has an outcome, although they answer. */
    public void slow(boolean now) {
        synchronized (cluster) {
            hanging = now;
        }
    }

    /** How often a server has asked whether they answer. */
    public int askedWhetherInReach() {
        synchronized (cluster) {
            return cluster.askedWhetherInReach;
        }
    }

    /** How many messages are on their way; while they hang, it only grows. */
    public int messages() {
        synchronized (cluster) {
            return cluster.messages();
        }
    }

    /** While they are slow to read from, no reader gets an entry: a replay does not end. Close this object only when they are not. */
    public void holdReads(boolean now) {
        gate.hold(now);
    }

    /** Returns when somebody waits for entries that {@link #holdReads} keeps back. */
    public void awaitReader() throws InterruptedException {
        gate.awaitReader();
    }

    /** The bookies that keep the ledger which the log was made with, by their numbers. */
    public List<Integer> firstEnsemble() {
        synchronized (cluster) {
            return cluster.ledgers.values().iterator().next().ensembles.get(0L);
        }
    }

    /** The holder of the log counts as gone, though it lives: the next one's turn comes. */
    public void forgetHolder() {
        election.forgetFirst();
    }

    /** While the queue is not heard of, no server knows surely that it is its turn. */
    public void cutOffFromQueue(boolean now) {
        election.doubt(now);
    }

    /** While they are refused, no server can join the queue; a server that has joined keeps the place. */
    public void refuseJoins(boolean now) {
        election.refuse(now);
    }

    /** While they are refused, no server can begin to follow the log, so each takeover reads all of it. */
    public void refuseFollowers(boolean now) {
        refusingFollowers = now;
    }

    static HolderElection election(URI address) throws IOException {
        return running(address).election;
    }

    static DurableLog open(URI address, LogOptions options) throws IOException {
        SimulatedBookies bookies = running(address);
        return ReplicatedLog.open(
                bookies.name,
                bookies.newStore(),
                BookKeeperAddress.quorum(address),
                options,
                bookies.changes,
                LogClock.SYSTEM);
    }

    static StoredLog openStored(URI address) throws IOException {
        SimulatedBookies bookies = running(address);
        return StoredReplicatedLog.open(
                bookies.name, address.toString(), bookies.newStore(), BookKeeperAddress.quorum(address));
    }

    static Optional<StoredRepair> planRepair(URI address) throws IOException {
        SimulatedBookies bookies = running(address);
        return LedgerRepair.plan(bookies.name, bookies.newStore(), LogClock.SYSTEM);
    }

    static LogFollower follower(URI address) {
        return new LedgerFollower(address.getPath().substring(1), () -> {
            SimulatedBookies bookies = running(address);
            if (bookies.refusingFollowers) {
                throw new IOException("no ZooKeeper answers those who follow");
            }
            return bookies.newStore();
        });
    }

    private static SimulatedBookies running(URI address) throws IOException {
        SimulatedBookies bookies = RUNNING.get(address.getPath().substring(1));
        if (bookies == null) {
            throw new IOException("no bookies are simulated for " + address);
        }
        return bookies;
    }

    private LedgerStore newStore() {
        SharedStore store;
        synchronized (cluster) {
            store = new SharedStore(cluster, gate, election);
        }
        stores.add(store);
        return store.ledgers();
    }

    private void drive() {
        while (!closed) {
            boolean moved;
            synchronized (cluster) {
                moved = !hanging && cluster.step();
            }
            for (SharedStore store : stores) {
                Runnable answers;
                synchronized (cluster) {
                    answers = store.takeAnswers();
                }
                answers.run();
            }
            if (!moved) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        changes.shutdownNow();
        RUNNING.remove(name);
    }
}
