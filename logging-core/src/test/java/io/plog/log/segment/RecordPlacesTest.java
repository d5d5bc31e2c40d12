package io.plog.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.file.SegmentHeader;
import org.junit.jupiter.api.Test;

class RecordPlacesTest {
    @Test
    void placesTakeAByteOfMemoryForEachKibibyteAtMost() {
        for (int length : new int[] {40, 1000, RecordPlaces.GRAIN_BYTES, 100_000}) {
            long segmentBytes = 16L << 20;
            RecordPlaces places = new RecordPlaces(segmentBytes);
            long index = 5_000_000_000L;
            long offset = SegmentHeader.BLOCK_BYTES;
            for (; offset < segmentBytes; offset += length) {
                places.note(index++, offset);
            }
            assertThat(8L * (places.before(Long.MAX_VALUE) + 1)).isLessThanOrEqualTo(segmentBytes / 1024);
            assertThat(places.before(4_999_999_999L)).isEqualTo(-1);
            for (long wanted = 5_000_000_000L; wanted < index; wanted += 7) {
                int place = places.before(wanted);
                long at = SegmentHeader.BLOCK_BYTES + (wanted - 5_000_000_000L) * length;
                assertThat(places.index(place)).isLessThanOrEqualTo(wanted);
                assertThat(places.offset(place))
                        .isEqualTo(SegmentHeader.BLOCK_BYTES + (places.index(place) - 5_000_000_000L) * length)
                        .isBetween(at - RecordPlaces.GRAIN_BYTES - length, at);
            }
        }
    }
}
