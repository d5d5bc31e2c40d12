package io.plog.log;

import io.plog.log.Evidence.Stretch;
import io.plog.log.Evidence.Verdict;
import io.plog.log.testing.Parallel;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
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

    private @Nullable Verdict judge(RandomDamage damage) {
        return judge(damage.what(), damage.damaging(), damage.where());
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
        return RandomDamage.files(log.disk());
    }

    int length(String file) {
        return RandomDamage.length(log.disk(), file);
    }

    /** Flips one bit; on a crashed log, too, no record up to the watermark may be missing then. */
    void flip(String file, long bit) {
        Verdict verdict = judge(
                "bit " + bit % 8 + " of byte " + bit / 8 + " of " + file,
                copy -> copy.damage().flipBit(file, bit),
                new Stretch(file, bit / 8, bit / 8 + 1));
        refuseToCutMarked(verdict, "bit " + bit + " of " + file);
    }

    private void refuseToCutMarked(@Nullable Verdict verdict, String what) {
        if (verdict == Verdict.CUT && log.markedIndex() == log.lastIndex()) {
            throw new AssertionError(log + ": " + what + ": cut what was marked as durable");
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
                            RandomDamage.sectorOf(log.disk(), file, sector));
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
                    judge(RandomDamage.misdirected(log.disk(), file, sector, random));
                }
                if (sector > 0) {
                    // A small log has all its records in the sector before that of its closing mark's second copy.
                    judge(RandomDamage.misdirected(log.disk(), file, sector, file, sector - 1));
                }
            }
        }
    }

    /** One damage, of any kind, anywhere. */
    void anyOne(SplittableRandom random) throws IOException {
        RandomDamage any = RandomDamage.of(log.disk(), random);
        Verdict verdict = judge(any);
        if (any.isBit()) {
            refuseToCutMarked(verdict, any.what());
        }
    }
}
