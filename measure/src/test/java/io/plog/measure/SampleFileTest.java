package io.plog.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Warmup;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleCsv;
import io.plog.measure.samples.SampleFileException;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.SampleFormat;
import io.plog.measure.samples.Samples;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleFileTest {
    private static final RunInfo INFO = new RunInfo(
            "1.2.3",
            Instant.parse("2026-11-20T12:00:00Z"),
            "plog measure --seed 7",
            new Grid(
                    "",
                    List.of(),
                    List.of(),
                    List.of(100, 1000),
                    List.of("a", "off"),
                    10,
                    1,
                    Warmup.exactly(5),
                    2,
                    1,
                    0,
                    7),
            Map.of("cpu", "a fast \"one\""),
            Map.of("kernel", "6.1 — ü"),
            List.of(
                    new RunInfo.Target(
                            3, "a", "fdatasync", Map.of("fileSystem", "ext4"), Map.of("file", "random, 1 MiB")),
                    new RunInfo.Target(9, "off", "off", Map.of())));
    private static final RunInfo.End END = new RunInfo.End(true, "interrupted", 12_345);
    private static final CellKey A100 = new CellKey(3, 100);
    private static final CellKey OFF100 = new CellKey(9, 100);

    @TempDir
    private Path directory;

    private static long newSeed() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        return seed;
    }

    /** Any numbers at all, extremes included, of requests that failed: those of an answer have bounds. */
    private static Samples anything(Random random, int count) {
        Samples samples = new Samples(0);
        for (int i = 0; i < count; i++) {
            samples.begin();
            for (Column column : Column.values()) {
                samples.set(column, random.nextLong() >> random.nextInt(64));
            }
            samples.set(Column.STATUS, -1 - random.nextInt(9));
        }
        return samples;
    }

    /** As a run gives them. */
    static Samples plausible(Random random, int count) {
        Samples samples = new Samples(count);
        long sent = 1_000_000_000;
        for (int i = 0; i < count; i++) {
            samples.begin();
            long write = 20_000L + random.nextInt(5_000);
            long force = 70_000 + (long) (Math.abs(random.nextGaussian()) * 30_000);
            long endToEnd = 60_000 + write + force + random.nextInt(20_000);
            samples.set(Column.BLOCK, i / 1000);
            samples.set(Column.INTENDED, sent);
            samples.set(Column.SENT, sent);
            samples.set(Column.END_TO_END, endToEnd);
            samples.set(Column.LOG_INDEX, 77 + i);
            samples.set(Column.WAITING, 2_000 + random.nextInt(3_000));
            samples.set(Column.BATCH_WAIT, 200 + random.nextInt(200));
            samples.set(Column.WRITE, write);
            samples.set(Column.FORCE, force);
            samples.set(Column.EXECUTION, 500 + random.nextInt(200));
            samples.set(Column.RESIDENCE, endToEnd - 40_000 - random.nextInt(10_000));
            samples.set(Column.BATCH_RECORDS, 1);
            sent += endToEnd + 1_000 + random.nextInt(500);
        }
        return samples;
    }

    /** A reader sorts them by trial and time of sending. */
    private static void assertSame(Samples found, List<Samples> expected) {
        List<long[]> rows = new ArrayList<>();
        for (Samples part : expected) {
            rows.addAll(rows(part));
        }
        rows.sort(Comparator.<long[]>comparingLong(row -> row[Column.TRIAL.ordinal()])
                .thenComparingLong(row -> row[Column.SENT.ordinal()]));
        assertThat(rows(found).toArray()).isEqualTo(rows.toArray());
    }

    private static List<long[]> rows(Samples samples) {
        return LongStream.range(0, samples.count())
                .mapToObj(i -> Stream.of(Column.values())
                        .mapToLong(column -> samples.get(column, i))
                        .toArray())
                .toList();
    }

    private Path write(String name, List<Samples> a, List<Samples> off) throws IOException {
        Path file = directory.resolve(name);
        try (SampleFileWriter writer = SampleFileWriter.create(file, INFO)) {
            for (int i = 0; i < Math.max(a.size(), off.size()); i++) {
                if (i < a.size()) {
                    writer.append(A100, a.get(i));
                }
                if (i < off.size()) {
                    writer.append(OFF100, off.get(i));
                }
            }
            writer.end(END);
        }
        return file;
    }

    @Test
    void whatIsWrittenIsReadAgainWhateverTheNumbersAre() throws Exception {
        Random random = new Random(newSeed());
        for (int round = 0; round < 30; round++) {
            List<Samples> a = List.of(anything(random, random.nextInt(300)), anything(random, 1 + random.nextInt(50)));
            List<Samples> off = List.of(anything(random, 1));
            Path file = write("round" + round, a, off);
            try (SampleFileReader reader = SampleFileReader.open(file)) {
                assertThat(reader.info()).isEqualTo(INFO);
                assertThat(reader.end()).isEqualTo(END);
                assertThat(reader.isCut()).isFalse();
                assertThat(reader.cells()).containsExactly(A100, OFF100);
                assertSame(reader.samples(OFF100), off);
                assertSame(reader.samples(A100), a);
                assertThat(reader.samples(new CellKey(3, 5)).count()).isZero();
            }
        }
    }

    @Test
    void moreSamplesThanAChunkTakesAreDivided() throws Exception {
        Samples many = plausible(new Random(1), SampleFormat.MAX_CHUNK_SAMPLES + 10);
        Path file = write("many", List.of(many), List.of());
        try (SampleFileReader reader = SampleFileReader.open(file)) {
            assertSame(reader.samples(A100), List.of(many));
        }
    }

    @Test
    void aSampleTakesAboutTwentyBytesAtMost() throws Exception {
        int count = 20_000;
        Path file = write("small", List.of(plausible(new Random(1), count)), List.of());
        assertThat(Files.size(file) / (double) count).isLessThan(22);
    }

    @Test
    void aFileThatIsThereIsLeftAlone() throws Exception {
        Path file = write("there", List.of(), List.of());
        assertThatThrownBy(() -> SampleFileWriter.create(file, INFO)).isInstanceOf(FileAlreadyExistsException.class);
        try (SampleFileReader reader = SampleFileReader.open(file)) {
            assertThat(reader.end()).isEqualTo(END);
            assertThat(reader.isCut()).isFalse();
        }
    }

    @Test
    void aFileCutAtAnyLengthIsReadUpToTheCut() throws Exception {
        Random random = new Random(newSeed());
        List<Samples> a = List.of(anything(random, 3), anything(random, 2));
        byte[] whole = Files.readAllBytes(write("whole", a, List.of()));
        Path cut = directory.resolve("cut");
        int readable = 0;
        int lastCount = 0;
        for (int length = 0; length < whole.length; length++) {
            Files.write(cut, Arrays.copyOf(whole, length));
            try (SampleFileReader reader = SampleFileReader.open(cut)) {
                readable++;
                assertThat(reader.info()).isEqualTo(INFO);
                assertThat(reader.isCut()).isTrue();
                assertThat(reader.end().partial()).isTrue();
                assertThat(reader.end().reason()).contains("at byte ");
                Samples samples = reader.samples(A100);
                assertThat(samples.count()).isIn(0L, 3L, 5L).isGreaterThanOrEqualTo(lastCount);
                lastCount = (int) samples.count();
                assertSame(samples, a.subList(0, lastCount == 0 ? 0 : lastCount == 3 ? 1 : 2));
            } catch (SampleFileException e) {
                assertThat(readable).as("once readable, longer stays readable").isZero();
                assertThat(e.getMessage())
                        .containsAnyOf("it is not one, or was cut at once", "before the run's description");
            }
        }
        assertThat(readable).isPositive();
        assertThat(lastCount).isEqualTo(5);
    }

    @Test
    void anyFlippedBitIsFoundAndNeverReadAsSomethingElse() throws Exception {
        Random random = new Random(newSeed());
        byte[] whole = Files.readAllBytes(write("sound", List.of(anything(random, 3)), List.of()));
        Path damaged = directory.resolve("damaged");
        for (int at = 0; at < whole.length; at++) {
            byte[] bytes = whole.clone();
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(damaged, bytes);
            assertThatThrownBy(() -> SampleFileReader.open(damaged).close())
                    .as("bit in byte %d", at)
                    .isInstanceOf(SampleFileException.class)
                    .hasMessageStartingWith(damaged.toString())
                    .hasMessageNotContaining("newer")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void anotherFileAndANewerFormatAreDistinguished() throws Exception {
        byte[] whole = Files.readAllBytes(write("whole", List.of(), List.of()));
        Path other = directory.resolve("other");
        Files.writeString(other, "{\"schemaVersion\": 1, \"cells\": []}");
        assertThatThrownBy(() -> SampleFileReader.open(other))
                .hasMessage(other + ": is not a plog sample file: it begins with 7b22736368656d61,"
                        + " expected 504c4f47534d504c");
        ByteBuffer header = ByteBuffer.wrap(whole).putInt(8, 2);
        Files.write(other, whole);
        assertThatThrownBy(() -> SampleFileReader.open(other)).hasMessageContaining("the file is damaged");
        CRC32C check = new CRC32C();
        check.update(header.slice(0, 12));
        header.putInt(12, (int) check.getValue());
        Files.write(other, whole);
        assertThatThrownBy(() -> SampleFileReader.open(other))
                .hasMessage(
                        other + ": was written by a newer plog (sample format 2, this one reads 1); nothing is wrong"
                                + " with it, use that version");
    }

    @Test
    void bytesBehindTheEndAreDamage() throws Exception {
        Path file = write("long", List.of(), List.of());
        Files.write(file, new byte[] {0}, StandardOpenOption.APPEND);
        assertThatThrownBy(() -> SampleFileReader.open(file)).hasMessageContaining("has 1 bytes behind its end");
    }

    @Test
    void theCsvHasALineForEachSampleUnderTheColumnsNames() throws Exception {
        Samples samples = plausible(new Random(1), 3);
        Path file = write("csv", List.of(samples), List.of(plausible(new Random(2), 2)));
        StringWriter out = new StringWriter();
        try (SampleFileReader reader = SampleFileReader.open(file)) {
            SampleCsv.write(reader, out);
        }
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(6);
        assertThat(lines.get(0))
                .isEqualTo(
                        "target,payloadBytes,TRIAL,BLOCK,PHASE,CONNECTION,INTENDED,SENT,END_TO_END,STATUS,LOG_INDEX,"
                                + "WAITING,BATCH_WAIT,WRITE,FORCE,EXECUTION,RESIDENCE,BATCH_RECORDS,KIND,PAYLOAD_BYTES,HELD,CONNECT,force,file");
        assertThat(lines.get(3))
                .startsWith(
                        "a,100,0,0,0,0," + samples.get(Column.INTENDED, 2) + "," + samples.get(Column.SENT, 2) + ",")
                .endsWith("," + samples.get(Column.RESIDENCE, 2) + ",1,0,0,0,0,fdatasync,\"random, 1 MiB\"");
        assertThat(lines.get(5)).startsWith("off,100,").endsWith(",off,");
    }
}
