package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.Evidence.Verdict;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Force;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damage to a log at rest, by the rule of {@link Evidence}: everything or exact words, never silently less. Here a part of
 * each kind of damage, chosen from a printed seed; all of it in the tests tagged {@code slow}.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class AtRestDamageTest {
    private static final int HEADER_BITS = 8 * RecordHeader.BYTES;

    private static SplittableRandom random() {
        long seed = Long.getLong("plog.damage.seed", new SplittableRandom().nextLong());
        System.out.println("damage from seed " + seed);
        return new SplittableRandom(seed);
    }

    /** Closed logs, and crashed ones, with sectors of one size. */
    private static List<Damages> logs(int step, int sectorBytes, Force... forces) throws IOException {
        List<Damages> logs = new ArrayList<>();
        logs.add(new Damages(DamagedLogs.small(sectorBytes), step));
        logs.add(new Damages(DamagedLogs.closed(sectorBytes), step));
        logs.add(new Damages(DamagedLogs.turnedOver(sectorBytes), step));
        logs.add(new Damages(DamagedLogs.cut(sectorBytes), step));
        logs.add(new Damages(DamagedLogs.covered(sectorBytes, true), step));
        logs.add(new Damages(DamagedLogs.covered(sectorBytes, false), step));
        for (Evidence crashed : DamagedLogs.crashed(sectorBytes, forces)) {
            logs.add(new Damages(crashed, step));
        }
        return logs;
    }

    private static List<Damages> logs(int sectorBytes) throws IOException {
        return logs(CaseStep.get(), sectorBytes, sectorBytes == 512 ? Force.FDATASYNC : Force.DIRECT);
    }

    private static List<Damages> allLogs() throws IOException {
        return logs(1, 512, Force.FDATASYNC, Force.DIRECT);
    }

    @Test
    void theLogsAreWhatTheTestsBelowRelyOn() throws Exception {
        Evidence closed = DamagedLogs.closed(512);
        assertThat(closed.isClosed()).isTrue();
        assertThat(closed.payloadBytes()).isGreaterThan(64 * 1024);
        assertThat(closed.disk().files()).hasSizeGreaterThan(5).contains("log.head", "log.checkpoint");
        assertThat(DamagedLogs.crashed(512, Force.FSYNC)).hasSize(9).noneMatch(Evidence::isClosed);
        for (boolean isClosed : new boolean[] {true, false}) {
            Evidence covered = DamagedLogs.covered(512, isClosed);
            assertThat(covered.opensShort()).isTrue();
            assertThat(covered.isClosed()).isEqualTo(isClosed);
            assertThat(SegmentHeaders.usedAgain(covered.disk()) > 0).isEqualTo(!isClosed);
        }
        assertThat(closed.judge(closed.disk().copy())).isEqualTo(Verdict.EVERYTHING);
    }

    @Test
    void aFlippedBitIsAnsweredByEverythingOrByExactWords() throws Exception {
        SplittableRandom random = random();
        Set<Verdict> verdicts = EnumSet.noneOf(Verdict.class);
        for (Damages log : logs(512)) {
            int step = log.isClosed() ? 2011 : 8009;
            for (String file : log.files()) {
                long bits = 8L * log.length(file);
                // Every bit of what a header begins with, of the first records, and a sample of the rest.
                log.flip(file, 0, Math.min(bits, 2L * HEADER_BITS), log.isClosed() ? 1 : 7);
                if (bits > 8 * SegmentHeader.BLOCK_BYTES) {
                    long records = 8L * SegmentHeader.BLOCK_BYTES;
                    log.flip(file, records, records + HEADER_BITS, log.isClosed() ? 1 : 7);
                    log.flip(file, records + HEADER_BITS + random.nextInt(step), bits, step);
                } else {
                    log.flip(file, random.nextInt(31), bits, 31);
                }
            }
            verdicts.addAll(log.verdicts().keySet());
        }
        assertThat(verdicts).contains(Verdict.EVERYTHING, Verdict.STOPPED);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void everySingleFlippedBitIsAnsweredByEverythingOrByExactWords() throws Exception {
        for (Damages log : allLogs()) {
            for (String file : log.files()) {
                log.flip(file, 0, 8L * log.length(file), 1);
            }
            System.out.println("every single bit flipped: " + log.verdicts());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 4096})
    void everyZeroedSectorIsAnsweredByEverythingOrByExactWords(int bytes) throws Exception {
        Set<Verdict> verdicts = EnumSet.noneOf(Verdict.class);
        for (Damages log : logs(bytes)) {
            log.zeroEverySector(bytes);
            verdicts.addAll(log.verdicts().keySet());
        }
        assertThat(verdicts).contains(Verdict.EVERYTHING, Verdict.STOPPED);
    }

    @Test
    void aTruncatedFileIsAnsweredByEverythingOrByExactWords() throws Exception {
        SplittableRandom random = random();
        for (Damages log : logs(512)) {
            log.truncate(random.nextInt(997), 997);
            log.truncate(0, 16 * 1024);
        }
    }

    @Test
    @Tag("slow")
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void everyTruncationLengthIsAnsweredByEverythingOrByExactWords() throws Exception {
        for (Damages log : allLogs()) {
            log.truncate(0, 1);
            System.out.println("every truncation length: " + log.verdicts());
        }
    }

    @Test
    void aMissingOrExchangedFileIsAnsweredByEverythingOrByExactWords() throws Exception {
        for (Damages log : logs(512)) {
            log.deleteEachFile();
            log.replaceEachFileByEachOther();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 4096})
    void aLostWriteIsAnsweredByEverythingOrByExactWords(int sectorBytes) throws Exception {
        for (Damages log : logs(sectorBytes)) {
            log.makeEachSectorStale(sectorBytes);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4096, 512})
    void aMisdirectedWriteIsAnsweredByEverythingOrByExactWords(int sectorBytes) throws Exception {
        SplittableRandom random = random();
        for (Damages log : logs(sectorBytes)) {
            log.misdirectEachSector(sectorBytes, 3, random);
        }
    }
}
