package io.plog.log;

import io.plog.log.Evidence.Verdict;
import io.plog.log.testing.Parallel;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

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

    /** Looks what comes of it, if it is tried. On a crashed log, too, one bit takes no record up to the watermark. */
    private void judge(DiskDamage damage) {
        if (cases.getAndIncrement() % step != first) {
            return;
        }
        try {
            SimulatedDisk copy = log.disk().copy();
            damage.damaging().apply(copy);
            Verdict verdict = log.judge(copy, damage.where());
            synchronized (verdicts) {
                verdicts.merge(verdict, 1L, Long::sum);
            }
            if (damage.isBit() && verdict == Verdict.CUT && log.markedIndex() == log.lastIndex()) {
                throw new AssertionError("cut what was marked as durable");
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError(log + ": " + damage.what() + ": " + e, e);
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

    List<String> files() {
        return DiskDamage.files(log.disk());
    }

    int length(String file) {
        return DiskDamage.length(log.disk(), file);
    }

    /** Flips bits of a file, from one to another, every so many. */
    void flip(String file, long from, long to, int step) {
        long count = (to - from + step - 1) / step;
        Parallel.forEach(count, i -> judge(DiskDamage.bit(file, from + i * step)));
    }

    void zeroEverySector(int bytes) {
        for (String file : files()) {
            int sectors = (length(file) + bytes - 1) / bytes;
            Parallel.forEach(sectors, sector -> judge(DiskDamage.zeros(file, sector * bytes, bytes)));
        }
    }

    /** Every length less than the whole, from one on, every so many bytes. */
    void truncate(int first, int step) {
        for (String file : files()) {
            int count = Math.max(0, (length(file) - first + step - 1) / step);
            Parallel.forEach(count, i -> judge(DiskDamage.cut(log.disk(), file, first + (int) i * step)));
        }
    }

    void deleteEachFile() {
        for (String file : files()) {
            judge(DiskDamage.without(log.disk(), file));
        }
    }

    void replaceEachFileByEachOther() {
        for (String file : files()) {
            for (String other : files()) {
                if (!file.equals(other)) {
                    judge(DiskDamage.replaced(log.disk(), file, log.disk(), other));
                }
            }
        }
    }

    /** Each earlier content of each sector. */
    void makeEachSectorStale(int sectorBytes) throws IOException {
        for (String file : files()) {
            for (int sector = 0; sector * sectorBytes < length(file); sector++) {
                int known = log.disk().damage().earlierContents(file, sector);
                for (int which = 0; which < known; which++) {
                    judge(DiskDamage.stale(log.disk(), file, sector, which));
                }
            }
        }
    }

    /** The last write of each sector that was ever rewritten goes to other places, some by chance and the neighbours. */
    void misdirectEachSector(int sectorBytes, int places, SplittableRandom random) throws IOException {
        for (String file : files()) {
            for (int sector = 0; sector * sectorBytes < length(file); sector++) {
                if (log.disk().damage().earlierContents(file, sector) == 0 && random.nextInt(8) > 0) {
                    continue; // most sectors are zeros, and so is where they would go
                }
                for (int i = 0; i < places; i++) {
                    judge(DiskDamage.misdirected(log.disk(), file, sector, random));
                }
                if (sector > 0) {
                    // A small log has all its records in the sector before that of its closing mark's second copy.
                    judge(DiskDamage.misdirected(log.disk(), file, sector, file, sector - 1));
                }
            }
        }
    }

    /** One damage, of any kind, anywhere. */
    void anyOne(SplittableRandom random) throws IOException {
        judge(DiskDamage.of(log.disk(), random));
    }
}
