package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.client.CallFailedException;
import io.plog.client.ClientOptions;
import io.plog.client.Reply;
import io.plog.client.RetryListener;
import io.plog.client.RetryOptions;
import io.plog.client.RetryingClient;
import io.plog.protocol.Transformation;
import io.plog.server.service.Chain;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;

/**
 * Clients of several servers that share a log: each sends one request after the other until it is asked to
 * end, and none may fail. Of the service {@code chain} every answer depends on all requests before it, so a client that has all answers can say
 * whether one was lost, repeated or reordered; of {@code invert} the indexes say it.
 */
public final class ChainClients implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private record Answered(byte[] payload, byte[] answer) {}

    /** What the servers execute. */
    public enum Service {
        CHAIN,
        INVERT;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final String target;
    private final Service service;
    private final SortedMap<Long, Answered> byIndex = new TreeMap<>(); // guarded by this, as the next
    private final List<Throwable> failures = new ArrayList<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger retries = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ending;
    private long lastNanos; // guarded by this, as the next
    private long longestGapNanos;

    private ChainClients(String target, Service service) {
        this.target = target;
        this.service = service;
    }

    /** Of one target; each waits a while before its next request. */
    public static ChainClients start(int count, String target, Service service, Duration pause, List<Integer> ports) {
        ChainClients clients = new ChainClients(target, service);
        for (int i = 0; i < count; i++) {
            int client = i + 1;
            Thread thread = new Thread(() -> clients.run(client, pause, ports), target + "-client-" + client);
            clients.threads.add(thread);
            thread.start();
        }
        return clients;
    }

    private void run(int client, Duration pause, List<Integer> ports) {
        List<InetSocketAddress> addresses = ports.stream()
                .map(port -> InetSocketAddress.createUnresolved("127.0.0.1", port))
                .toList();
        ClientOptions options = ClientOptions.defaults().withClientId(1_000 + client);
        RetryOptions attempts = RetryOptions.defaults().withPauses(Duration.ofMillis(10), Duration.ofMillis(200));
        RetryListener listener = (why, wait) -> retries.incrementAndGet();
        try (RetryingClient connection = RetryingClient.of(addresses, 1, options, attempts, listener)) {
            for (int number = 1; !ending; number++) {
                byte[] payload = ("request " + number + " of client " + client).getBytes(StandardCharsets.US_ASCII);
                answered(payload, connection.callAndWait(target, ByteBuffer.wrap(payload), DEADLINE));
                LockSupport.parkNanos(pause.toNanos());
            }
        } catch (CallFailedException | RuntimeException e) {
            synchronized (this) {
                failures.add(e);
            }
        }
    }

    private synchronized void answered(byte[] payload, Reply reply) {
        long now = System.nanoTime();
        longestGapNanos = lastNanos == 0 ? 0 : Math.max(longestGapNanos, now - lastNanos);
        lastNanos = now;
        if (byIndex.put(reply.logIndex(), new Answered(payload, reply.payload())) != null) {
            failures.add(new AssertionError("two requests have index " + reply.logIndex()));
        }
        answered.incrementAndGet();
    }

    /** Waits until so many more requests were answered. */
    public void awaitMore(int count) throws Exception {
        int until = answered.get() + count;
        Await.until(count + " more requests are answered", () -> answered.get() >= until || hasFailed());
        assertNoneFailed();
    }

    private synchronized boolean hasFailed() {
        return !failures.isEmpty();
    }

    private synchronized void assertNoneFailed() {
        assertThat(failures).isEmpty();
    }

    /** So many requests were answered. */
    public int answered() {
        return answered.get();
    }

    /** So often something failed and was tried again: a connection, or a request that was refused. */
    public int retries() {
        return retries.get();
    }

    /**
     * Holds what is in the log against what was answered. The log may begin later, behind a checkpoint.
     *
     * @param log all that it has, after the clients ended
     */
    public synchronized void checkLog(List<LogContents.Entry> log) {
        assertThat(log).as("records of %s", target).isNotEmpty();
        assertThat(log.get(log.size() - 1).index())
                .as("the last index of %s", target)
                .isEqualTo(byIndex.lastKey());
        long index = log.get(0).index();
        for (LogContents.Entry entry : log) {
            assertThat(entry.index()).isEqualTo(index);
            Answered answer = byIndex.get(index);
            assertThat(answer)
                    .as("what %s has at %d was answered", target, index)
                    .isNotNull();
            CRC32C crc = new CRC32C();
            crc.update(answer.payload());
            assertThat(entry.length()).as("length of %d", index).isEqualTo(answer.payload().length);
            assertThat(entry.crc32c())
                    .as("CRC-32C of %d", index)
                    .isEqualTo(String.format(Locale.ROOT, "%08x", crc.getValue()));
            index++;
        }
    }

    /** The longest time without an answer since it was asked last. */
    public synchronized Duration takeLongestGap() {
        Duration gap = Duration.ofNanos(longestGapNanos);
        longestGapNanos = 0;
        return gap;
    }

    /** Ends them, and recomputes what every request must have been answered if each was executed once, in the order of the log. */
    public int endAndCheck() throws Exception {
        ending = true;
        for (Thread thread : threads) {
            thread.join();
        }
        assertNoneFailed();
        long state = Chain.INITIAL_STATE;
        long index = 0;
        for (var each : byIndex.entrySet()) {
            index++;
            assertThat(each.getKey())
                    .as("each index is of one request that was answered")
                    .isEqualTo(index);
            byte[] payload = each.getValue().payload();
            ByteBuf request = Unpooled.wrappedBuffer(payload);
            byte[] expected = new byte[payload.length];
            if (service == Service.CHAIN) {
                state = Chain.next(state, request, 0, payload.length);
                Chain.answer(state, request, 0, Unpooled.wrappedBuffer(expected), 0, payload.length);
            } else {
                Transformation.invert(request, 0, Unpooled.wrappedBuffer(expected), 0, payload.length);
            }
            assertThat(each.getValue().answer()).as("answer %d", index).isEqualTo(expected);
        }
        return byIndex.size();
    }

    @Override
    public void close() {
        ending = true;
    }
}
