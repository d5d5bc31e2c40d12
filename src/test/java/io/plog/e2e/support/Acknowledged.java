package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.client.Reply;
import io.plog.log.LogReader;
import io.plog.protocol.RequestRecord;
import io.plog.server.service.Chain;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.zip.CRC32C;

/**
 * What one target acknowledged, by its place in the log, and whether that is true. Payloads follow from client and number,
 * so a place, a number and a check are all that has to be remembered of a request. Safe for use by several threads.
 */
public final class Acknowledged {
    private final String target;
    private final boolean chain;

    // By log index. A client is its ordinal, from 1; 0 where nothing was acknowledged yet.
    private byte[] clients = new byte[1 << 16];
    private long[] numbers = new long[1 << 16];
    private int[] replyChecks = new int[1 << 16];
    private int count;
    private int last;
    private int recorded;
    private long lastNanos;
    private long longestGapNanos;

    /** @param chain whether its service is {@code chain}; otherwise {@code invert} */
    public Acknowledged(String target, boolean chain) {
        this.target = target;
        this.chain = chain;
    }

    public String target() {
        return target;
    }

    /** Notes a reply. */
    public synchronized void add(int client, Reply reply) {
        int index = Math.toIntExact(reply.logIndex());
        if (index >= clients.length) {
            int capacity = Math.max(index + 1, 2 * clients.length);
            clients = Arrays.copyOf(clients, capacity);
            numbers = Arrays.copyOf(numbers, capacity);
            replyChecks = Arrays.copyOf(replyChecks, capacity);
        }
        if (index < 1 || clients[index] != 0) {
            throw new AssertionError(
                    target + ": record " + index + " was acknowledged to client " + clients[index] + " as its request "
                            + numbers[index] + ", and to client " + client + " as " + reply.requestNumber());
        }
        clients[index] = (byte) client;
        numbers[index] = reply.requestNumber();
        replyChecks[index] = crc(reply.payload());
        count++;
        last = Math.max(last, index);
        recorded += reply.isRecorded() ? 1 : 0;
        long now = System.nanoTime();
        longestGapNanos = count == 1 ? 0 : Math.max(longestGapNanos, now - lastNanos);
        lastNanos = now;
    }

    public synchronized int count() {
        return count;
    }

    /** Waits until so many more were acknowledged, or something failed. */
    public void awaitMore(int more, Queue<Throwable> failures) throws Exception {
        int until = count() + more;
        Await.until(
                more + " more requests to " + target + " are acknowledged",
                () -> count() >= until || !failures.isEmpty());
        assertThat(failures).isEmpty();
    }

    /** The longest time without an acknowledgement since it was asked last. */
    public synchronized Duration takeLongestGap() {
        Duration gap = Duration.ofNanos(longestGapNanos);
        longestGapNanos = 0;
        return gap;
    }

    /** How many were acknowledged with an answer from memory: executed before a kill, and asked for again after it. */
    public synchronized int recorded() {
        return recorded;
    }

    /**
     * Holds all that was acknowledged so far against a log that is not being written at this moment. Records behind the last
     * acknowledged one may be there: their acknowledgement was lost with the server.
     *
     * @param complete whether every request was acknowledged; then nothing else may be in the log, and every answer can be
     *     computed anew
     */
    public synchronized void audit(Path log, long clientBase, boolean complete) throws IOException {
        long read = 0;
        try (LogReader reader = LogReader.open(log, 0)) {
            while (reader.next()) {
                ByteBuffer record = reader.payload();
                int index = Math.toIntExact(reader.index());
                if (index <= last && clients[index] != 0) {
                    String what = target + ", record " + index;
                    assertThat(RequestRecord.isRequest(record)).as(what).isTrue();
                    assertThat(RequestRecord.client(record)).as(what).isEqualTo(clientBase + clients[index]);
                    assertThat(RequestRecord.request(record)).as(what).isEqualTo(numbers[index]);
                    byte[] payload = KillClient.payload(clients[index], numbers[index]);
                    assertThat(RequestRecord.payload(record)).as(what).isEqualTo(ByteBuffer.wrap(payload));
                }
                read = index;
            }
        }
        checkEnd(read, complete);
    }

    /**
     * The same of a dump, once every request was acknowledged.
     *
     * @param log all that there is; it may begin behind a checkpoint
     */
    public synchronized void audit(List<LogContents.Entry> log, long clientBase) {
        assertThat(log).as("records of %s", target).isNotEmpty();
        int first = Math.toIntExact(log.get(0).index());
        checkEnd(first + log.size() - 1, true);
        for (int i = 0; i < log.size(); i++) {
            int index = first + i;
            byte[] payload = KillClient.payload(clients[index], numbers[index]);
            assertThat(log.get(i))
                    .as(target)
                    .isEqualTo(new LogContents.Entry(
                            index,
                            Long.toUnsignedString(clientBase + clients[index]),
                            Long.toString(numbers[index]),
                            payload.length,
                            String.format(Locale.ROOT, "%08x", crc(payload))));
        }
    }

    private void checkEnd(long read, boolean complete) {
        assertThat(read).as("%s: the last record", target).isGreaterThanOrEqualTo(last);
        if (complete) {
            assertThat(read)
                    .as("%s: the last record, of %d acknowledged", target, count)
                    .isEqualTo(last);
            checkAnswers();
        }
    }

    /** Computes every answer from all requests in log order: one that is lost, repeated or elsewhere changes the next. */
    private void checkAnswers() {
        assertThat(count)
                .as("%s: each record was acknowledged, and once", target)
                .isEqualTo(last);
        long state = Chain.INITIAL_STATE;
        for (int index = 1; index <= last; index++) {
            ByteBuf payload = Unpooled.wrappedBuffer(KillClient.payload(clients[index], numbers[index]));
            int length = payload.readableBytes();
            byte[] answer = new byte[length];
            if (chain) {
                state = Chain.next(state, payload, 0, length);
                Chain.answer(state, payload, 0, Unpooled.wrappedBuffer(answer), 0, length);
            } else {
                for (int i = 0; i < length; i++) {
                    answer[i] = (byte) ~payload.getByte(i);
                }
            }
            if (crc(answer) != replyChecks[index]) {
                throw new AssertionError(target + ": record " + index + " was answered as if the requests before it"
                        + " had been others (client " + clients[index] + ", request " + numbers[index] + ")");
            }
        }
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
