package io.plog.log.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class RecordHeaderTest {
    private static final long EPOCH = 0x0123456789ABCDEFL;

    private static ByteBuffer encoded() {
        RecordHeader header = new RecordHeader();
        header.type = RecordHeader.DATA;
        header.padding = 3;
        header.length = 77;
        header.payloadCrc = 0x12345678;
        header.index = 9;
        header.watermark = 6;
        ByteBuffer bytes = ByteBuffer.allocate(RecordHeader.BYTES);
        header.encode(bytes, EPOCH);
        return bytes.flip();
    }

    @Test
    void whatWasWrittenIsReadBack() {
        RecordHeader read = new RecordHeader();
        assertThat(read.decode(encoded(), 0, EPOCH)).isTrue();
        assertThat(read.type).isEqualTo(RecordHeader.DATA);
        assertThat(read.padding).isEqualTo(3);
        assertThat(read.length).isEqualTo(77);
        assertThat(read.payloadCrc).isEqualTo(0x12345678);
        assertThat(read.index).isEqualTo(9);
        assertThat(read.watermark).isEqualTo(6);
        assertThat(read.totalBytes()).isEqualTo(112);
    }

    @Test
    void everyBitOfAHeaderIsCoveredByItsCheck() {
        for (int bit = 0; bit < 8 * RecordHeader.BYTES; bit++) {
            ByteBuffer bytes = encoded();
            bytes.put(bit / 8, (byte) (bytes.get(bit / 8) ^ 1 << bit % 8));
            assertThat(new RecordHeader().decode(bytes, 0, EPOCH))
                    .as("with bit %d flipped", bit)
                    .isFalse();
        }
    }

    /** With fields that stay in their ranges, so that the check alone decides. */
    @Test
    void theCheckCoversTheLengthTheIndexAndTheWatermark() {
        int[] lowestBytes = {5, 7, 11, 15, 23, 31};
        for (int at : lowestBytes) {
            ByteBuffer bytes = encoded();
            bytes.put(at, (byte) (bytes.get(at) ^ 1));
            assertThat(new RecordHeader().decode(bytes, 0, EPOCH))
                    .as("with byte %d changed", at)
                    .isFalse();
        }
    }

    @Test
    void aHeaderIsOfItsSegmentOnly() {
        assertThat(new RecordHeader().decode(encoded(), 0, EPOCH + 1)).isFalse();
    }

    @Test
    void zerosAreNoHeaderOfAnySegment() {
        for (long epoch : new long[] {1, EPOCH, -1}) {
            assertThat(new RecordHeader().decode(ByteBuffer.allocate(RecordHeader.BYTES), 0, epoch))
                    .isFalse();
        }
    }
}
