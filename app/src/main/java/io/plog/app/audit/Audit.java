package io.plog.app.audit;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.plog.log.LogReader;
import io.plog.log.storage.LogDamagedException;
import io.plog.protocol.RequestRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Proves that acknowledged is a subset of recovered: each acknowledged request is in the log, byte for byte, once, and at
 * the index that its client was given; and the log's indices have no gap. Prints nothing. For one audit, by one thread.
 */
final class Audit {
    private final Acknowledgements acknowledged;
    private final Consumer<Violation> violations;
    private final BitSet seen = new BitSet();
    private final BitSet wrong = new BitSet();
    private final Map<Violation.Kind, Long> counts = new EnumMap<>(Violation.Kind.class);
    private final CRC32C crc = new CRC32C();

    /**
     * What an audit found.
     *
     * @param acknowledged how many requests were acknowledged, according to the ledger
     * @param intact how many of them are in the log as they should be
     * @param dropped how many of them are before the log's first record and covered by its checkpoint
     * @param wrong how many of them something is wrong with
     * @param records how many records were read
     * @param firstIndex the index of the log's first record, or that it would have
     * @param lastIndex the index of the last record that was read; {@code firstIndex - 1} without one
     * @param checkpointIndex the last record that the checkpoint covers; 0 without one
     * @param counts how many violations of each kind there are; kinds without one are missing
     * @param damage where the log is damaged, if it is
     */
    record Result(
            long acknowledged,
            long intact,
            long dropped,
            long wrong,
            long records,
            long firstIndex,
            long lastIndex,
            long checkpointIndex,
            Map<Violation.Kind, Long> counts,
            @JsonIgnore @Nullable LogDamagedException damage) {
        /** Whether the log keeps everything that was acknowledged. */
        boolean holds() {
            return counts.isEmpty() && damage == null;
        }
    }

    /**
     * An audit.
     *
     * @param violations gets each violation as it is found; those found in the log in log order, those missing in the
     *     ledger's order behind them
     */
    Audit(Acknowledgements acknowledged, Consumer<Violation> violations) {
        this.acknowledged = acknowledged;
        this.violations = violations;
    }

    /** Counts and reports what a ledger says of a request in two ways. */
    void contradicted(Violation ofLedger) {
        wrong.set(acknowledged.find(ofLedger.client(), ofLedger.request()));
        report(ofLedger);
    }

    /**
     * Reads the whole log.
     *
     * @param checkpointIndex the last record that the log's checkpoint covers; 0 without one
     * @param damagedCheckpoint what else is damaged; null if nothing is
     * @throws IOException if the log cannot be read; damage is part of the result
     */
    Result run(LogReader records, long checkpointIndex, @Nullable LogDamagedException damagedCheckpoint)
            throws IOException {
        long first = records.index() + 1;
        long last = first - 1;
        long count = 0;
        LogDamagedException damage = null;
        try {
            while (records.next()) {
                if (records.index() != last + 1) {
                    report(new Violation(Violation.Kind.GAP, 0, 0, null, place(records.index(), records.payload())));
                }
                last = records.index();
                count++;
                compare(last, records.payload());
            }
        } catch (LogDamagedException e) {
            damage = e;
        }
        long dropped = missing(first, last, checkpointIndex, damage != null);
        return new Result(
                acknowledged.size(),
                acknowledged.size() - dropped - wrong.cardinality(),
                dropped,
                wrong.cardinality(),
                count,
                first,
                last,
                checkpointIndex,
                counts,
                damage == null ? damagedCheckpoint : damage);
    }

    private void compare(long index, ByteBuffer record) {
        if (!RequestRecord.isRequest(record)) {
            return;
        }
        int id = acknowledged.find(RequestRecord.client(record), RequestRecord.request(record));
        if (id < 0) {
            return; // not acknowledged, or noted in another ledger
        }
        Violation.Place asAcknowledged = acknowledged.place(id);
        Violation.Place found = place(index, record);
        if (seen.get(id)) {
            violation(Violation.Kind.REPEATED, id, found);
        } else if (index != asAcknowledged.index()) {
            violation(Violation.Kind.MOVED, id, found);
        }
        if (found.length() != asAcknowledged.length() || found.crc32c() != asAcknowledged.crc32c()) {
            violation(Violation.Kind.CHANGED, id, found);
        }
        seen.set(id);
    }

    /** Reports requests that are missing in the log; returns the number of those that a checkpoint covers. */
    private long missing(long first, long last, long checkpointIndex, boolean damaged) {
        long dropped = 0;
        for (int id = seen.nextClearBit(0); id < acknowledged.size(); id = seen.nextClearBit(id + 1)) {
            long index = acknowledged.place(id).index();
            if (index < first && index <= checkpointIndex) {
                dropped += wrong.get(id) ? 0 : 1;
            } else if (damaged && index > last) {
                violation(Violation.Kind.BEHIND_DAMAGE, id, null);
            } else {
                violation(Violation.Kind.LOST, id, null);
            }
        }
        return dropped;
    }

    private void violation(Violation.Kind kind, int id, Violation.@Nullable Place found) {
        wrong.set(id);
        report(new Violation(kind, acknowledged.client(id), acknowledged.request(id), acknowledged.place(id), found));
    }

    private void report(Violation violation) {
        counts.merge(violation.kind(), 1L, Long::sum);
        violations.accept(violation);
    }

    private Violation.Place place(long index, ByteBuffer record) {
        ByteBuffer payload = RequestRecord.isRequest(record) ? RequestRecord.payload(record) : record.duplicate();
        crc.reset();
        int length = payload.remaining();
        crc.update(payload);
        return new Violation.Place(index, length, (int) crc.getValue());
    }
}
