package io.plog.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.Logs;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.StripeId;
import io.plog.log.file.WriterClaim;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How many files of dropped segments are kept to be used again, and what becomes of the others. */
class DroppedSegmentsTest {
    private static final int RESERVE = 2;

    private final SimulatedDisk disk = new SimulatedDisk(512);
    private final SegmentFactory factory = new SegmentFactory(
            disk, UUID.randomUUID(), StripeId.NONE, SegmentSizes.of(Logs.SEGMENT_BYTES), WriterClaim.ofThisProcess());
    private final DroppedSegments dropped = new DroppedSegments(factory, RESERVE);
    private long next = 1;

    /** Drops so many, and lets the log use again what was kept; returns how many that were. */
    private int dropAndUse(int count) throws IOException {
        dropped.add(made(count), true);
        return used();
    }

    private List<SegmentHeader> made(int count) throws IOException {
        List<SegmentHeader> segments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            segments.add(factory.create(next++));
        }
        return segments;
    }

    private int used() {
        int used = 0;
        while (dropped.poll() != null) {
            used++;
        }
        return used;
    }

    @Test
    void aLogThatDropsAsMuchEachTimeKeepsAllOfIt() throws IOException {
        assertThat(dropAndUse(7)).isEqualTo(RESERVE);
        assertThat(dropAndUse(7)).isEqualTo(7);
        assertThat(dropAndUse(8)).isEqualTo(8); // equal in bytes
        assertThat(dropAndUse(7)).isEqualTo(7);
        assertThat(dropAndUse(12)).isEqualTo(9);
        assertThat(dropAndUse(12)).isEqualTo(12);
    }

    @Test
    void aDropThatComesEarlyDoesNotLetItForget() throws IOException {
        dropAndUse(16);
        assertThat(dropAndUse(16)).isEqualTo(16);
        assertThat(dropAndUse(0)).isZero();
        assertThat(dropAndUse(16)).isEqualTo(16);
    }

    @Test
    void oneLargeDropDoesNotKeepItsSpace() throws IOException {
        dropAndUse(1);
        assertThat(dropAndUse(20)).isEqualTo(RESERVE);
        for (int i = 0; i < 40; i++) {
            assertThat(dropAndUse(1)).isEqualTo(1);
        }
        assertThat(dropAndUse(20)).isEqualTo(RESERVE);
    }

    @Test
    void whatIsNotKeptIsDeletedOneAtATime() throws IOException {
        dropped.add(made(RESERVE + 3), true);
        for (int left = 3; left > 0; left--) {
            assertThat(dropped.hasSurplus()).isTrue();
            assertThat(disk.files()).hasSize(RESERVE + left);
            dropped.deleteOne();
        }
        assertThat(dropped.hasSurplus()).isFalse();
        assertThat(disk.files()).hasSize(RESERVE);
    }

    @Test
    void afterTheEndNothingIsKept() throws IOException {
        dropped.add(made(1), true);
        dropped.close();
        assertThat(used()).isZero();
        dropped.add(made(1), true);
        assertThat(used()).isZero();
        dropped.deleteOne();
        dropped.deleteOne();
        assertThat(disk.files()).isEmpty();
    }

    @Test
    void aSegmentOfAnotherSizeIsNotUsedAgain() throws IOException {
        SegmentFactory larger = new SegmentFactory(
                disk,
                UUID.randomUUID(),
                StripeId.NONE,
                SegmentSizes.of(2 * Logs.SEGMENT_BYTES),
                WriterClaim.ofThisProcess());
        DroppedSegments other = new DroppedSegments(larger, RESERVE);
        other.add(made(1), true);
        assertThat(other.poll()).isNull();
        assertThat(other.hasSurplus()).isTrue();
    }

    @Test
    void aFileThatCouldNotBeDeletedIsReportedByTheNextDrop() throws IOException {
        dropped.add(made(RESERVE + 1), true);
        disk.faults().failOperation(1);
        dropped.deleteOne();
        assertThatThrownBy(() -> dropped.add(List.of(), true)).isInstanceOf(IOException.class);
        dropped.add(List.of(), true);
    }
}
