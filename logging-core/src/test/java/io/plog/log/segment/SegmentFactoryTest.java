package io.plog.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.file.SegmentHeader;
import io.plog.log.file.StripeId;
import io.plog.log.file.WriterClaim;
import io.plog.log.file.Zeros;
import io.plog.log.storage.Storage;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** In which parts a segment is written, and what is in it then. */
class SegmentFactoryTest {
    private static final int SMALL = 256 << 10;
    private static final int LARGE = 1 << 20;
    private static final int SEGMENT = 5 * SMALL + 2 * LARGE;

    @Test
    void partsAreLargerWhileThereIsAHurryAndEveryByteIsWritten() throws IOException {
        SimulatedDisk disk = new SimulatedDisk(512);
        List<Integer> parts = new ArrayList<>();
        SegmentHeader made = new SegmentFactory(
                        disk, UUID.randomUUID(), StripeId.NONE, SegmentSizes.of(SEGMENT), WriterClaim.ofThisProcess())
                .create(7, null, (part, nanos) -> {
                    parts.add((int) Math.round(part * SEGMENT));
                    return parts.size() == 2 || parts.size() == 5;
                });
        assertThat(parts).containsExactly(SMALL, SMALL, LARGE, SMALL, SMALL, LARGE); // and a small one, the last
        try (Storage.FileHandle file = disk.open(SegmentHeader.fileName(7), Storage.Access.READ)) {
            ByteBuffer all = ByteBuffer.allocate(SEGMENT);
            while (all.hasRemaining() && file.read(all, all.position()) > 0) {}
            assertThat(all.position()).isEqualTo(SEGMENT);
            all.flip();
            assertThat(SegmentHeader.decode(all.duplicate(), SegmentHeader.fileName(7), new StringBuilder()))
                    .isEqualTo(made);
            assertThat(Zeros.count(all, SegmentHeader.BLOCK_BYTES, SEGMENT))
                    .isEqualTo(SEGMENT - SegmentHeader.BLOCK_BYTES);
        }
    }
}
