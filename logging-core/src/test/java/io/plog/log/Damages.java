package io.plog.log;

import io.plog.log.Evidence.Stretch;
import io.plog.log.Evidence.Verdict;
import io.plog.log.testing.Parallel;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Every damage to a log at rest, one at a time, each judged; counts what came of them. Thread-safe. */
final class Damages {
    private final Evidence log;
    private final int step;
    private final int first;
    private final AtomicLong cases = new AtomicLong();
    private final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);

    /** @param step of how many damages one is tried, from one on that chance chooses */
    Damages(Evidence log, int step) {
        this.log = log;
        this.step = step;
        first = step == 1 ? 0 : CaseStep.first();
    }

    /** Damages a copy. */
    interface Damaging {
        void apply(SimulatedDisk copy) throws IOException;
    }

    /** What comes of it; null if it is not tried. */
    private @Nullable Verdict judge(String what, Damaging damaging, Stretch... where) {
        if (cases.getAndIncrement() % step != first) {
            return null;
        }
        try {
            SimulatedDisk copy = log.disk().copy();
            damaging.apply(copy);
            Verdict verdict = log.judge(copy, where);
            synchronized (verdicts) {
                verdicts.merge(verdict, 1L, Long::sum);
            }
            return verdict;
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError(log + ": " + what + ": " + e, e);
        }
    }

    /** How many damages came to what. */
    Map<Verdict, Long> verdicts() {
        synchronized (verdicts) {
            return new EnumMap<>(verdicts);
        }
    }

    boolean isClosed() {
        return log.isClosed();
    }

    /** All that belongs to the log; a torn tail that was cut and kept does not. */
    List<String> files() {
        return log.disk().files().stream()
                .filter(file -> !file.startsWith(LogFiles.CUT_PREFIX) && length(file) > 0)
                .toList();
    }

    int length(String file) {
        try {
            return log.disk().bytes(file).length;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Flips one bit; on a crashed log, too, no record up to the watermark may be missing then. */
    void flip(String file, long bit) {
        Verdict verdict = judge(
                "bit " + bit % 8 + " of byte " + bit / 8 + " of " + file,
                copy -> copy.damage().flipBit(file, bit),
                new Stretch(file, bit / 8, bit / 8 + 1));
        if (verdict == Verdict.CUT && log.markedIndex() == log.lastIndex()) {
            throw new AssertionError(log + ": bit " + bit + " of " + file + ": cut what was marked as durable");
        }
    }

    /** Flips bits of a file, from one to another, every so many. */
    void flip(String file, long from, long to, int step) {
        long count = (to - from + step - 1) / step;
        Parallel.forEach(count, i -> flip(file, from + i * step));
    }

    void zeroEverySector(int bytes) {
        for (String file : files()) {
            int sectors = (length(file) + bytes - 1) / bytes;
            Parallel.forEach(sectors, sector -> {
                long from = sector * bytes;
                judge(
                        "zeros from " + from + " to " + (from + bytes) + " of " + file,
                        copy -> copy.damage().zero(file, from, bytes),
                        new Stretch(file, from, from + bytes));
            });
        }
    }

    /** Every length less than the whole, from one on, every so many bytes. */
    void truncate(int first, int step) {
        for (String file : files()) {
            int length = length(file);
            int count = Math.max(0, (length - first + step - 1) / step);
            Parallel.forEach(count, i -> {
                int bytes = first + (int) i * step;
                judge(
                        file + " cut to " + bytes + " bytes",
                        copy -> copy.damage().truncate(file, bytes),
                        new Stretch(file, bytes, length));
            });
        }
    }

    void deleteEachFile() {
        for (String file : files()) {
            judge("without " + file, copy -> copy.damage().delete(file), new Stretch(file, 0, length(file)));
        }
    }

    void replaceEachFileByEachOther() {
        for (String file : files()) {
            for (String other : files()) {
                if (!file.equals(other)) {
                    judge(
                            other + " in the place of " + file,
                            copy -> copy.damage().copy(other, file),
                            new Stretch(file, 0, length(file)));
                }
            }
        }
    }

    /** Each earlier content of each sector. */
    void makeEachSectorStale(int sectorBytes) throws IOException {
        for (String file : files()) {
            for (int sector = 0; sector * sectorBytes < length(file); sector++) {
                int staleSector = sector;
                int known = log.disk().damage().earlierContents(file, sector);
                for (int which = 0; which < known; which++) {
                    int content = which;
                    judge(
                            "earlier content " + which + " of sector " + sector + " of " + file,
                            copy -> copy.damage().makeStale(file, staleSector, content),
                            sectorOf(file, sector, sectorBytes));
                }
            }
        }
    }

    private static Stretch sectorOf(String file, int sector, int sectorBytes) {
        return new Stretch(file, (long) sector * sectorBytes, (sector + 1L) * sectorBytes);
    }

    /** The last write of each sector that was ever rewritten goes to other places, some by chance and the neighbours. */
    void misdirectEachSector(int sectorBytes, int places, SplittableRandom random) throws IOException {
        for (String file : files()) {
            for (int sector = 0; sector * sectorBytes < length(file); sector++) {
                if (log.disk().damage().earlierContents(file, sector) == 0 && random.nextInt(8) > 0) {
                    continue; // most sectors are zeros, and so is where they would go
                }
                for (int i = 0; i < places; i++) {
                    misdirect(file, sector, sectorBytes, random);
                }
                if (sector > 0) {
                    // A small log has all its records in the sector before that of its closing mark's second copy.
                    misdirect(file, sector, file, sector - 1, sectorBytes);
                }
            }
        }
    }

    void misdirect(String file, int sector, int sectorBytes, SplittableRandom random) {
        List<String> others = new ArrayList<>(files());
        String other = random.nextInt(3) > 0 ? file : others.get(random.nextInt(others.size()));
        int otherSector = random.nextInt((length(other) + sectorBytes - 1) / sectorBytes);
        if (random.nextInt(3) == 0 && other.equals(file) && (sector + 1) * sectorBytes < length(file)) {
            otherSector = sector + 1;
        }
        misdirect(file, sector, other, otherSector, sectorBytes);
    }

    private void misdirect(String file, int sector, String other, int place, int sectorBytes) {
        judge(
                "sector " + sector + " of " + file + " written to sector " + place + " of " + other,
                copy -> copy.damage().misdirect(file, sector, other, place),
                sectorOf(file, sector, sectorBytes),
                sectorOf(other, place, sectorBytes));
    }

    /** One damage, of any kind, anywhere. */
    void anyOne(SplittableRandom random) throws IOException {
        String file = files().get(random.nextInt(files().size()));
        int length = length(file);
        int sectorBytes = log.sectorBytes();
        int sector = random.nextInt((length + sectorBytes - 1) / sectorBytes);
        int known = log.disk().damage().earlierContents(file, sector);
        switch (random.nextInt(known > 0 ? 6 : 5)) {
            case 0 -> flip(file, random.nextLong(8L * length));
            case 1 -> {
                long from = (long) sector * sectorBytes;
                judge(
                        "zeros from " + from + " of " + file,
                        copy -> copy.damage().zero(file, from, sectorBytes),
                        sectorOf(file, sector, sectorBytes));
            }
            case 2 -> {
                int bytes = random.nextInt(length);
                judge(
                        file + " cut to " + bytes,
                        copy -> copy.damage().truncate(file, bytes),
                        new Stretch(file, bytes, length));
            }
            case 3 -> judge("without " + file, copy -> copy.damage().delete(file), new Stretch(file, 0, length));
            case 4 -> misdirect(file, sector, sectorBytes, random);
            default -> {
                int which = random.nextInt(known);
                judge(
                        "earlier content " + which + " of sector " + sector + " of " + file,
                        copy -> copy.damage().makeStale(file, sector, which),
                        sectorOf(file, sector, sectorBytes));
            }
        }
    }
}
