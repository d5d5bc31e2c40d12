package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.storage.Force;
import io.plog.log.storage.LogException;
import io.plog.log.storage.RecoveryReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a log must hold, however it was treated: all that was acknowledged, and of what was submitted a prefix; in order,
 * without a gap, once, byte for byte. What was shown after one crash counts as acknowledged from then on.
 */
final class Model {
    /** By index; what was refused for certain is not in it. */
    private final List<byte[]> submitted = new ArrayList<>();

    private long before; // the index before the first of these
    private @Nullable Cut cut; // is being made: from now on it may have been

    private long acknowledged; // every record up to this index
    private long stable; // the same, without what was acknowledged with force=write and not forced since
    private long dropped; // records before this index may be gone: the caller said that it needs them no more
    private boolean writtenOnly; // force=write since the last time that everything was forced
    private boolean mayBeDamaged; // and after that power was lost
    private long checkpoint = -1; // its index; -1 for none
    private final List<byte[]> possibleStates = new ArrayList<>(); // of the checkpoints that may be there
    private final List<Long> possibleCheckpoints = new ArrayList<>();
    private final Map<String, List<ByteBuffer>> possibleCells = new TreeMap<>(); // an empty value for none

    /**
     * A cut of the log at its end.
     *
     * @param index the last record that is left, or the last before the next one
     * @param all whether nothing is left at all
     * @param state of the checkpoint in the place of all; null for none
     */
    private record Cut(long index, boolean all, byte @Nullable [] state) {}

    /** Its first record has this index. */
    void beginAt(long index) {
        before = index - 1;
        acknowledged = before;
        stable = before;
    }

    /** The same model once more. */
    Model copy() {
        Model copy = new Model();
        copy.before = before;
        copy.cut = cut;
        copy.submitted.addAll(submitted);
        copy.acknowledged = acknowledged;
        copy.stable = stable;
        copy.dropped = dropped;
        copy.writtenOnly = writtenOnly;
        copy.mayBeDamaged = mayBeDamaged;
        copy.checkpoint = checkpoint;
        copy.possibleStates.addAll(possibleStates);
        copy.possibleCheckpoints.addAll(possibleCheckpoints);
        possibleCells.forEach((name, values) -> copy.possibleCells.put(name, new ArrayList<>(values)));
        return copy;
    }

    long acknowledged() {
        return acknowledged;
    }

    long checkpoint() {
        return checkpoint;
    }

    /** The log was opened with this way of forcing. */
    void opened(Force force) {
        writtenOnly = !force.isStable();
    }

    /** An append had its outcome. To be called in the order of the calls of append. */
    void outcome(Outcome append, @Nullable LogException failure) {
        if (failure == null) {
            append.records.forEach(this::submitted);
            long expected = before + submitted.size();
            if (append.index() != expected
                    || append.index() != acknowledged + append.records.size()
                    || !append.isAsExpected()) {
                throw new AssertionError(
                        "record " + expected + " was acknowledged as " + append.index() + ", after " + acknowledged);
            }
            acknowledged(append.index());
        } else if (failure.isIndeterminate()) {
            append.records.forEach(this::submitted);
        }
    }

    /** This is the next record, which may be in the log from now on. */
    void submitted(byte[] record) {
        submitted.add(record);
    }

    /** Every record up to this index is durable. */
    void acknowledged(long index) {
        acknowledged = index;
        stable = writtenOnly ? stable : index;
    }

    /** The caller needs nothing before this index. */
    void drop(long index) {
        dropped = Math.max(dropped, index);
    }

    /** Everything behind an index is being cut, or everything, perhaps for a state: from now on it may have been. */
    void cutting(long index, boolean all, byte @Nullable [] state) {
        cut = new Cut(index, all, state);
    }

    /** It was, and that is stable. */
    void hasCut() {
        Cut made = cut;
        cut = null;
        if (made == null || (!made.all() && made.index() == before + submitted.size())) {
            return; // or there was nothing to cut
        }
        if (made.all()) {
            submitted.clear();
            before = made.index();
            dropped = 0;
            checkpoint = -1;
            possibleCheckpoints.clear();
            possibleStates.clear();
            if (made.state() != null) {
                onlyCheckpoint(made.index(), made.state());
            }
        } else {
            submitted.subList((int) (made.index() - before), submitted.size()).clear();
        }
        acknowledged = made.index();
        stable = made.index();
    }

    /** It was, or nothing of it was, as the log now shows. */
    void mayHaveCut(long first, long last, Optional<Checkpoint> found) {
        Cut made = cut;
        boolean isDone = made != null && last == made.index() && (made.all() || last < acknowledged);
        if (isDone && made.all()) {
            ByteBuffer state = made.state() == null ? null : ByteBuffer.wrap(made.state());
            isDone = first == last + 1
                    && Objects.equals(state, found.map(Checkpoint::state).orElse(null));
        }
        if (isDone) {
            hasCut();
        }
        cut = null;
    }

