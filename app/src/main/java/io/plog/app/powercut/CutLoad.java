package io.plog.app.powercut;

import io.plog.client.ClientOptions;
import io.plog.client.NoReplyException;
import io.plog.client.Reply;
import io.plog.client.RetryOptions;
import io.plog.client.RetryingClient;
import io.plog.client.RpcException;
import io.plog.client.ServerUnavailableException;
import io.plog.measure.ledger.AuditLedgerWriter;
import io.plog.measure.ledger.LedgerException;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.protocol.TargetDescription;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The client of one round: sends requests of many sizes to both logs, and notes what was acknowledged, until the server's machine is
 * gone. Replies are noted by the client's own thread.
 */
final class CutLoad implements Closeable {
    private static final int OUTSTANDING = 8;
    private static final int MOST_BYTES = 10_000;
    private static final Duration LONGEST = Duration.ofHours(24);

    private final RetryingClient client;
    private final Path ledgerFile;
    private final int round;
    private final AuditLedgerWriter ledger;
    private final ByteBuffer random = ByteBuffer.allocate(2 * MOST_BYTES);

    // Guarded by this.
    private final Random sizes;
    private long acknowledged;
    private boolean ending;
    private String lost = "";
    private @Nullable IOException failure;

    /**
     * Waits for a server, for up to 24 h, and begins to send.
     *
     * @param directory where the ledger goes, {@code round-N.ledger}
     * @throws IOException if what answers is not the server of such a test
     */
    CutLoad(InetSocketAddress server, ClientOptions options, Path directory, long seed) throws IOException {
        sizes = new Random(seed);
        sizes.nextBytes(random.array());
        client = RetryingClient.of(
                List.of(server),
                1,
                options.withClientId(ClientOptions.freshClientId()),
                RetryOptions.defaults().withDeadline(LONGEST).withMaxOutstanding(2 * OUTSTANDING, Long.MAX_VALUE),
                (why, pause) -> retrying(why));
        try {
            List<TargetDescription> targets = client.server(LONGEST).targets();
            round = PowerCutMachine.round(targets);
            Files.createDirectories(directory);
            ledgerFile = directory.resolve("round-" + round + ".ledger");
            ledger = AuditLedgerWriter.open(new LedgerOptions(ledgerFile, false));
            for (TargetDescription target : targets) {
                for (int i = 0; i < OUTSTANDING; i++) {
                    send(target);
                }
            }
        } catch (RpcException e) {
            client.close();
            throw new IOException(e.getMessage(), e);
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    int round() {
        return round;
    }

    Path ledgerFile() {
        return ledgerFile;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // of whenComplete, whose outcome is noted
    private synchronized void send(TargetDescription target) {
        ByteBuffer payload = random.slice(sizes.nextInt(MOST_BYTES), 1 + sizes.nextInt(MOST_BYTES));
        CRC32C crc = new CRC32C();
        crc.update(payload.duplicate());
        client.call(target.name(), payload)
                .whenComplete((reply, why) -> answered(target, payload.remaining(), (int) crc.getValue(), reply, why));
    }

    private synchronized void answered(
            TargetDescription target, int bytes, int crc, @Nullable Reply reply, @Nullable Throwable why) {
        if (ending) {
            return;
        }
        if (reply == null) {
            lost = "a request failed: " + (why == null ? "" : why.getMessage());
        } else {
            try {
                ledger.add(client.clientId(), reply.requestNumber(), target.id(), reply.logIndex(), bytes, crc);
                acknowledged++;
                if (lost.isEmpty()) {
                    send(target);
                }
            } catch (LedgerException e) {
                failure = e;
            }
        }
        notifyAll();
    }

    private synchronized void retrying(RpcException why) {
        if (acknowledged > 0 && (why instanceof ServerUnavailableException || why instanceof NoReplyException)) {
            lost = String.valueOf(why.getMessage());
            notifyAll();
        }
    }

    /**
     * Waits until so many requests are acknowledged, or the server is gone, or the time has passed.
     *
     * @return why it is gone; empty if it is there
     * @throws IOException if the ledger cannot be written
     */
    synchronized String await(long requests, Duration atMost) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        long left = atMost.toMillis();
        while (lost.isEmpty() && failure == null && acknowledged < requests && left > 0) {
            wait(left);
            left = (deadline - System.nanoTime()) / 1_000_000;
        }
        if (failure != null) {
            throw failure;
        }
        return lost;
    }

    synchronized long acknowledged() {
        return acknowledged;
    }

    /** Ends it; the ledger is whole then. */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            ending = true;
        }
        client.close();
        ledger.close();
    }
}
