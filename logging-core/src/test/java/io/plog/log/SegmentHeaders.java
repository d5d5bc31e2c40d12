package io.plog.log;

import io.plog.log.testing.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Looks at the headers of segments. */
final class SegmentHeaders {
    private SegmentHeaders() {}

    /** How many segments on a disk have files that were used before. */
    static long usedAgain(SimulatedDisk disk) throws IOException {
        long count = 0;
        for (String name : disk.files()) {
            if (SegmentHeader.numberOf(name) > 0) {
                SegmentHeader header = SegmentHeader.decode(ByteBuffer.wrap(disk.bytes(name)), new StringBuilder());
                count += header != null && header.usedAgain() ? 1 : 0;
            }
        }
        return count;
    }
}
