package io.plog.log.bookkeeper;

import io.plog.log.spi.HolderElection;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One server's place in the queue of a {@link ZooKeeperElection}. A thread of its own keeps it up: it looks at the queue when the node
 * before its own is gone, when the connection changes, and once a second, so that it knows who is first, and so that no lost message
 * matters.
 */
final class QueuePlace implements HolderElection.Place, Watcher {
    private static final long LOOK_MILLIS = TimeUnit.SECONDS.toMillis(1);

    /** A server's node: an id that it made, and what ZooKeeper puts behind the name of a node in sequence. */
    private static final Pattern NODE = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]{10}");

    private static final int NUMBER_DIGITS = 10;
    private static final Comparator<String> BY_NUMBER = Comparator.comparing(QueuePlace::number);

    private final BookKeeperAddress address;
    private final String queue;
    private final byte[] self;
    private final int noticeMillis;
    private final LogClock clock;
    private final Thread thread;

    // Of the thread. A session that ended is followed by another one, with an id of its own in its node's name: the
    // answer to a
    // creation may be lost, and without the id this server would wait for its own node.
    private volatile @Nullable ZooKeeper session;
    private String id = "";
    private final Set<String> strangers = new HashSet<>(); // nodes that are no server's

    // Guarded by this.
    private boolean stirred;
    private boolean joined;
    private boolean first;
    private boolean waitedFor;
    private boolean closed;
    private @Nullable Exception trouble;
    private String holder = "";
    private int agreedMillis;
    private long firstAt; // the clock's time when the last request was sent whose answer said that this one is first

    QueuePlace(BookKeeperAddress address, String queue, String self, Duration notice, LogClock clock) {
        this.address = address;
        this.queue = queue;
        this.self = self.getBytes(StandardCharsets.UTF_8);
        this.noticeMillis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, notice.toMillis()));
        this.agreedMillis = noticeMillis;
        this.clock = clock;
        this.thread = new Thread(this::work, "plog-queue-" + address.name());
        thread.setDaemon(true);
        thread.start();
    }

    // ---- For its server ----

    synchronized void awaitJoined(Duration atMost) throws IOException {
        try {
            if (!await(() -> joined, atMost)) {
                throw notJoined(atMost);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for ZooKeeper", e);
        }
    }

    private IOException notJoined(Duration waited) {
        Exception why = trouble;
        if (why == null || why instanceof KeeperException.ConnectionLossException) {
            return new LogException(
                    "no ZooKeeper answers at " + address.servers() + " within " + waited.toSeconds()
                            + " s: start it (plog bookies does for a trial), or correct the address",
                    why);
        }
        return new LogException(
                "cannot wait for log " + address.name() + " below " + queue + " in the ZooKeeper at "
                        + address.servers() + ": "
                        + (why instanceof KeeperException e ? e.code() : why.getMessage()),
                why);
    }

    @Override
    public synchronized boolean awaitTurn(Duration atMost) throws IOException, InterruptedException {
        boolean turn = await(() -> first || closed, atMost);
        if (closed) {
            throw new IOException("the place in the queue for log " + address.name() + " was given up");
        }
        return turn;
    }

    /** Hold this object's monitor. */
    private boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    @Override
    public synchronized boolean isSurelyFirst() {
        return first && !closed && LedgerStore.surelyLives(clock.nanos() - firstAt, agreedMillis);
    }

    @Override
    public synchronized String holder() {
        return holder;
    }

    @Override
    public synchronized boolean isWaitedFor() {
        return waitedFor;
    }

    @Override
    public synchronized Duration notice() {
        return Duration.ofMillis(agreedMillis);
    }

    /** The thread is not interrupted: the end of its session must reach ZooKeeper, or the others wait until it expires. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it ends without anybody who waits for that
        }
    }

    /** The session that it has now, for tests; 0 if none. */
    long sessionId() {
        ZooKeeper current = session;
        return current == null ? 0 : current.getSessionId();
    }

    // ---- The thread ----

    @Override
    public void process(WatchedEvent event) {
        stir();
    }

    private synchronized void stir() {
        stirred = true;
        notifyAll();
    }

    private void work() {
        try {
            while (!awaitReason()) {
                look();
            }
        } catch (InterruptedException e) {
            // Its owner does not; the session expires.
        } finally {
            endSession();
        }
    }

    /** Waits until there is something to look at; returns whether the place was closed instead. */
    private synchronized boolean awaitReason() throws InterruptedException {
        if (joined) {
            await(() -> stirred || closed, Duration.ofMillis(LOOK_MILLIS));
        } else if (trouble != null) {
            await(() -> closed, Duration.ofMillis(LOOK_MILLIS / 10));
        }
        stirred = false;
        return closed;
    }

    private void look() throws InterruptedException {
        try {
            ZooKeeper current = session;
            if (current == null) {
                id = UUID.randomUUID().toString();
                current = new ZooKeeper(address.servers(), noticeMillis, this);
                session = current;
            }
            look(current);
        } catch (KeeperException.SessionExpiredException e) {
            endSession();
            noLongerFirst();
            stir();
        } catch (KeeperException.NoNodeException e) {
            stir(); // it changed meanwhile
        } catch (KeeperException.ConnectionLossException e) {
            failed(e); // the session may live: the place is kept, and looked at again
        } catch (KeeperException | IOException | RuntimeException e) {
            failed(e);
        }
    }

    private void look(ZooKeeper current) throws KeeperException, InterruptedException {
        long sent = clock.nanos();
        List<String> all = inOrder(current);
        int mine = indexOf(all);
        if (mine < 0) {
            current.create(queue + "/" + id + "-", self, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
            all = inOrder(current);
            mine = indexOf(all);
        }
        if (mine < 0) {
            stir(); // it changed meanwhile
            return;
        }
        if (mine == 0) {
            // Whose node is the first stays the first while it is there; that it is there takes a majority of the
            // servers to
            // say. A leader that was cut off would say so by itself for as long as it takes itself for one.
            current.multi(List.of(Op.check(queue + "/" + all.get(0), -1)));
        }
        String text = read(current, all.get(0), mine == 1);
        if (mine > 1) {
            read(current, all.get(mine - 1), true);
        }
        synchronized (this) {
            joined = true;
            trouble = null;
            agreedMillis = current.getSessionTimeout();
            waitedFor = mine < all.size() - 1;
            first = mine == 0;
            firstAt = sent;
            holder = text;
            notifyAll();
        }
    }

    private List<String> inOrder(ZooKeeper current) throws KeeperException, InterruptedException {
        try {
            return servers(current);
        } catch (KeeperException.NoNodeException e) {
            create(current, ZooKeeperElection.ROOT);
            create(current, queue);
            return servers(current);
        }
    }

    /** The nodes of servers. Whatever else is there was made by somebody who does not wait for the log, and is passed over. */
    private List<String> servers(ZooKeeper current) throws KeeperException, InterruptedException {
        current.sync(queue); // or this server may be far behind
        List<String> children = current.getChildren(queue, false);
        strangers.retainAll(children);
        List<String> servers = new ArrayList<>();
        for (String each : children) {
            if (NODE.matcher(each).matches() && !strangers.contains(each) && hasOwner(current, each)) {
                servers.add(each);
            }
        }
        servers.sort(BY_NUMBER);
        return servers;
    }

    /** Only the node of a session goes when its server does. */
    private boolean hasOwner(ZooKeeper current, String node) throws KeeperException, InterruptedException {
        Stat stat = current.exists(queue + "/" + node, false);
        if (stat != null && stat.getEphemeralOwner() == 0) {
            strangers.add(node);
        }
        return stat != null && stat.getEphemeralOwner() != 0;
    }

    private static void create(ZooKeeper current, String node) throws KeeperException, InterruptedException {
        try {
            current.create(node, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException e) {
            // others wait there already
        }
    }

    /** Those of these nodes that look like a server's, in the order of the queue. */
    static List<String> inOrder(List<String> nodes) {
        return nodes.stream()
                .filter(each -> NODE.matcher(each).matches())
                .sorted(BY_NUMBER)
                .toList();
    }

    private static String number(String node) {
        return node.substring(node.length() - NUMBER_DIGITS);
    }

    private int indexOf(List<String> nodes) {
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).startsWith(id)) {
                return i;
            }
        }
        return -1;
    }

    /** What a server says of itself; if its node is gone, the queue is looked at again. */
    private String read(ZooKeeper current, String node, boolean watch) throws KeeperException, InterruptedException {
        try {
            byte[] text = current.getData(queue + "/" + node, watch ? this : null, null);
            return text == null ? "" : PeerText.clean(new String(text, StandardCharsets.UTF_8));
        } catch (KeeperException.NoNodeException e) {
            stir();
            return "";
        } catch (KeeperException.NoAuthException e) {
            return ""; // it is looked at again each second all the same
        }
    }

    private synchronized void noLongerFirst() {
        first = false;
        holder = "";
        notifyAll();
    }

    private synchronized void failed(Exception why) {
        trouble = why;
        notifyAll();
    }

    private void endSession() {
        ZooKeeper ended = session;
        session = null;
        if (ended != null) {
            try {
                ended.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
