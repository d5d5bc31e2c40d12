package io.plog.log;

import io.plog.log.storage.Storage;
import io.plog.log.testing.ForwardingStorage;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Several simulated disks of one machine, each with a directory of a striped log. Their operations are counted together, so
 * that power can be lost, or one of them die, in the middle of any. For one thread.
 */
final class DiskArray {
    private static final long NEVER = Long.MAX_VALUE;

    private final List<SimulatedDisk> disks;
    private final List<Storage> storages = new ArrayList<>();
    private long operations;
    private long crashAt = NEVER;
    private boolean dyingAlone;
    private boolean crashed;
    private final @Nullable List<String> trace;

    private DiskArray(List<SimulatedDisk> disks, @Nullable List<String> trace) {
        this.disks = disks;
        this.trace = trace;
        for (SimulatedDisk disk : disks) {
            storages.add(new Counted(disk));
        }
    }

    /** New disks with directories that were just created. */
    static DiskArray of(int count, int sectorBytes, long seed) {
        List<SimulatedDisk> disks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            disks.add(new SimulatedDisk(sectorBytes, seed + i).inNewDirectory());
        }
        return new DiskArray(disks, null);
    }

    /** The same disks, and notes every operation from now on, also those on the disks that these become. */
    DiskArray keepTrace() {
        return new DiskArray(disks, new ArrayList<>());
    }

    /** The operations since {@link #keepTrace}, in order. */
    List<String> trace() {
        return trace == null ? List.of() : trace;
    }

    /** Puts a line of the caller's own into the trace. */
    void note(String line) {
        if (trace != null) {
            trace.add(line);
        }
    }

    List<SimulatedDisk> disks() {
        return disks;
    }

    /** As a log sees them. */
    List<Storage> storages() {
        return storages;
    }

    /** How many operations there were that change something, or make something stable. */
    long operations() {
        return operations;
    }

    /**
     * Loses power in the middle of the n-th operation from now, of whichever disk.
     *
     * @param alone only that disk; the others and the process go on
     */
    void crashAtOperation(long n, boolean alone) {
        crashAt = operations + n;
        dyingAlone = alone;
    }

    /** Whether that came to pass. */
    boolean hasCrashed() {
        return crashed;
    }

    /** Whether one of them died, and with it whatever was not stable on it, although power was never lost. */
    boolean hasLostOne() {
        return crashed && dyingAlone;
    }

    /** How many operations failed so far on any disk, a crash included. */
    long failures() {
        return disks.stream().mapToLong(ModelledLog::failures).sum();
    }

    /** The same disks when the machine lost power now and starts again. */
    DiskArray afterPowerLoss(SplittableRandom chance) {
        return new DiskArray(disks.stream().map(disk -> disk.afterCrash(chance)).toList(), trace);
    }

    /** The same when only the process died; a disk that had died comes back with what is stable on it. */
    DiskArray afterKill(SplittableRandom chance) {
        boolean all = crashed && !dyingAlone;
        return new DiskArray(
                disks.stream()
                        .map(disk -> disk.hasCrashed() && !all ? disk.afterCrash(chance) : disk.afterKill())
                        .toList(),
                trace);
    }

    /** The same once more, with no fault armed; the two share nothing. */
    DiskArray copy() {
        return new DiskArray(disks.stream().map(SimulatedDisk::copy).toList(), null);
    }

    private void count(SimulatedDisk disk, String what) {
        note("disk " + (disks.indexOf(disk) + 1) + ": " + SimulatedDisk.withoutWriterId(what));
        operations++;
        if (operations == crashAt) {
            crashed = true;
            disk.faults().crashAtOperation(1);
            if (!dyingAlone) {
                disks.stream().filter(other -> !other.equals(disk)).forEach(SimulatedDisk::crash);
            }
        }
    }

    private final class Counted extends ForwardingStorage {
        private final SimulatedDisk disk;

        Counted(SimulatedDisk disk) {
            super(disk);
            this.disk = disk;
        }

        @Override
        protected void before(String what, String name) {
            count(disk, what + " " + name);
        }

        @Override
        protected Storage.FileHandle forwarding(String name, Storage.FileHandle file, Access access) {
            return new CountedFile(disk, name, file);
        }

        @Override
        public String describe() {
            return "disk " + (disks.indexOf(disk) + 1);
        }
    }

    private final class CountedFile extends ForwardingStorage.ForwardingFile {
        private final SimulatedDisk disk;
        private final String name;

        CountedFile(SimulatedDisk disk, String name, Storage.FileHandle file) {
            super(file);
            this.disk = disk;
            this.name = name;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
            count(disk, "write " + name + " at " + position);
            return super.write(sources, offset, length, position);
        }

        @Override
        public void force(boolean metadata) throws IOException {
            count(disk, "force " + name);
            super.force(metadata);
        }
    }
}