    /** A cell is being put: from now on it may be there. */
    void puttingCell(String name, byte[] value) {
        possibleCells
                .computeIfAbsent(name, none -> new ArrayList<>(List.of(ByteBuffer.allocate(0))))
                .add(ByteBuffer.wrap(value));
    }

    /** It was: there is no other value. */
    void hasPutCell(String name) {
        List<ByteBuffer> values = possibleCells.get(name);
        values.subList(0, values.size() - 1).clear();
    }

    private void checkCells(MessageLog log) throws IOException {
        for (Map.Entry<String, List<ByteBuffer>> possible : possibleCells.entrySet()) {
            ByteBuffer found = ByteBuffer.wrap(log.cell(possible.getKey()).orElse(new byte[0]));
            assertThat(possible.getValue()).as(possible.getKey()).contains(found);
            possible.setValue(new ArrayList<>(List.of(found)));
        }
    }

    /** A checkpoint is being saved: from now on it may be there. */
    void savingCheckpoint(long index, byte[] state) {
        possibleCheckpoints.add(index);
        possibleStates.add(state);
    }

    /** The last checkpoint was saved: it is the only one. */
    void savedCheckpoint() {
        int last = possibleCheckpoints.size() - 1;
        onlyCheckpoint(possibleCheckpoints.get(last), possibleStates.get(last));
    }

    /** The last checkpoint was refused: it is not there. */
    void refusedCheckpoint() {
        int last = possibleCheckpoints.size() - 1;
        possibleCheckpoints.remove(last);
        possibleStates.remove(last);
    }

    private void onlyCheckpoint(long index, byte[] state) {
        possibleCheckpoints.clear();
        possibleStates.clear();
        possibleCheckpoints.add(index);
        possibleStates.add(state);
        checkpoint = index;
    }

    /** The log was closed in order, and so forced. */
    void closed() {
        stable = acknowledged;
        writtenOnly = false;
    }

    /** The power went: what was only written may be gone. */
    void powerLost() {
        acknowledged = stable;
        mayBeDamaged = writtenOnly;
    }

    /** Whether the log may be refused as damaged, because force=write promises nothing for a power cut. */
    boolean mayBeDamaged() {
        return mayBeDamaged;
    }

    /** What a log holds that was just opened. */
    void check(MessageLog log) throws IOException {
        assertThat(log.firstIndex()).as("first").isEqualTo(log.recovery().firstIndex());
        assertThat(log.durableIndex()).as("last").isEqualTo(log.recovery().lastIndex());
        checkCells(log);
        try (LogReader reader = log.read(log.firstIndex())) {
            check(log.recovery(), log.checkpoint(), reader);
        }
        SplittableRandom chance = new SplittableRandom(log.durableIndex());
        for (int i = 0; i < 3 && log.durableIndex() >= log.firstIndex(); i++) {
            long index = chance.nextLong(log.firstIndex(), log.durableIndex() + 1);
            byte[] expected = submitted.get((int) (index - before - 1));
            if (!log.get(index).filter(found -> Arrays.equals(found, expected)).isPresent()) {
                throw new AssertionError("record " + index + " is another one when it is read by its index");
            }
        }
    }

    /** @param readers each begins with the first record */
    void check(RecoveryReport report, Optional<Checkpoint> found, LogReader... readers) throws IOException {
        long last = report.lastIndex();
        mayHaveCut(report.firstIndex(), last, found);
        assertThat(last).as("last recovered").isBetween(acknowledged, before + submitted.size());
        assertThat(report.markedIndex()).as("marked").isLessThanOrEqualTo(last);
        assertThat(report.firstIndex()).as("first").isBetween(before + 1, Math.max(before + 1, dropped));
        for (LogReader reader : readers) {
            for (long index = report.firstIndex(); index <= last; index++) {
                // Plain comparisons: a campaign comes here for many millions of records.
                if (!reader.next() || reader.index() != index) {
                    throw new AssertionError("record " + index + " is not there, or " + reader.index() + " is instead");
                }
                if (!reader.payload().equals(ByteBuffer.wrap(submitted.get((int) (index - before - 1))))) {
                    throw new AssertionError("record " + index + " has another payload");
                }
            }
            assertThat(reader.next()).as("a record behind the last").isFalse();
        }
        checkCheckpoint(found);
        // From here on it has been shown, and must stay.
        acknowledged = last;
        stable = last;
        writtenOnly = false;
        mayBeDamaged = false;
        submitted.subList((int) (last - before), submitted.size()).clear();
    }

    private void checkCheckpoint(Optional<Checkpoint> found) {
        if (found.isEmpty()) {
            assertThat(checkpoint).as("index of the missing checkpoint").isEqualTo(-1);
            possibleCheckpoints.clear();
            possibleStates.clear();
            return;
        }
        long index = found.get().index();
        for (int i = 0; i < possibleCheckpoints.size(); i++) {
            byte[] state = possibleStates.get(i);
            if (possibleCheckpoints.get(i) == index && found.get().state().equals(ByteBuffer.wrap(state))) {
                onlyCheckpoint(index, state);
                return;
            }
        }
        throw new AssertionError("found a checkpoint at " + index + " that is none of " + possibleCheckpoints);
    }
}
