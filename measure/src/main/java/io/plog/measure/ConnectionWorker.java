package io.plog.measure;

import io.plog.client.RpcException;
import io.plog.client.WrongReplyException;
import io.plog.measure.ledger.AuditLedgerWriter;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One connection's part of the experiment: a closed loop with one request outstanding, every sample kept. On the path of
 * a request nothing is allocated and nothing is handed to another thread.
 *
 * <p>For one thread; {@link #done} may be read by any.
 */
final class ConnectionWorker {
    private static final long SPIN_NANOS = 200_000;

    /**
     * What all workers do for one cell in one block.
     *
     * @param requests over all connections
     * @param ratePerSecond of all connections together; 0 for as soon as there is a reply
     * @param startNanos when the schedule of intended times begins, if there is a rate
     */
    record Turn(
            CellKey cell, int trial, int block, boolean warmup, long requests, double ratePerSecond, long startNanos) {}

    private final MeasuringConnection connection;
    private final int index;
    private final int workers;
    private final @Nullable AuditLedgerWriter ledger;
    private final BooleanSupplier stopped;
    private final AtomicLong done = new AtomicLong();
    private final CRC32C crc = new CRC32C();
    private long requestNumber;
    private long runStartNanos;

    ConnectionWorker(
            MeasuringConnection connection,
            int index,
            int workers,
            long runStartNanos,
            @Nullable AuditLedgerWriter ledger,
            BooleanSupplier stopped) {
        this.connection = connection;
        this.index = index;
        this.workers = workers;
        this.runStartNanos = runStartNanos;
        this.ledger = ledger;
        this.stopped = stopped;
    }

    /** From now on its samples' times count from here. */
    void startAt(long nanos) {
        runStartNanos = nanos;
    }

    /** How many requests were answered. */
    long done() {
        return done.getOpaque();
    }

    /** How many of a turn's requests are its own. */
    long share(long requests) {
        return requests / workers + (index < requests % workers ? 1 : 0);
    }

    /** Gets ready for a cell; with a seed, payloads are the same for every target, so that targets differ in nothing else. */
    void prepare(CellKey cell, long seed) {
        connection.prepare(cell.targetId(), cell.payloadBytes(), seed * 31 + cell.payloadBytes() * 1_025L + index);
    }

    /**
     * Runs its share of the turn, or a part of it if it is stopped.
     *
     * @param samples gets a sample for each request that was sent, also for one that failed
     * @throws RpcException if the connection or the server failed; the samples up to it are there
     */
    void run(Turn turn, Samples samples) throws IOException {
        long own = share(turn.requests);
        for (long i = 0; i < own && !stopped.getAsBoolean(); i++) {
            long intended = 0;
            if (turn.ratePerSecond > 0) {
                intended = turn.startNanos + offsetNanos(index + i * workers, turn.ratePerSecond);
                waitUntil(intended);
            }
            exchange(turn, intended, samples);
        }
    }

    /**
     * Returns at this time at the earliest, or at once if it has passed. A parked thread comes back tens of microseconds late on
     * Linux (timer slack), so the last {@value #SPIN_NANOS} ns are spun.
     *
     * @param at as {@link System#nanoTime}
     */
    private static void waitUntil(long at) {
        long left = at - System.nanoTime();
        while (left > 0) {
            if (left > SPIN_NANOS) {
                // May return early, so the loop looks again.
                LockSupport.parkNanos(left - SPIN_NANOS);
            } else {
                Thread.onSpinWait();
            }
            left = at - System.nanoTime();
        }
    }

    /** The intended time of a request, from its number within the cell's turn; exact for any rate and duration. */
    private static long offsetNanos(long request, double ratePerSecond) {
        return (long) (request * (1e9 / ratePerSecond));
    }

    private void exchange(Turn turn, long intended, Samples samples) throws IOException {
        int status = Samples.NO_REPLY;
        requestNumber++;
        try {
            connection.exchange(requestNumber);
            connection.checkReply();
            status = ReplyHeader.status(connection.reply());
        } catch (WrongReplyException e) {
            status = Samples.WRONG_REPLY;
            throw e;
        } finally {
            record(turn, intended, status, samples);
        }
        done.setRelease(requestNumber);
        if (status == Status.OK.code()) {
            acknowledged(turn);
        } else if (status != Status.OVERLOADED.code()) {
            // A full queue is the only refusal after which the next request may succeed.
            throw connection.refusal();
        }
    }

    /** Keeps the sample of the exchange that has just ended; package-private so that its cost can be measured alone. */
    void record(Turn turn, long intended, int status, Samples samples) {
        long sent = connection.sentNanos();
        samples.begin();
        samples.set(Column.TRIAL, turn.trial);
        samples.set(Column.BLOCK, turn.block);
        samples.set(Column.PHASE, turn.warmup ? 1 : 0);
        samples.set(Column.CONNECTION, index);
        samples.set(Column.INTENDED, (turn.ratePerSecond > 0 ? intended : sent) - runStartNanos);
        samples.set(Column.SENT, sent - runStartNanos);
        samples.set(Column.END_TO_END, connection.receivedNanos() - sent);
        samples.set(Column.STATUS, status);
        samples.set(Column.PAYLOAD_BYTES, turn.cell.payloadBytes());
        if (status >= 0) {
            samples.setServerSide(connection.reply());
        }
    }

    private void acknowledged(Turn turn) throws IOException {
        if (ledger != null) {
            crc.reset();
            crc.update(connection.payload());
            ledger.add(
                    connection.clientId(),
                    requestNumber,
                    turn.cell.targetId(),
                    ReplyHeader.logIndex(connection.reply()),
                    turn.cell.payloadBytes(),
                    (int) crc.getValue());
        }
    }
}
