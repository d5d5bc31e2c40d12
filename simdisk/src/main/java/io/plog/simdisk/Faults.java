package io.plog.simdisk;

import java.io.IOException;
import java.util.SplittableRandom;

/**
 * What is to go wrong on a {@link SimulatedDisk} from now on. Numbers count from the moment of the call: 1 is the next. Each
 * fault happens once, unless it says otherwise, and each can be armed again. Thread-safe.
 */
public final class Faults {
    private static final long NEVER = Long.MAX_VALUE;
    private static final int SECTOR_BYTES = 512;

    private final Object disk;
    private final SplittableRandom random;

    // All guarded by the disk.
    private long operations;
    private long writes;
    private long forces;
    private long runAt = NEVER;
    private Runnable meanwhile = () -> {};
    private long crashAt = NEVER;
    private long failOperationAt = NEVER;
    private long failWriteAt = NEVER;
    private long failForceAt = NEVER;
    private boolean failForcePartly;
    private int mostBytesPerWrite = Integer.MAX_VALUE;
    private long spaceBytes = NEVER;
    private boolean overwritingTakesSpace;
    private long failedOperations;
    private long failedWrites;
    private long failedForces;
    private long refusedForSpace;

    private volatile Runnable beforeForce = () -> {};

    Faults(Object disk, SplittableRandom random) {
        this.disk = disk;
        this.random = random;
    }

    /** Runs something in the middle of the n-th changing operation: what a caller does meanwhile, to its buffers for instance. */
    public void runAtOperation(long n, Runnable what) {
        arm(n, () -> {
            runAt = operations + n;
            meanwhile = what;
        });
    }

    /** Loses power in the middle of the n-th changing operation: nothing, a part or all of it was done then. */
    public void crashAtOperation(long n) {
        arm(n, () -> crashAt = operations + n);
    }

    /** Fails the n-th changing operation, whatever it is, with EIO: nothing, a part or all of it was done then. */
    public void failOperation(long n) {
        arm(n, () -> failOperationAt = operations + n);
    }

    /** Fails the n-th write with EIO, after nothing, a part or all of it was done. */
    public void failWrite(long n) {
        arm(n, () -> failWriteAt = writes + n);
    }

    /**
     * Fails the n-th force with EIO, as Linux does: what was not stable before is marked clean, can still be read, and is on
     * no device; the next force succeeds and does not bring it back. The forces of the directory count too, but there the
     * next force does bring back what this one did not make stable (a file system's journal fails altogether, or not). So do
     * the writes to files opened with {@code WRITE_DSYNC} and {@code WRITE_DIRECT}; a direct write that fails shows what
     * is on the device.
     */
    public void failForce(long n) {
        failForce(n, false);
    }

    /** Fails the n-th force after some of the sectors reached the device, chosen by the disk's seed. */
    public void failForcePartly(long n) {
        failForce(n, true);
    }

    /** Runs something before each force of a file from now on, while other threads can use the disk: they may come meanwhile. */
    public void runBeforeForces(Runnable what) {
        beforeForce = what;
    }

    void beforeForce() {
        beforeForce.run();
    }

