package io.plog.log;

import io.plog.log.file.SegmentHeader;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;

/** Looks at the segments on a disk. */
final class SegmentHeaders {
    private SegmentHeaders() {}

    /** How many segments on a disk have files that were used before. */
    static long usedAgain(SimulatedDisk disk) throws IOException {
        long count = 0;
        for (String name : disk.files()) {
            count += SegmentHeader.numberOf(name) > 0 && isUsedAgain(disk, name) ? 1 : 0;
        }
        return count;
    }

    /** A new one gets its name once. */
    static boolean isUsedAgain(SimulatedDisk disk, String segment) throws IOException {
        return disk.renames(segment) > 1;
    }
}
