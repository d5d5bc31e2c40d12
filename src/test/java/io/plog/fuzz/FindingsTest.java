package io.plog.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.Checkpoint;
import io.plog.log.LogOptions;
import io.plog.log.LogTools;
import io.plog.log.MessageLog;
import io.plog.log.storage.LogDamagedException;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What fuzzing found, each made by hand: right checks over things that no log can hold. */
final class FindingsTest {
    private final Map<String, byte[]> files =
            new TreeMap<>(Map.of("log.head", LogBytes.head(1, 1, 0), LogBytes.segmentName(1), LogBytes.segment(1)));

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
    void aHeadThatBeginsWhereNoLogDoesIsDamaged(long firstIndex) {
        files.put("log.head", LogBytes.head(1, firstIndex, 0));
        assertDamaged("log.head", 40);
    }

    @Test
    void aHeadThatBeginsBeforeTheFirstSegmentIsDamaged() {
        files.put("log.head", LogBytes.head(0, 1, 0));
        assertDamaged("log.head", 32);
    }

    @Test
    void aHeadWhoseCheckpointIsBeyondEveryIndexIsDamaged() {
        files.put("log.head", LogBytes.head(1, 1, -1));
        assertDamaged("log.head", 48);
    }

    @Test
    void aCheckpointBeyondEveryIndexIsDamaged() {
        files.put("log.checkpoint", LogBytes.checkpoint(-1, new byte[3]));
        assertDamaged("log.checkpoint", 32);
        assertThatThrownBy(() -> Checkpoint.read(storage())).isInstanceOf(LogDamagedException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 4_096, LogBytes.SEGMENT_BYTES - 8, -LogBytes.SEGMENT_BYTES})
    void aSegmentOfALengthThatNoSegmentHasIsDamaged(long segmentBytes) {
        files.put(LogBytes.segmentName(1), LogBytes.segment(0, 1, LogBytes.epoch(1), segmentBytes));
        assertDamaged(LogBytes.segmentName(1), 0);
    }

    @Test
    void aSegmentWithoutAnEpochIsDamaged() {
        files.put(LogBytes.segmentName(1), LogBytes.segment(0, 1, 0, LogBytes.SEGMENT_BYTES));
        assertDamaged(LogBytes.segmentName(1), 0);
    }

    @Test
    void aRecordThatLeavesNoRoomForASealIsNotValid() throws Exception {
        byte[] segment = LogBytes.segment(1);
        int length = LogBytes.SEGMENT_BYTES - LogBytes.FIRST_RECORD - LogBytes.RECORD_HEADER_BYTES;
        LogBytes.record(segment, LogBytes.FIRST_RECORD, LogBytes.epoch(1), 1, 0, length, 1, 0);
        files.put(LogBytes.segmentName(1), segment);
        LogTools.Inspection inspection = LogTools.inspect(storage());
        assertThat(inspection.damage()).isEmpty();
        assertThat(inspection.lastIndex()).isZero();
    }

    private SimulatedDisk storage() throws IOException {
        return FuzzDisk.of(files);
    }

    private void assertDamaged(String file, long offset) {
        assertThatThrownBy(() -> open(storage())).isInstanceOfSatisfying(LogDamagedException.class, damage -> {
            assertThat(damage.file()).isEqualTo(file);
            assertThat(damage.offset()).isEqualTo(offset);
        });
    }

    private static void open(SimulatedDisk storage) throws IOException {
        MessageLog.open(LogOptions.on(storage)).close();
    }
}
