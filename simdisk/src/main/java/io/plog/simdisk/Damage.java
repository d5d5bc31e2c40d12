package io.plog.simdisk;

import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.Map;

/**
 * Damage to what lies on a {@link SimulatedDisk}: changes that were not asked for, at once and for good. Meant for a disk that
 * is not in use at the moment. Thread-safe.
 */
public final class Damage {
    private final SimulatedDisk disk;

    Damage(SimulatedDisk disk) {
        this.disk = disk;
    }

    /**
     * Flips one bit.
     *
     * @param bit counted from the start of the file, 0 for the lowest bit of the first byte
     */
    public void flipBit(String name, long bit) throws NoSuchFileException {
        synchronized (disk) {
            SimulatedFile file = disk.directory().find(name);
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(one, bit / 8);
            one.put(0, (byte) (one.get(0) ^ 1 << bit % 8));
            file.overwrite(bit / 8, one.rewind());
        }
    }

    /** Replaces bytes by zeros, as far as the file goes. */
    public void zero(String name, long position, int bytes) throws NoSuchFileException {
        synchronized (disk) {
            SimulatedFile file = disk.directory().find(name);
            int count = (int) Math.max(0, Math.min(bytes, file.size() - position));
            file.overwrite(position, ByteBuffer.allocate(count));
        }
    }

    /** Replaces bytes by others; they must lie within the file. */
    public void overwrite(String name, long position, byte[] bytes) throws NoSuchFileException {
        synchronized (disk) {
            disk.directory().find(name).overwrite(position, ByteBuffer.wrap(bytes));
        }
    }

    /** How many earlier contents of a sector can be brought back, each once held by the device, with its place in time. */
    public int earlierContents(String name, int sector) throws NoSuchFileException {
        synchronized (disk) {
            return disk.directory().find(name).earlierContents(sector);
        }
    }

    /**
     * Brings back what a sector held before: a write that the device confirmed and lost.
     *
     * @param which 0 for the oldest that is remembered, less than {@link #earlierContents}
     */
    public void makeStale(String name, int sector, int which) throws NoSuchFileException {
        synchronized (disk) {
            SimulatedFile file = disk.directory().find(name);
            putSector(file, sector, file.earlierContent(sector, which));
        }
    }

    /**
     * Moves the last write of a sector to another place: that place holds it, and the sector what it held before (zeros, if
     * nothing earlier is known).
     */
    public void misdirect(String name, int sector, String otherName, int otherSector) throws NoSuchFileException {
        synchronized (disk) {
            SimulatedFile file = disk.directory().find(name);
            SimulatedFile other = disk.directory().find(otherName);
            byte[] moved = sectorOf(file, sector);
            putSector(file, sector, before(file, sector));
            putSector(other, otherSector, moved);
        }
    }

    private byte[] before(SimulatedFile file, int sector) {
        int known = file.earlierContents(sector);
        return known == 0 ? disk.sectors().zero() : file.earlierContent(sector, known - 1);
    }

    /** How many sectors, from one on, the same write was the last to write. */
    public int writtenTogether(String name, int sector) throws NoSuchFileException {
        synchronized (disk) {
            SimulatedFile file = disk.directory().find(name);
            int end = sector + 1;
            while (end < disk.sectors().count(file.size()) && file.lastWrite(end) == file.lastWrite(sector)) {
                end++;
            }
            return end - sector;
        }
    }

    /**
     * Moves the last write of {@link #writtenTogether} sectors to another place of the same disk: what was written there later,
     * or would lie behind that file's end, is not touched. The sectors hold what they held before (zeros, if nothing earlier is
     * known).
     */
    public void misdirectTogether(String name, int sector, String otherName, int otherSector)
            throws NoSuchFileException {
        synchronized (disk) {
            SimulatedFile file = disk.directory().find(name);
            SimulatedFile other = disk.directory().find(otherName);
            int end = sector + writtenTogether(name, sector);
            int otherEnd = disk.sectors().count(other.size());
            Map<Integer, byte[]> moved = new HashMap<>();
            for (int i = sector, to = otherSector; i < end && to < otherEnd; i++, to++) {
                if (other.lastWrite(to) <= file.lastWrite(sector)) {
                    moved.put(to, sectorOf(file, i));
                }
            }
            for (int i = sector; i < end; i++) {
                putSector(file, i, before(file, i));
            }
            moved.forEach((to, content) -> putSector(other, to, content));
        }
    }

    private byte[] sectorOf(SimulatedFile file, int sector) {
        ByteBuffer content = ByteBuffer.allocate(disk.sectors().bytes());
        file.read(content, (long) sector * disk.sectors().bytes());
        return content.array();
    }

    private void putSector(SimulatedFile file, int sector, byte[] content) {
        long at = (long) sector * disk.sectors().bytes();
        int count = (int) Math.min(content.length, file.size() - at);
        file.overwrite(at, ByteBuffer.wrap(content, 0, count));
    }

    /** Cuts a file, or makes it longer with zeros. */
    public void truncate(String name, long bytes) throws NoSuchFileException {
        synchronized (disk) {
            disk.directory().find(name).cut(bytes);
        }
    }

    /** Takes a file away. */
    public void delete(String name) throws NoSuchFileException {
        synchronized (disk) {
            disk.directory().find(name);
            disk.directory().replace(name, null);
        }
    }

    /** Puts a file there, instead of the one of that name if there is one. */
    public void replace(String name, byte[] bytes) {
        synchronized (disk) {
            SimulatedFile file = disk.newFile(MemoryFile.PLACE.create(disk.sectors()), 0);
            file.write(0, ByteBuffer.wrap(bytes), bytes.length);
            file.force();
            disk.directory().replace(name, file);
        }
    }

    /** Puts a copy of a file under another name, instead of the one of that name if there is one. */
    public void copy(String from, String to) throws NoSuchFileException {
        synchronized (disk) {
            replace(to, disk.directory().find(from).bytes());
        }
    }
}
