package io.plog.e2e.support;

import io.plog.client.ClientOptions;
import io.plog.client.Reply;
import io.plog.client.RetryListener;
import io.plog.client.RetryOptions;
import io.plog.client.RetryingClient;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client that keeps some requests under way, to all targets in turn, whatever happens to the servers, and notes every
 * acknowledgement.
 */
public final class KillClient implements AutoCloseable {
    private static final int LONGEST_BYTES = 12_000;

    private final int ordinal;
    private final List<Acknowledged> targets;
    private final ConcurrentLinkedQueue<Throwable> failures;
    private final int outstanding;
    private final Duration pause;
    private final RetryingClient client;

    // Guarded by this.
    private long number;
    private int underWay;
    private boolean stopping;

    /**
     * @param ordinal from 1 to 127
     * @param clientBase what to add to it for the client's id
     * @param ports of all servers of the targets
     * @param targets what they acknowledged
     * @param outstanding how many requests are under way
     * @param pause before a request follows one that was acknowledged
     * @param failures where to put what must not happen
     */
    public KillClient(
            int ordinal,
            long clientBase,
            List<Integer> ports,
            List<Acknowledged> targets,
            int outstanding,
            Duration pause,
            ConcurrentLinkedQueue<Throwable> failures) {
        this.ordinal = ordinal;
        this.targets = targets;
        this.failures = failures;
        this.outstanding = outstanding;
        this.pause = pause;
        List<InetSocketAddress> servers = ports.stream()
                .map(port -> InetSocketAddress.createUnresolved("127.0.0.1", port))
                .toList();
        RetryOptions options = RetryOptions.defaults()
                .withDeadline(Duration.ofMinutes(5))
                .withPauses(Duration.ofMillis(5), Duration.ofMillis(80))
                .withMaxOutstanding(outstanding, 1 << 20);
        client = RetryingClient.of(
                servers, 1, ClientOptions.defaults().withClientId(clientBase + ordinal), options, RetryListener.NONE);
    }

    /** Of one server, without a pause. */
    public KillClient(
            int ordinal,
            long clientBase,
            int port,
            List<Acknowledged> targets,
            ConcurrentLinkedQueue<Throwable> failures) {
        this(ordinal, clientBase, List.of(port), targets, 24, Duration.ZERO, failures);
    }

    /** The payload of a client's request: of any length, mostly short, and never that of another. */
    public static byte[] payload(int client, long number) {
        long bits = mix(client * 0x9E3779B97F4A7C15L + number);
        int longest = (bits & 63) == 0 ? LONGEST_BYTES : (bits & 7) == 0 ? 2_000 : 200;
        byte[] payload = new byte[(int) ((bits >>> 8 & 0xFFFFFF) % (longest + 1))];
        ByteBuffer buffer = ByteBuffer.wrap(payload);
        while (buffer.remaining() >= Long.BYTES) {
            bits = mix(bits + 1);
            buffer.putLong(bits);
        }
        while (buffer.hasRemaining()) {
            buffer.put((byte) (bits >>> buffer.remaining()));
        }
        return payload;
    }

    private static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    public synchronized void start() {
        for (int i = 0; i < outstanding; i++) {
            send();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // of whenComplete, which handles both outcomes
    private synchronized void send() {
        if (stopping) {
            return;
        }
        long next = ++number;
        int target = (int) (next % targets.size());
        underWay++;
        client.call(targets.get(target).target(), ByteBuffer.wrap(payload(ordinal, next)), Duration.ofMinutes(5))
                .whenComplete((reply, failure) -> ended(next, target, reply, failure));
    }

    private void ended(long sent, int target, @Nullable Reply reply, @Nullable Throwable failure) {
        try {
            if (reply == null) {
                failures.add(new AssertionError("client " + ordinal + ", request " + sent + " failed", failure));
            } else if (reply.requestNumber() != sent) {
                failures.add(new AssertionError("request " + sent + " has the number " + reply.requestNumber()));
            } else {
                targets.get(target).add(ordinal, reply);
            }
        } catch (AssertionError wrong) {
            failures.add(wrong);
        }
        synchronized (this) {
            underWay--;
            notifyAll();
        }
        if (!failures.isEmpty()) {
            return;
        }
        if (pause.isZero()) {
            send();
        } else {
            CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(this::send);
        }
    }

    /** Sends no more. */
    public synchronized void stop() {
        stopping = true;
    }

    /** Waits until everything sent has its acknowledgement, or something failed. */
    public synchronized void awaitAll() throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (underWay > 0 && failures.isEmpty()) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new AssertionError(underWay + " requests of client " + ordinal + " got no acknowledgement");
            }
            wait(left);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
