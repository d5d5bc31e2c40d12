package io.plog.measure.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.plog.client.ClientOptions;
import io.plog.client.Services;
import io.plog.measure.HttpService;
import io.plog.measure.PlanException;
import io.plog.measure.Resumption;
import io.plog.measure.ledger.AuditLedgerWriter;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Loop;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.io.Closeable;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Drives one load: sends at the intended times, or when replies come, and has everything recorded. The thread that calls it is its
 * event loop.
 *
 * <p>For one thread; {@link #answered} and {@link #outstanding} may be read by any.
 */
final class LoadEngine implements Closeable {
    /** How many due requests are sent before replies are read again. */
    private static final int BURST = 64;
    /** No server that works is silent for so long. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final long PATIENCE_AFTER_STOP_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long NEVER = Long.MAX_VALUE;

    final Payloads payloads;
    final int targetId;

    private final Load plan;
    private final Resumption before;
    private final LoadLoop loop;
    private final Loop.@Nullable Closed closed; // null if requests have intended times
    private final HttpService.@Nullable Heads http;
    private final Welcome welcome;
    private final boolean oneByOne; // whether a connection carries one request at a time
    final String token;
    private final LoadRequests requests;
    private final LoadCounts counts;
    private final ReplyCheck check;
    private final LoadConnections connections;

    // The run itself.
    private @Nullable ArrivalTimes schedule;
    private boolean running;
    private boolean ended;
    private String reason = "";
    private boolean overloaded;
    private long startNanos;
    private long lastReplyNanos;

    LoadEngine(
            Load plan,
            @Nullable HttpService service,
            ClientOptions options,
            List<InetSocketAddress> servers,
            int first,
            Welcome welcome,
            TargetDescription target,
            Resumption before,
            SampleSpool spool,
            @Nullable AuditLedgerWriter ledger) {
        this.plan = plan;
        this.before = before;
        this.welcome = welcome;
        closed = plan.loop() instanceof Loop.Closed without ? without : null;
        http = service == null ? null : service.heads(options);
        oneByOne = plan.loop() instanceof Loop.PartlyOpen || http != null;
        this.token = options.token();
        this.targetId = target.id();
        requests = new LoadRequests(plan, before, spool);
        counts = requests.counts;
        payloads = new Payloads(PooledByteBufAllocator.DEFAULT, plan.mix().mostBytes(), plan.seed());
        check = new ReplyCheck(
                payloads, target.id(), Services.inverts(welcome, target.id()), ledger, servers.size() > 1);
        loop = new LoadLoop(options.tls(), this::sendDue);
        connections = new LoadConnections(plan, this, loop, servers, first, counts);
    }

    /**
     * Makes all connections.
     *
     * @throws PlanException if one cannot be made, with what the server said
     */
    void connectAll() throws PlanException {
        connections.makeAll();
    }

    /** Keeps the connections alive for a moment while others are not ready to start. */
    void idle() {
        loop.idle();
    }

    /** Counted requests with replies so far, of whatever status. */
    long answered() {
        return counts.answered.get();
    }

    /** Requests due or under way without reply. */
    int outstanding() {
        return (int) counts.outstanding.get();
    }

    LoadCounts counts() {
        return counts;
    }

    /**
     * Runs the load until its time is over and every reply is there.
     *
     * @param start when it begins, as {@link System#nanoTime}
     * @param stop asked often; ends it early
     * @return why it ended early, in a sentence; empty if it did not
     */
    String run(long start, BooleanSupplier stop) {
        startNanos = start;
        requests.startAt(start);
        ArrivalTimes times = new ArrivalTimes(plan, before, start);
        loop.waitUntil(start);
        lastReplyNanos = start;
        connections.startAt(start);
        schedule = times;
        running = true;
        if (!plan.isScheduled()) {
            for (LoadConnection connection : connections.all()) {
                fill(connection);
            }
        }
        long sweepNanos = start;
        long stoppedNanos = NEVER;
        while (true) {
            sendDue();
            long now = System.nanoTime();
            ended = ended || times.isOver(now);
            if (now >= sweepNanos) {
                sweepNanos = now + SWEEP_NANOS;
                sweep(now);
                if (stoppedNanos == NEVER && stop.getAsBoolean()) {
                    stoppedNanos = now;
                    end("interrupted after " + counts.answered.get() + " replies");
                }
            }
            if (isDone(now, stoppedNanos)) {
                break;
            }
            loop.poll(now, ended ? NEVER : times.nextNanos());
        }
        running = false;
        connections.stop();
        long now = System.nanoTime();
        for (LoadConnection connection : connections.all()) {
            requests.giveUp(connection, now);
        }
        return reason;
    }

    private boolean isDone(long now, long stoppedNanos) {
        if (ended && requests.taken() == 0) {
            return true;
        }
        if (now - stoppedNanos > PATIENCE_AFTER_STOP_NANOS
                || (ended && connections.ready() == 0 && !reason.isEmpty())) {
            return true;
        }
        if (requests.taken() > 0 && now - Math.max(lastReplyNanos, startNanos) > PATIENCE_NANOS) {
            end("no reply within " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s, with " + requests.taken()
                    + " requests due or under way");
            return true;
        }
        return false;
    }

    /** Sends what is due. Called before each thing that may take a while, so that a request waits for one of them at most. */
    private void sendDue() {
        ArrivalTimes times = schedule;
        if (times == null || ended) {
            return;
        }
        long now = System.nanoTime();
        for (int i = 0; i < BURST && times.isDue(now) && !ended; i++) {
            arrive(connections.next(), times.take());
        }
    }

    private void arrive(LoadConnection connection, long intendedNanos) {
        if (requests.taken() >= plan.mostOutstanding()) {
            overloaded = true;
            end("the offered rate could not be sustained: " + requests.taken()
                    + " requests were due or under way without reply, the most that --max-outstanding allows");
            return;
        }
        LoadRequest request = requests.take(intendedNanos);
        boolean busy = oneByOne && connection.underWay.size() > 0;
        if (connection.isReady() && !busy && connection.due.isEmpty()) {
            send(connection, request);
        } else {
            connection.due.add(request);
        }
    }

    private void send(LoadConnection connection, LoadRequest request) {
        connection.send(request);
        long intended = request.intendedNanos;
        // Until the connection was free, the request waited for it; the rest is the client's own delay.
        request.heldNanos = plan.isScheduled() && connection.freeNanos > intended
                ? Math.min(connection.freeNanos, request.sentNanos) - intended
                : 0;
    }

    /** Sends what a connection may send now: in a closed loop as many as are to be under way, else what is due. */
    private void fill(LoadConnection connection) {
        if (closed != null) {
            while (!ended && connection.isReady() && connection.underWay.size() < closed.outstanding()) {
                if (requests.isComplete()) {
                    ended = true;
                    return;
                }
                send(connection, requests.take(System.nanoTime()));
            }
        } else {
            while (connection.isReady() && !connection.due.isEmpty() && !(oneByOne && connection.underWay.size() > 0)) {
                send(connection, connection.due.poll());
            }
        }
    }

    void connected(LoadConnection connection) {
        connections.made();
        if (running) {
            fill(connection);
        }
    }

    void notConnected(LoadConnection connection, String why, @Nullable GoodbyeCode code) {
        connections.notMade(connection, why, code, isNeeded(connection));
    }

    /** A connection was lost, and its requests with it. */
    void lost(LoadConnection connection, String why) {
        if (running) {
            requests.lose(connection, System.nanoTime());
        }
        connections.lost(connection, why, isNeeded(connection));
    }

    /** Whether a connection has something to send now or later. */
    private boolean isNeeded(LoadConnection connection) {
        return !ended || !connection.due.isEmpty();
    }

    void replied(LoadConnection connection, LoadRequest request, ByteBuf reply, long now) {
        lastReplyNanos = now;
        if (oneByOne) {
            connection.freeNanos = now;
        }
        int status = check.status(request, reply);
        String hopeless = check.settle(connection, request, status, reply);
        if (!hopeless.isEmpty()) {
            end(hopeless);
        }
        requests.record(connection, request, status, reply, now);
        if (check.isElsewhere(status)) {
            follow(connection, status, now);
            return;
        }
        connection.failedConnects = 0;
        int most = plan.loop().requestsPerConnection();
        if ((most > 0 && connection.answered >= most) || connection.isUsedUp()) {
            connections.renew(connection, isNeeded(connection));
        } else {
            fill(connection);
        }
    }

    /** The server of a connection does not serve: what is under way on it would be refused, too. */
    private void follow(LoadConnection connection, int status, long now) {
        requests.lose(connection, now);
        connections.moved(connection, "the server answers " + LoadRequests.statusText(status), isNeeded(connection));
    }

    /** Why a server that a connection was made to cannot take the load's requests, in a sentence; empty if it can. */
    String differs(Welcome welcome) {
        return welcome.targets().stream()
                        .anyMatch(each -> each.id() == targetId && each.name().equals(plan.target()))
                ? ""
                : "it has no target '" + plan.target() + "' with the number " + targetId
                        + ": start all servers of a load with the same --log options";
    }

    /** Whether the load was given up because too many requests were without a reply. */
    boolean isOverloaded() {
        return overloaded;
    }

    /** Ends the sending with the first reason. */
    void end(String why) {
        ended = true;
        if (reason.isEmpty()) {
            reason = why;
        }
    }

    private void sweep(long now) {
        String unwritten = requests.failure();
        String unconnected = connections.sweep(now);
        if (!unwritten.isEmpty() || !unconnected.isEmpty()) {
            end(unwritten.isEmpty() ? unconnected : unwritten);
        }
        requests.passOn(now);
        if (requests.taken() == 0) {
            // Nothing is due: the server's silence is counted from now on.
            lastReplyNanos = now;
        }
    }

    /** What speaks HTTP on a connection to be made; null if the server speaks frames. */
    @Nullable
    HttpTranslator translator() {
        return http == null ? null : new HttpTranslator(http, welcome);
    }

    /** The place of the server that serves, as far as is known. */
    int serving() {
        return connections.serving();
    }

    ChannelFuture connect(int server, ChannelHandler decoder, ChannelHandler handler) {
        return loop.connect(connections.address(server), decoder, handler);
    }

    /** Closes all connections and ends the loop. For the driving thread. */
    @Override
    public void close() {
        for (LoadConnection connection : connections.all()) {
            connection.close();
        }
        loop.close();
        payloads.close();
    }
}
