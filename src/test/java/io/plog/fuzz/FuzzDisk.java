package io.plog.fuzz;

import io.plog.log.storage.Storage;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/** Simulated disks that begin with any files. */
final class FuzzDisk {
    private static final int SECTOR_BYTES = 512;

    private FuzzDisk() {}

    /** A disk on which these files are stable. */
    static SimulatedDisk of(Map<String, byte[]> files) throws IOException {
        SimulatedDisk disk = new SimulatedDisk(SECTOR_BYTES);
        for (Map.Entry<String, byte[]> each : files.entrySet()) {
            try (Storage.FileHandle file = disk.create(each.getKey())) {
                if (each.getValue().length > 0) {
                    file.write(new ByteBuffer[] {ByteBuffer.wrap(each.getValue())}, 0, 1, 0);
                }
                file.force(true);
            }
        }
        disk.forceDirectory();
        return disk;
    }

    /**
     * What there is now.
     *
     * @throws AssertionError if that is more than so many bytes
     */
    static Map<String, byte[]> content(SimulatedDisk disk, long limitBytes) throws IOException {
        Map<String, byte[]> content = new TreeMap<>();
        long bytes = 0;
        for (String name : disk.files()) {
            content.put(name, disk.bytes(name));
            bytes += disk.bytes(name).length;
        }
        if (bytes > limitBytes) {
            throw new AssertionError(bytes + " bytes on disk: expected at most " + limitBytes);
        }
        return content;
    }
}
