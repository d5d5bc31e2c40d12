package io.plog.measure.load;

import io.plog.client.ClientOptions;
import io.plog.measure.PlanException;
import io.plog.measure.plan.Load;
import io.plog.protocol.GoodbyeCode;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections of a load: makes them, and makes those anew that end. For the driving thread. */
final class LoadConnections {
    private static final int CONNECTING_AT_ONCE = 128;
    private static final long CONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(LoadLoop.CONNECT_MILLIS);

    /** How long no server at all may take connections, if there are several: one that takes over recovers and replays first. */
    private static final long TAKEOVER_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final long LONGEST_BACKOFF_MILLIS = 1_000;
    private static final int MOST_DOUBLINGS = 7;

    private final Load plan;
    private final LoadLoop loop;
    private final List<InetSocketAddress> servers;
    private final LoadCounts counts;
    private final LoadConnection[] all;

    private int serving; // the place of the server that serves, as far as is known
    private int ready;
    private int connecting;
    private int turn;
    private boolean running;
    private long noneReadySinceNanos;
    private @Nullable PlanException setUpFailure;

    /**
     * Makes none yet.
     *
     * @param servers resolved, at least one: a load stays with one until that cannot be reached, ends a connection or says that
     *     it does not serve, and then goes to the next
     * @param first the place of the one to begin with
     */
    LoadConnections(
            Load plan,
            LoadEngine engine,
            LoadLoop loop,
            List<InetSocketAddress> servers,
            int first,
            LoadCounts counts) {
        this.plan = plan;
        this.loop = loop;
        this.servers = List.copyOf(servers);
        serving = first;
        this.counts = counts;
        all = new LoadConnection[plan.loop().connections()];
        long client = ClientOptions.freshClientId();
        for (int i = 0; i < all.length; i++) {
            all[i] = new LoadConnection(engine, i, client + i);
        }
    }

    /**
     * Makes all.
     *
     * @throws PlanException if one cannot be made, with what the server said
     */
    void makeAll() throws PlanException {
        int begun = 0;
        while (ready < all.length) {
            while (begun < all.length && connecting < CONNECTING_AT_ONCE) {
                connecting++;
                all[begun].connect(firstAnswered(begun++));
            }
            loop.idle();
            giveUpSlowOnes(System.nanoTime());
            PlanException failure = setUpFailure;
            if (failure != null) {
                throw failure;
            }
        }
    }

    /**
     * The first connections that are made anew after some requests count as used to different degrees. Else all would come to
     * their end at about the same time, again and again.
     */
    private int firstAnswered(int index) {
        return plan.loop().requestsPerConnection() > 0 ? index % plan.loop().requestsPerConnection() : 0;
    }

    /** From now on, one that ends is made anew; before, it ends the load. */
    void startAt(long nanos) {
        running = true;
        noneReadySinceNanos = nanos;
    }

    /** From now on none is made anew. */
    void stop() {
        running = false;
    }

    /** All, in the order of their numbers. */
    LoadConnection[] all() {
        return all;
    }

    /** The one whose turn it is. */
    LoadConnection next() {
        LoadConnection connection = all[turn];
        turn = turn + 1 == all.length ? 0 : turn + 1;
        return connection;
    }

    int ready() {
        return ready;
    }

    void made() {
        ready++;
        connecting--;
        noneReadySinceNanos = System.nanoTime();
        counts.connects++;
    }

    /** The place of the server that serves, as far as is known. */
    int serving() {
        return serving;
    }

    InetSocketAddress address(int server) {
        return servers.get(server);
    }

    /** One does not serve: unless others were tried already, it is the next one's turn. */
    private void leave(int server) {
        serving = server == serving ? (server + 1) % servers.size() : serving;
    }

    /**
     * One could not be made.
     *
     * @param again whether it is still needed
     */
    void notMade(LoadConnection connection, String why, @Nullable GoodbyeCode code, boolean again) {
        connecting--;
        counts.failedConnects++;
        leave(connection.server());
        if (running) {
            counts.lastLoss = why;
            makeLater(connection, again);
        } else if (connection.failedConnects < servers.size()) {
            connecting++;
            connection.connect(firstAnswered(connection.index)); // to another server
        } else if (setUpFailure == null) {
            setUpFailure = new PlanException("connection " + (ready + 1) + " of " + all.length + " to " + plan.server()
                    + " could not be made: " + why
                    + (code == GoodbyeCode.TOO_MANY
                            ? "; start the server with --max-connections of at least "
                                    + plan.loop().connections() + ", or use fewer --connections"
                            : ""));
        }
    }

    /**
     * One ended by itself.
     *
     * @param again whether it is still needed
     */
    void lost(LoadConnection connection, String why, boolean again) {
        ready--;
        leave(connection.server());
        if (running) {
            counts.lostConnections++;
            counts.lastLoss = why;
            makeLater(connection, again);
        } else if (setUpFailure == null) {
            setUpFailure =
                    new PlanException("a connection to " + plan.server() + " was lost before the load began: " + why);
        }
    }

    /**
     * The server of one says that another serves: it is made anew, to that one. What is under way on it must have been given up.
     *
     * @param again whether it is still needed
     */
    void moved(LoadConnection connection, String why, boolean again) {
        connection.failedConnects++;
        connection.close();
        lost(connection, why, again);
    }

    private void makeLater(LoadConnection connection, boolean again) {
        if (!again) {
            return;
        }
        connecting++;
        loop.later(
                () -> {
                    if (running) {
                        connection.connect(0);
                    }
                },
                Math.min(LONGEST_BACKOFF_MILLIS, 10L << Math.min(MOST_DOUBLINGS, connection.failedConnects)));
    }

    /**
     * Closes one that has had its requests.
     *
     * @param again whether to make it anew at once
     */
    void renew(LoadConnection connection, boolean again) {
        connection.close();
        ready--;
        if (again) {
            connecting++;
            connection.connect(0);
        }
    }

    /** Checks the connections that are being made. Returns the reason why the load cannot continue, or an empty text. */
    String sweep(long now) {
        giveUpSlowOnes(now);
        if (ready > 0) {
            noneReadySinceNanos = now;
        } else if (now - noneReadySinceNanos > mostWithoutServerNanos()) {
            return "all connections were lost and none could be made anew within "
                    + TimeUnit.NANOSECONDS.toSeconds(mostWithoutServerNanos()) + " s: " + counts.lastLoss;
        }
        return "";
    }

    private long mostWithoutServerNanos() {
        return servers.size() > 1 ? TAKEOVER_NANOS : CONNECT_NANOS;
    }

    private void giveUpSlowOnes(long now) {
        if (connecting == 0) {
            return;
        }
        for (LoadConnection connection : all) {
            if (connection.isConnecting() && now - connection.connectBeganNanos() > CONNECT_NANOS) {
                connection.giveUpConnecting("no welcome came within " + LoadLoop.CONNECT_MILLIS + " ms");
            }
        }
    }
}
