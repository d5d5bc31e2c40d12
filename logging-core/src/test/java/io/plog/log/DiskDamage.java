package io.plog.log;

import io.plog.log.Evidence.Stretch;
import io.plog.log.file.LogFiles;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A damage to a log at rest, not yet done.
 *
 * @param isBit whether it is no more than one bit
 * @param where all that it damages
 */
record DiskDamage(String what, boolean isBit, Damaging damaging, Stretch... where) {
    /** Damages a copy. */
    interface Damaging {
        void apply(SimulatedDisk copy) throws IOException;
    }

    /** One of any kind, anywhere. */
    static DiskDamage of(SimulatedDisk disk, SplittableRandom random) throws IOException {
        List<String> files = files(disk);
        String file = files.get(random.nextInt(files.size()));
        int length = length(disk, file);
        int sectorBytes = disk.sectorBytes();
        int sector = random.nextInt(sectors(disk, file));
        int known = disk.damage().earlierContents(file, sector);
        return switch (random.nextInt(known > 0 ? 6 : 5)) {
            case 0 -> bit(file, random.nextLong(8L * length));
            case 1 -> zeros(file, (long) sector * sectorBytes, sectorBytes);
            case 2 -> cut(disk, file, random.nextInt(length));
            case 3 -> without(disk, file);
            case 4 -> misdirected(disk, file, sector, random);
            default -> {
                int which = random.nextInt(known);
                if (random.nextInt(3) == 0) {
                    yield lost(
                            disk, file, sector, 1 + random.nextInt(disk.damage().writtenTogether(file, sector)));
                }
                yield stale(disk, file, sector, which);
            }
        };
    }

    static DiskDamage bit(String file, long bit) {
        return new DiskDamage(
                "bit " + bit % 8 + " of byte " + bit / 8 + " of " + file,
                true,
                copy -> copy.damage().flipBit(file, bit),
                new Stretch(file, bit / 8, bit / 8 + 1));
    }

    static DiskDamage zeros(String file, long from, int bytes) {
        return of(
                bytes + " zeros from " + from + " of " + file,
                copy -> copy.damage().zero(file, from, bytes),
                new Stretch(file, from, from + bytes));
    }

    /** Only so many bytes of it are left. */
    static DiskDamage cut(SimulatedDisk disk, String file, int bytes) {
        return of(
                file + " cut to " + bytes,
                copy -> copy.damage().truncate(file, bytes),
                new Stretch(file, bytes, length(disk, file)));
    }

    static DiskDamage without(SimulatedDisk disk, String file) {
        return of("without " + file, copy -> copy.damage().delete(file), new Stretch(file, 0, length(disk, file)));
    }

    /** A file of this or another disk is in its place. */
    static DiskDamage replaced(SimulatedDisk disk, String file, SimulatedDisk from, String other) {
        return of(
                other + " in the place of " + file,
                copy -> copy.damage().replace(file, from.bytes(other)),
                new Stretch(file, 0, length(disk, file)));
    }

    /** @param which of the earlier contents of that sector is there */
    static DiskDamage stale(SimulatedDisk disk, String file, int sector, int which) {
        return of(
                "earlier content " + which + " of sector " + sector + " of " + file,
                copy -> copy.damage().makeStale(file, sector, which),
                sectorOf(disk, file, sector));
    }

    /** The last write of these sectors never happened. */
    private static DiskDamage lost(SimulatedDisk disk, String file, int first, int sectors) {
        int end = first + sectors;
        return of(
                "sectors " + first + " to " + (end - 1) + " of " + file + " as they were before",
                copy -> {
                    for (int sector = first; sector < end; sector++) {
                        int known = copy.damage().earlierContents(file, sector);
                        if (known > 0) {
                            copy.damage().makeStale(file, sector, known - 1);
                        }
                    }
                },
                sectorsOf(disk, file, first, sectors));
    }

    static DiskDamage of(String what, Damaging damaging, Stretch... where) {
        return new DiskDamage(what, false, damaging, where);
    }

    /** The last write of a sector, or all of that write, goes to another place, mostly of the same file and often to the next one. */
    static DiskDamage misdirected(SimulatedDisk disk, String file, int sector, SplittableRandom random)
            throws IOException {
        List<String> others = files(disk);
        String other = random.nextInt(3) > 0 ? file : others.get(random.nextInt(others.size()));
        int otherSector = random.nextInt(sectors(disk, other));
        if (random.nextInt(3) == 0 && other.equals(file) && (sector + 1) * disk.sectorBytes() < length(disk, file)) {
            otherSector = sector + 1;
        }
        if (random.nextInt(3) == 0) {
            return misdirectedTogether(disk, file, sector, other, random.nextInt(3) == 0 ? 0 : otherSector);
        }
        return misdirected(disk, file, sector, other, otherSector);
    }

    static DiskDamage misdirected(SimulatedDisk disk, String file, int sector, String other, int place) {
        return new DiskDamage(
                "sector " + sector + " of " + file + " written to sector " + place + " of " + other,
                false,
                copy -> copy.damage().misdirect(file, sector, other, place),
                sectorOf(disk, file, sector),
                sectorOf(disk, other, place));
    }

    private static DiskDamage misdirectedTogether(SimulatedDisk disk, String file, int sector, String other, int place)
            throws IOException {
        int sectors = disk.damage().writtenTogether(file, sector);
        return new DiskDamage(
                sectors + " sectors from " + sector + " of " + file + " written to sector " + place + " of " + other,
                false,
                copy -> copy.damage().misdirectTogether(file, sector, other, place),
                sectorsOf(disk, file, sector, sectors),
                sectorsOf(disk, other, place, sectors));
    }

    private static Stretch sectorOf(SimulatedDisk disk, String file, int sector) {
        return sectorsOf(disk, file, sector, 1);
    }

    private static Stretch sectorsOf(SimulatedDisk disk, String file, int sector, int sectors) {
        long bytes = disk.sectorBytes();
        return new Stretch(file, sector * bytes, (sector + sectors) * bytes, sectors > 1);
    }

    /** All that belongs to the log; a torn tail that was cut and kept does not. */
    static List<String> files(SimulatedDisk disk) {
        return disk.files().stream()
                .filter(file -> !file.startsWith(LogFiles.CUT_PREFIX) && length(disk, file) > 0)
                .toList();
    }

    static int length(SimulatedDisk disk, String file) {
        try {
            return disk.bytes(file).length;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static int sectors(SimulatedDisk disk, String file) {
        return (length(disk, file) + disk.sectorBytes() - 1) / disk.sectorBytes();
    }
}
