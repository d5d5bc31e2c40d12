package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.Evidence.Stretch;
import io.plog.log.Evidence.Witness;
import io.plog.log.file.FileWindow;
import io.plog.log.file.WriterClaim;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.segment.Recovery;
import io.plog.log.segment.SegmentScanner;
import io.plog.log.segment.SegmentState;
import io.plog.log.segment.StripeAnalysis;
import io.plog.log.storage.LogException;
import io.plog.log.storage.RecoveryReport;
import io.plog.log.storage.Storage;
import io.plog.log.testing.SeededCampaign;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random damage to one disk of random striped logs at rest. What some intact header of any disk says was durable is returned
 * whole, or the recovery stops, names that disk among others (but for a misdirected write) and changes nothing.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StripeDamageCampaignTest {
    private static final int DAMAGES_PER_LOG = 12;
    private static final LogOptions OPTIONS = Logs.options(Path.of("simulated")).withMaxBatchBytes(32 * 1024);

    private final LongAdder whole = new LongAdder();
    private final LongAdder cut = new LongAdder();
    private final LongAdder stopped = new LongAdder();

    /** The intact log; what is said by the headers of each disk. */
    private record Intact(DiskArray disks, long firstIndex, List<ByteBuffer> records, List<List<Witness>> witnesses) {
        static Intact of(DiskArray disks, LogAnalysis analysis) throws IOException {
            List<List<Witness>> witnesses = new ArrayList<>();
            for (StripeAnalysis stripe : analysis.stripes()) {
                List<Witness> found = new ArrayList<>();
                for (SegmentState segment : stripe.segments()) {
                    collect(stripe.storage(), segment, found);
                }
                witnesses.add(found);
            }
            List<ByteBuffer> records = new ArrayList<>();
            try (LogReader reader = StoredLogReader.ofStorages(disks.storages(), 0)) {
                while (reader.next()) {
                    records.add(Evidence.copyOf(reader.payload()));
                }
            }
            return new Intact(disks, analysis.firstIndex(), records, witnesses);
        }

        private static void collect(Storage disk, SegmentState segment, List<Witness> witnesses) throws IOException {
            try (Storage.FileHandle file = disk.open(segment.file(), Storage.Access.READ)) {
                SegmentScanner scanner = new SegmentScanner(
                        file, segment.header(), new FileWindow(), segment.firstIndex(), segment.endOffset());
                while (scanner.next()) {
                    witnesses.add(Witness.of(segment, scanner));
                }
            }
        }

        long lastIndex() {
            return firstIndex + records.size() - 1;
        }

        long provedIndex(int damagedDisk, List<Stretch> damaged) {
            long proved = 0;
            for (int disk = 0; disk < witnesses.size(); disk++) {
                for (Witness witness : witnesses.get(disk)) {
                    if (disk != damagedDisk || damaged.stream().noneMatch(stretch -> stretch.holds(witness))) {
                        proved = Math.max(proved, witness.watermark());
                    }
                }
            }
            return proved;
        }
    }

    @Test
    void randomDamageToOneDiskIsAnsweredByWhatIsProvedOrByAStop() {
        campaign(60);
    }

    /** Length and seed: {@code -Dplog.test.jvmArgs="-Dplog.damage.runs=100000 -Dplog.damage.seed=1"}. */
    @Test
    @Tag("slow")
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void muchRandomDamageToOneDiskIsAnsweredByWhatIsProvedOrByAStop() {
        campaign(Integer.getInteger("plog.damage.runs", 10_000));
    }

    private void campaign(int runs) {
        SeededCampaign.run(runs, "damaged striped logs", "plog.damage.seed", seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            DiskArray disks =
                    new StripeHistory(random.nextLong(), new CampaignCounts(), false).runAndRest(1 + random.nextInt(4));
            LogAnalysis analysis = LogAnalysis.ofOpening(disks.storages(), false);
            if (analysis.damage() != null
                    || analysis.stripes().get(0).segments().isEmpty()) {
                return; // no log yet, or what a power cut left of one that was not forced
            }
            Intact log = Intact.of(disks, analysis);
            for (int i = 0; i < DAMAGES_PER_LOG; i++) {
                damage(log, random);
            }
        });
        System.out.println(whole + " times everything, " + cut + " cut, " + stopped + " stops");
        assertThat(whole.sum()).isPositive();
        assertThat(stopped.sum()).isPositive();
    }

    private void damage(Intact log, SplittableRandom random) throws IOException {
        DiskArray copy = log.disks().copy();
        int disk = random.nextInt(copy.disks().size());
        SimulatedDisk damaged = copy.disks().get(disk);
        DiskDamage damage = DiskDamage.of(damaged, random);
        damage.damaging().apply(damaged);
        judge(log, copy, disk, damage.what(), damage.where());
    }

    private void judge(Intact log, DiskArray disks, int disk, String what, Stretch... damaged) {
        try {
            judge(log, disks, disk, damaged.length > 1, log.provedIndex(disk, List.of(damaged)));
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError(
                    "records " + log.firstIndex() + " to " + log.lastIndex() + ", disk " + (disk + 1) + ", " + what
                            + ": " + e,
                    e);
        }
    }

    private void judge(Intact log, DiskArray disks, int disk, boolean misdirected, long proved) throws IOException {
        long operations = disks.operations();
        try {
            judgeRecovered(
                    log,
                    disks,
                    Recovery.recover(disks.storages(), OPTIONS.segments(), WriterClaim.ofThisProcess())
                            .report(),
                    proved);
        } catch (LogException stop) {
            assertThat(disks.operations())
                    .as("operations that change something")
                    .isEqualTo(operations);
            if (!misdirected) { // whose mark, in an earlier place, says that what stood there is another disk's
                assertThat(stop.getMessage()).contains("disk " + (disk + 1));
            }
            stopped.increment();
        }
    }

    private void judgeRecovered(Intact log, DiskArray disks, RecoveryReport report, long proved) throws IOException {
        assertThat(report.lastIndex()).as("last recovered").isBetween(proved, log.lastIndex());
        assertThat(report.firstIndex()).as("first recovered").isGreaterThanOrEqualTo(log.firstIndex());
        try (LogReader reader = StoredLogReader.ofStorages(disks.storages(), 0)) {
            for (long index = report.firstIndex(); index <= report.lastIndex(); index++) {
                if (!reader.next() || !reader.payload().equals(log.records().get((int) (index - log.firstIndex())))) {
                    throw new AssertionError("record " + index + " is not what it was");
                }
            }
            assertThat(reader.next()).isFalse();
        }
        (report.lastIndex() == log.lastIndex() ? whole : cut).increment();
    }
}