    /**
     * Every write from now on writes at most so many bytes, and returns that, as the operating system may. To a file opened
     * with {@code WRITE_DIRECT} or {@code WRITE_UNCACHED} it writes a multiple of 512 bytes and at least a block of 4096.
     */
    public void writeAtMost(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes is " + bytes + ": expected 1 or more");
        }
        synchronized (disk) {
            mostBytesPerWrite = bytes;
        }
    }

    /**
     * Leaves space for so many bytes more: a write that makes a file longer than that is short, and the next one fails with
     * ENOSPC. Overwriting needs no space; what is deleted becomes free. Stays so until {@link #giveSpaceBack}.
     */
    public void leaveSpace(long bytes) {
        synchronized (disk) {
            spaceBytes = bytes;
            overwritingTakesSpace = false;
        }
    }

    /** Leaves space on a disk where overwriting needs space as well: a file system that copies on write, or a thin volume. */
    public void leaveSpaceForWrites(long bytes) {
        synchronized (disk) {
            spaceBytes = bytes;
            overwritingTakesSpace = true;
        }
    }

    /** There is space again, without a limit. */
    public void giveSpaceBack() {
        synchronized (disk) {
            spaceBytes = NEVER;
        }
    }

    private void failForce(long n, boolean partly) {
        arm(n, () -> {
            failForceAt = forces + n;
            failForcePartly = partly;
        });
    }

    /** Arms a fault at the n-th, which is to come: one that is over never happens, and a test that waits for it proves nothing. */
    private void arm(long n, Runnable fault) {
        if (n < 1) {
            throw new IllegalArgumentException("n is " + n + ": expected 1 or more; 1 is the next");
        }
        synchronized (disk) {
            fault.run();
        }
    }

    /** Takes back all that was armed and has not happened; writes are whole, and there is space. */
    public void disarm() {
        synchronized (disk) {
            runAt = NEVER;
            crashAt = NEVER;
            failOperationAt = NEVER;
            failWriteAt = NEVER;
            failForceAt = NEVER;
            mostBytesPerWrite = Integer.MAX_VALUE;
            spaceBytes = NEVER;
        }
    }

    /** How many operations other than writes and forces failed so far. */
    public long failedOperations() {
        synchronized (disk) {
            return failedOperations;
        }
    }

    /** How many writes failed so far, other than for lack of space. */
    public long failedWrites() {
        synchronized (disk) {
            return failedWrites;
        }
    }

    /** How many forces failed so far, those within a write included. */
    public long failedForces() {
        synchronized (disk) {
            return failedForces;
        }
    }

    /** How many writes failed so far because there was no space. */
    public long refusedForSpace() {
        synchronized (disk) {
            return refusedForSpace;
        }
    }

    long operations() {
        return operations;
    }

    /** The disk's own source of chance. */
    SplittableRandom chance() {
        return random;
    }

    /** Counts a changing operation; says whether the power goes in the middle of it. */
    boolean powerGoes() {
        operations++;
        if (operations == runAt) {
            meanwhile.run();
        }
        return operations == crashAt;
    }

    /** Whether the operation under way is to fail. */
    private boolean operationFails() {
        return operations == failOperationAt;
    }

    /** Whether a change of the directory fails; and if so, whether it is done all the same. */
    Outcome change() {
        if (!operationFails()) {
            return Outcome.DONE;
        }
        failedOperations++;
        return random.nextBoolean() ? Outcome.FAILED : Outcome.DONE_AND_FAILED;
    }

    enum Outcome {
        DONE,
        FAILED,
        DONE_AND_FAILED
    }

    /** Counts a write; says whether it fails. */
    boolean writeFails() {
        writes++;
        boolean fails = writes == failWriteAt || operationFails();
        failedWrites += fails ? 1 : 0;
        return fails;
    }

    /** Counts a force, of a file or of the directory; says whether it fails. */
    boolean forceFails() {
        forces++;
        boolean fails = forces == failForceAt || operationFails();
        failedForces += fails ? 1 : 0;
        return fails;
    }

    /** Whether a force that fails makes a part of it stable. */
    boolean forceFailsPartly() {
        return failForcePartly || operationFails();
    }

    /** Of a write that is interrupted, what was done: nothing, all or something between. */
    long partOf(long bytes) {
        return switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> bytes;
            default -> random.nextLong(bytes + 1);
        };
    }

    /**
     * How much of a write is done.
     *
     * @param bytes the whole write
     * @param growth by how much it would make the file longer
     * @param unit without space for all of it, the number of bytes done is a multiple of this
     */
    long granted(long bytes, long growth, int unit) throws IOException {
        int sector = Math.min(unit, SECTOR_BYTES);
        long most = Math.max(mostBytesPerWrite / sector * sector, unit);
        long granted = Math.min(bytes, most);
        if (spaceBytes != NEVER) {
            long takes = overwritingTakesSpace ? bytes : growth;
            long room = bytes - takes + Math.min(takes, spaceBytes);
            if (room < bytes) {
                granted = Math.min(granted, room / unit * unit);
            }
            if (granted == 0 && bytes > 0) {
                refusedForSpace++;
                throw new IOException("No space left on device");
            }
            spaceBytes -= Math.max(0, granted - (bytes - takes));
        }
        return granted;
    }

    /** A file's space is free again. */
    void freed(long bytes) {
        if (spaceBytes != NEVER) {
            spaceBytes += bytes;
        }
    }
}
