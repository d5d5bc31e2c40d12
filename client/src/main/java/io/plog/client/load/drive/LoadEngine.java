package io.plog.client.load.drive;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.plog.client.ClientOptions;
import io.plog.client.Services;
import io.plog.client.ledger.LedgerException;
import io.plog.client.ledger.LedgerWriter;
import io.plog.client.load.Column;
import io.plog.client.load.PlanException;
import io.plog.client.load.Samples;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.io.Closeable;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Drives one load: sends at the intended times, or when replies come, and records. The thread that calls it is its event loop,
 * so that a due request waits for nothing but the handling of the replies before it.
 *
 * <p>For one thread; {@link #answered} and {@link #outstanding} may be read by any.
 */
final class LoadEngine implements Closeable {
    /** {@link Column#STATUS} where no reply came. */
    static final int NO_REPLY = -1;

    /** {@link Column#STATUS} of a reply that was not right. */
    static final int WRONG_REPLY = -2;

    private static final int CONNECTING_AT_ONCE = 128;
    private static final int CONNECT_MILLIS = 10_000;
    private static final long CONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(CONNECT_MILLIS);
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long TASKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** So many due requests are sent before replies are looked after again. */
    private static final int BURST = 64;
    /** No server that works is silent for so long. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final long PATIENCE_AFTER_STOP_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long LONGEST_BACKOFF_MILLIS = 1_000;

    final Flights flights;
    final Payloads payloads;
    final int targetId;

    private final LoadPlan plan;
    private final boolean inverted;
    private final SampleSpool spool;
    private final @Nullable LedgerWriter ledger;
    private final ManualIoEventLoop loop;
    private final InetSocketAddress address;
    private final LoadConnection[] connections;
    private final RequestDraw draw;
    private final Spin spin = new Spin();
    private final LoadCounts counts = new LoadCounts();

    private int ready;
    private int connecting;
    private @Nullable PlanException setUpFailure;

    // The run itself.
    private boolean running;
    private boolean ended;
    private String reason = "";
    private long startNanos;
    private long warmUpNanos;
    private long countedNanos;
    private long countedSends;
    private long lastReplyNanos;
    private long noneReadySinceNanos;

    LoadEngine(
            LoadPlan plan,
            InetSocketAddress address,
            Welcome welcome,
            TargetDescription target,
            SampleSpool spool,
            @Nullable LedgerWriter ledger) {
        this.plan = plan;
        this.address = address;
        this.targetId = target.id();
        this.inverted = Services.inverts(welcome, target.id());
        this.spool = spool;
        this.ledger = ledger;
        loop = new ManualIoEventLoop(
                Thread.currentThread(), Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        payloads = new Payloads(PooledByteBufAllocator.DEFAULT, plan.mix().mostBytes(), plan.seed());
        draw = new RequestDraw(plan.mix(), plan.loggedShare(), plan.seed() * 1_000_003 + plan.part());
        connections = new LoadConnection[plan.ownConnections()];
        long client = ClientOptions.freshClientId();
        for (int i = 0; i < connections.length; i++) {
            connections[i] = new LoadConnection(this, i, client + i);
        }
        flights = new Flights(plan.mode() == LoadMode.CLOSED ? connections.length * plan.outstanding() : 4096);
    }

    /**
     * Makes all connections.
     *
     * @throws PlanException if one cannot be made, with what the server said
     */
    void connectAll() throws PlanException {
        int begun = 0;
        while (ready < connections.length) {
            while (begun < connections.length && connecting < CONNECTING_AT_ONCE) {
                connecting++;
                connections[begun].connect(firstAnswered(begun++));
            }
            loop.run(LONGEST_WAIT_NANOS);
            sweepConnecting(System.nanoTime());
            PlanException failure = setUpFailure;
            if (failure != null) {
                throw failure;
            }
        }
    }

    /**
     * The first connections of a partly open loop count as used to different degrees. Else all would come to their end, and be
     * made anew, at about the same time, again and again.
     */
    private int firstAnswered(int index) {
        return plan.mode() == LoadMode.PARTLY_OPEN ? index % plan.requestsPerConnection() : 0;
    }

    /** Keeps the connections alive for a moment while others are not ready to start. */
    void idle() {
        loop.run(LONGEST_WAIT_NANOS);
    }

    /** Counted requests with replies so far, of whatever status. */
    long answered() {
        return counts.answered.get();
    }

    /** Requests due or under way without reply. */
    int outstanding() {
        return (int) counts.outstanding.get();
    }

    /** What was counted besides the samples. */
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
        warmUpNanos = plan.warmUp().toNanos();
        countedNanos = plan.requests() > 0 ? 0 : plan.duration().toNanos();
        ArrivalTimes arrivals = new ArrivalTimes(plan.arrivals(), rate(), plan.seed(), plan.part(), plan.parts());
        boolean scheduled = plan.mode().isScheduled();
        long endNanos = countedNanos == 0 ? Long.MAX_VALUE : start + warmUpNanos + countedNanos;
        long nextNanos = scheduled ? start + arrivals.next() : Long.MAX_VALUE;
        long arrived = 0;
        waitUntil(start);
        running = true;
        lastReplyNanos = start;
        noneReadySinceNanos = start;
        long sweepNanos = start;
        long stoppedNanos = Long.MAX_VALUE;
        if (!scheduled) {
            for (LoadConnection connection : connections) {
                fill(connection);
            }
        }
        while (true) {
            long now = System.nanoTime();
            for (int i = 0; i < BURST && nextNanos <= now && nextNanos < endNanos && !ended; i++) {
                arrive(connections[(int) (arrived++ % connections.length)], nextNanos);
                nextNanos = start + arrivals.next();
            }
            // An intended time before the end is due even if we come to it only afterwards.
            if (!ended && now >= endNanos && nextNanos >= endNanos) {
                ended = true;
            }
            if (now >= sweepNanos) {
                sweepNanos = now + SWEEP_NANOS;
                sweep(now);
                if (stoppedNanos == Long.MAX_VALUE && stop.getAsBoolean()) {
                    stoppedNanos = now;
                    end("interrupted after " + counts.answered.get() + " replies");
                }
            }
            if (ended && flights.taken() == 0) {
                break;
            }
            if (now - stoppedNanos > PATIENCE_AFTER_STOP_NANOS || (ended && ready == 0 && !reason.isEmpty())) {
                break;
            }
            if (silentFor(now) > PATIENCE_NANOS) {
                end("no reply within " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s, with " + flights.taken()
                        + " requests due or under way");
                break;
            }
            poll(now, ended ? Long.MAX_VALUE : Math.min(nextNanos, endNanos));
        }
        running = false;
        giveUpTheRest();
        return reason;
    }

    private double rate() {
        return plan.mode().isScheduled() ? plan.ratePerSecond() : 1;
    }

    /** Looks after connections until the next time that something is due, or until something came. */
    private void poll(long now, long dueNanos) {
        long wait = Math.min(dueNanos - spin.nanos() - now, LONGEST_WAIT_NANOS);
        if (wait <= 0) {
            loop.runNow(TASKS_NANOS);
            return;
        }
        int handled = loop.run(wait, TASKS_NANOS);
        if (handled == 0) {
            spin.waited(Math.max(0, System.nanoTime() - now - wait));
        }
    }

    private void waitUntil(long start) {
        for (long now = System.nanoTime(); now < start; now = System.nanoTime()) {
            poll(now, start);
        }
    }

    /** A request is due on a connection. */
    private void arrive(LoadConnection connection, long intendedNanos) {
        if (flights.taken() >= plan.mostOutstanding()) {
            end("the offered rate could not be sustained: " + flights.taken()
                    + " requests were due or under way without reply, the most that --max-outstanding allows");
            return;
        }
        int slot = newRequest(intendedNanos);
        boolean busy = plan.mode() == LoadMode.PARTLY_OPEN && connection.underWay.count() > 0;
        if (connection.isReady() && !busy && connection.due.isEmpty()) {
            send(connection, slot);
        } else {
            connection.due.add(slot);
        }
    }

    /** Takes a slot and draws what the request in it is. */
    private int newRequest(long atNanos) {
        int slot = flights.take();
        counts.outstanding(flights.taken());
        draw.next();
        flights.payloadBytes[slot] = draw.payloadBytes();
        flights.readOnly[slot] = draw.readOnly();
        flights.intendedNanos[slot] = atNanos;
        long since = atNanos - startNanos - warmUpNanos;
        flights.warmUp[slot] = since < 0;
        flights.block[slot] = since < 0 ? 0 : block(since);
        return slot;
    }

    private int block(long sinceNanos) {
        double part =
                plan.requests() > 0 ? (double) countedSends++ / plan.ownRequests() : (double) sinceNanos / countedNanos;
        return (int) Math.min(plan.blocks() - 1L, (long) (part * plan.blocks()));
    }

    private void send(LoadConnection connection, int slot) {
        connection.send(slot);
        long intended = flights.intendedNanos[slot];
        // What kept it waiting was the connection until it was free; what came after that was ourselves.
        flights.heldNanos[slot] = plan.mode().isScheduled() && connection.freeNanos > intended
                ? Math.min(connection.freeNanos, flights.sentNanos[slot]) - intended
                : 0;
    }

    /** Sends what a connection may send now: in a closed loop as many as are to be under way, else what is due. */
    private void fill(LoadConnection connection) {
        switch (plan.mode()) {
            case CLOSED -> {
                while (!ended && connection.isReady() && connection.underWay.count() < plan.outstanding()) {
                    if (plan.requests() > 0 && countedSends >= plan.ownRequests()) {
                        ended = true;
                        return;
                    }
                    send(connection, newRequest(System.nanoTime()));
                }
            }
            case OPEN -> {
                while (connection.isReady() && !connection.due.isEmpty()) {
                    send(connection, connection.due.poll());
                }
            }
            case PARTLY_OPEN -> {
                if (connection.isReady() && connection.underWay.count() == 0 && !connection.due.isEmpty()) {
                    send(connection, connection.due.poll());
                }
            }
        }
    }

    /** A connection has shaken hands. */
    void connected(LoadConnection connection) {
        ready++;
        connecting--;
        noneReadySinceNanos = System.nanoTime();
        counts.connects++;
        if (running) {
            fill(connection);
        }
    }

    /** A connection could not be made. */
    void notConnected(LoadConnection connection, String why, @Nullable GoodbyeCode code) {
        connecting--;
        counts.failedConnects++;
        if (!running) {
            if (setUpFailure == null) {
                setUpFailure = new PlanException("connection " + (ready + 1) + " of " + connections.length + " to "
                        + plan.host() + ":" + plan.port() + " could not be made: " + why
                        + (code == GoodbyeCode.TOO_MANY
                                ? "; start the server with --max-connections of at least " + plan.connections()
                                        + ", or use fewer --connections"
                                : ""));
            }
            return;
        }
        reconnectLater(connection);
    }

    /** A connection ended by itself. Its requests are lost: nobody knows whether they were executed. */
    void lost(LoadConnection connection, String why) {
        ready--;
        if (!running) {
            if (setUpFailure == null) {
                setUpFailure = new PlanException("a connection to " + plan.host() + ":" + plan.port()
                        + " was lost before the load began: " + why);
            }
            return;
        }
        counts.lostConnections++;
        counts.lastLoss = why;
        long now = System.nanoTime();
        for (int slot = connection.underWay.removeAny(); slot >= 0; slot = connection.underWay.removeAny()) {
            record(connection, slot, NO_REPLY, null, now);
        }
        reconnectLater(connection);
    }

    private void reconnectLater(LoadConnection connection) {
        if (ended && connection.due.isEmpty()) {
            return;
        }
        long millis = Math.min(LONGEST_BACKOFF_MILLIS, 10L << Math.min(7, connection.failedConnects));
        connecting++;
        var unused = loop.schedule(
                () -> {
                    if (running) {
                        connection.connect(0);
                    }
                },
                millis,
                TimeUnit.MILLISECONDS);
    }

    /** A reply is there; the slot is off the connection's table. */
    void replied(LoadConnection connection, int slot, ByteBuf reply, long now) {
        lastReplyNanos = now;
        if (plan.mode() == LoadMode.PARTLY_OPEN) {
            connection.freeNanos = now;
        }
        int status = ReplyHeader.status(reply);
        int bytes = flights.payloadBytes[slot];
        long request = flights.number[slot];
        boolean wrong = ReplyHeader.payloadBytes(reply) != bytes
                || (status == Status.OK.code() && inverted && !payloads.isInverted(reply, request, bytes));
        if (wrong) {
            end("the reply to request " + Long.toUnsignedString(request) + " of client "
                    + Long.toUnsignedString(connection.clientId())
                    + " is not as long as its request, or not its payload inverted");
        } else if (isHopeless(status)) {
            end("the server refused with " + LoadWords.status(status) + ": " + ReplyHeader.sentence(reply));
        } else if (status == Status.OK.code() && ledger != null && !flights.readOnly[slot]) {
            acknowledged(ledger, connection, slot, reply);
        }
        record(connection, slot, wrong ? WRONG_REPLY : status, reply, now);
        if (plan.mode() == LoadMode.PARTLY_OPEN && connection.answered >= plan.requestsPerConnection()) {
            connection.close();
            ready--;
            if (!ended || !connection.due.isEmpty()) {
                connecting++;
                connection.connect(0);
            }
        } else {
            fill(connection);
        }
    }

    /** After these no later request could fare better. */
    private static boolean isHopeless(int status) {
        return status == Status.LOG_FAILED.code()
                || status == Status.SHUTTING_DOWN.code()
                || status == Status.UNKNOWN_TARGET.code()
                || status == Status.UNSUPPORTED.code();
    }

    private void acknowledged(LedgerWriter lines, LoadConnection connection, int slot, ByteBuf reply) {
        long request = flights.number[slot];
        int bytes = flights.payloadBytes[slot];
        try {
            lines.add(
                    connection.clientId(),
                    request,
                    targetId,
                    ReplyHeader.logIndex(reply),
                    bytes,
                    payloads.crc(request, bytes));
        } catch (LedgerException e) {
            end(String.valueOf(e.getMessage()));
        }
    }

    /** The server answered something that nobody asked. */
    void wrongReply(String what) {
        end(what);
    }

    /** Ends the sending with the first reason. */
    private void end(String why) {
        ended = true;
        if (reason.isEmpty()) {
            reason = why;
        }
    }

    private void record(LoadConnection connection, int slot, int status, @Nullable ByteBuf reply, long now) {
        long sent = flights.sentNanos[slot];
        Samples samples = spool.next();
        samples.begin();
        samples.set(Column.BLOCK, flights.block[slot]);
        samples.set(Column.PHASE, flights.warmUp[slot] ? 1 : 0);
        samples.set(Column.CONNECTION, connection.index);
        samples.set(Column.INTENDED, (plan.mode().isScheduled() ? flights.intendedNanos[slot] : sent) - startNanos);
        samples.set(Column.SENT, sent - startNanos);
        samples.set(Column.END_TO_END, now - sent);
        samples.set(Column.STATUS, status);
        samples.set(Column.KIND, flights.readOnly[slot] ? 1 : 0);
        samples.set(Column.PAYLOAD_BYTES, flights.payloadBytes[slot]);
        samples.set(Column.HELD, flights.heldNanos[slot]);
        samples.set(Column.CONNECT, flights.connectNanos[slot]);
        if (reply != null) {
            samples.setServerSide(reply);
            counts.answered.setRelease(counts.answered.getPlain() + 1);
        }
        flights.give(slot);
        counts.outstanding(flights.taken());
    }

    /** Requests without reply at the end: under way ones are lost, due ones were never sent. */
    private void giveUpTheRest() {
        long now = System.nanoTime();
        for (LoadConnection connection : connections) {
            for (int slot = connection.underWay.removeAny(); slot >= 0; slot = connection.underWay.removeAny()) {
                record(connection, slot, NO_REPLY, null, now);
            }
            while (!connection.due.isEmpty()) {
                int slot = connection.due.poll();
                flights.sentNanos[slot] = now;
                flights.heldNanos[slot] = now - flights.intendedNanos[slot];
                flights.connectNanos[slot] = 0;
                record(connection, slot, NO_REPLY, null, now);
            }
        }
    }

    private long silentFor(long now) {
        return flights.taken() == 0 ? 0 : now - Math.max(lastReplyNanos, startNanos);
    }

    private void sweep(long now) {
        sweepConnecting(now);
        if (spool.failure() != null) {
            end("the samples could not be written: " + spool.failure().getMessage());
        }
        if (flights.taken() == 0) {
            // Nothing is due: silence from now on does not count from before.
            lastReplyNanos = now;
        }
        if (ready > 0) {
            noneReadySinceNanos = now;
        } else if (now - noneReadySinceNanos > CONNECT_NANOS) {
            end("all connections were lost and none could be made anew within "
                    + TimeUnit.NANOSECONDS.toSeconds(CONNECT_NANOS) + " s: " + counts.lastLoss);
        }
    }

    private void sweepConnecting(long now) {
        if (connecting == 0) {
            return;
        }
        for (LoadConnection connection : connections) {
            if (connection.isConnecting() && now - connection.connectBeganNanos() > CONNECT_NANOS) {
                connection.giveUpConnecting("no welcome came within " + CONNECT_MILLIS + " ms");
            }
        }
    }

    /** Begins a TCP connection. */
    ChannelFuture connect(ChannelHandler decoder, ChannelHandler handler) {
        return new Bootstrap()
                .group(loop)
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .disableResolver()
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(decoder, handler);
                    }
                })
                .connect(address);
    }

    /** Closes all connections and ends the loop. For the driving thread. */
    @Override
    public void close() {
        for (LoadConnection connection : connections) {
            connection.close();
        }
        var unused = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        while (!loop.isTerminated()) {
            loop.runNow();
        }
        payloads.close();
    }
}
