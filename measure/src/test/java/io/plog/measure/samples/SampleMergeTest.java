package io.plog.measure.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.measure.PartFiles;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Warmup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleMergeTest {
    private static final Grid PLAN = new Grid(
            "", List.of(), List.of(), List.of(100, 1000), List.of("main", "off"), 10, 1, Warmup.exactly(0), 2, 1, 0, 7);
    private static final RunInfo.End WHOLE = new RunInfo.End(false, "", 5_000_000);

    @TempDir
    private Path directory;

    private final Random random = new Random(seed());

    private static long seed() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        return seed;
    }

    /** A run whose server numbers its targets from {@code firstId} on. */
    private static RunInfo info(int firstId) {
        return new RunInfo(
                "0.1.0",
                Instant.parse("2026-11-20T14:00:00Z"),
                "plog measure",
                PLAN,
                Map.of(),
                Map.of(),
                List.of(
                        new RunInfo.Target(firstId, "main", "fdatasync", Map.of()),
                        new RunInfo.Target(firstId + 1, "off", "off", Map.of())));
    }

    /** Samples that are distinguished by their log index, sent one after the other. */
    private Samples samples(int count, long firstIndex, long median) {
        Samples samples = new Samples(count);
        long now = 0;
        for (int i = 0; i < count; i++) {
            samples.begin();
            samples.set(Column.TRIAL, 2);
            samples.set(Column.BLOCK, i / 5);
            samples.set(Column.CONNECTION, i % 3);
            samples.set(Column.INTENDED, now - 1);
            samples.set(Column.SENT, now);
            samples.set(Column.LOG_INDEX, firstIndex + i);
            samples.set(Column.END_TO_END, Math.round(median * Math.exp(random.nextGaussian() / 2)));
            now += 1 + random.nextInt(1000);
        }
        return samples;
    }

    private Path write(String name, RunInfo info, Map<CellKey, Samples> cells, RunInfo.End end) throws IOException {
        Path file = directory.resolve(name);
        try (SampleFileWriter writer = SampleFileWriter.create(file, info)) {
            for (Map.Entry<CellKey, Samples> cell : cells.entrySet()) {
                writer.append(cell.getKey(), cell.getValue());
            }
            writer.end(end);
        }
        return file;
    }

    private static Samples read(Path file, CellKey cell) throws IOException {
        try (SampleFileReader reader = SampleFileReader.open(file)) {
            return reader.samples(cell);
        }
    }

    @Test
    void trialsStandOneBehindTheOtherUnderTheirNumbers() throws Exception {
        CellKey main = new CellKey(1, 100);
        Path first = write("first", info(1), Map.of(main, samples(20, 1, 1000)), WHOLE);
        Samples next = samples(20, 101, 1000);
        next.fill(Column.TRIAL, 3);
        Path second = write("second", info(1), Map.of(main, next), WHOLE);
        Path out = directory.resolve("out");
        RunInfo.End end = SampleMerge.write(
                List.of(
                        SampleMerge.Part.ofTrial(first, 0, Set.of()),
                        SampleMerge.Part.ofTrial(second, 6_000_000, Set.of())),
                info(1),
                out);
        assertThat(end).isEqualTo(new RunInfo.End(false, "", 11_000_000));
        Samples merged = read(out, main);
        assertThat(merged.column(Column.LOG_INDEX))
                .isEqualTo(LongStream.concat(LongStream.range(1, 21), LongStream.range(101, 121))
                        .toArray());
        assertThat(merged.column(Column.TRIAL, 0, 20)).containsOnly(2);
        assertThat(merged.column(Column.TRIAL, 20, 40)).containsOnly(3);
        Samples alone = read(second, main);
        for (int i = 0; i < 20; i++) {
            assertThat(merged.get(Column.SENT, 20 + i)).isEqualTo(alone.get(Column.SENT, i) + 6_000_000);
            assertThat(merged.get(Column.INTENDED, 20 + i)).isEqualTo(alone.get(Column.INTENDED, i) + 6_000_000);
            assertThat(merged.get(Column.CONNECTION, 20 + i)).isEqualTo(alone.get(Column.CONNECTION, i));
            assertThat(merged.get(Column.BLOCK, 20 + i)).isEqualTo(alone.get(Column.BLOCK, i));
        }
    }

    /** What has no reply ended the run, which then asked again if it went on with the turn. */
    @ParameterizedTest
    @ValueSource(ints = {7, 9})
    void whatEndedATurnThatWentOnCountsInNoFigure(int sentBefore) throws Exception {
        CellKey main = new CellKey(1, 100);
        Samples samples = samples(11, 1, 1000);
        samples.set(Column.BLOCK, 10, 1);
        samples.set(Column.STATUS, sentBefore, Samples.NO_REPLY);
        Files.createDirectory(directory.resolve(PartFiles.DIRECTORY));
        write("parts/trial-3.plog", info(1), Map.of(main, samples), WHOLE);
        Samples lacking = samples(10, 101, 1000);
        lacking.set(Column.STATUS, sentBefore, Samples.NO_REPLY);
        write("parts/trial-10.plog", info(1), Map.of(main, lacking), WHOLE);
        Path out = directory.resolve("out");
        new PartFiles(directory).merge(PLAN, "", out);
        Samples merged = read(out, main);
        assertThat(merged.count()).isEqualTo(21);
        assertThat(LongStream.range(0, 21)
                        .filter(i -> merged.get(Column.PHASE, i) == Samples.AGAIN)
                        .map(i -> merged.get(Column.LOG_INDEX, i)))
                .containsExactly(sentBefore + 1L);
    }

    @Test
    void clientsThatRanAtOnceAreMergedInTheOrderOfSending() throws Exception {
        CellKey main = new CellKey(1, 100);
        Path first = write("first", info(1), Map.of(main, samples(300, 1, 1000)), WHOLE);
        Path second = write("second", info(1), Map.of(main, samples(200, 1001, 1000)), WHOLE);
        Path out = directory.resolve("out");
        SampleMerge.write(
                List.of(SampleMerge.Part.ofClient(first, 0, 0, 0), SampleMerge.Part.ofClient(second, 500, 3, 0)),
                info(1),
                out);
        Samples merged = read(out, main);
        assertThat(merged.count()).isEqualTo(500);
        assertThat(merged.column(Column.SENT)).isSorted();
        assertThat(merged.column(Column.TRIAL)).containsOnly(2);
        List<Long> ofFirst = new ArrayList<>();
        List<Long> ofSecond = new ArrayList<>();
        for (int i = 0; i < merged.count(); i++) {
            long index = merged.get(Column.LOG_INDEX, i);
            (index < 1000 ? ofFirst : ofSecond).add(index);
            assertThat(merged.get(Column.CONNECTION, i) < 3).isEqualTo(index < 1000);
        }
        assertThat(ofFirst).hasSize(300).isSorted();
        assertThat(ofSecond).hasSize(200).isSorted();
        assertThat(ofFirst).as("interleaved, not one behind the other").isNotEmpty();
        assertThat(merged.get(Column.LOG_INDEX, 250)).isNotEqualTo(251);
    }

    @Test
    void cellsAreMatchedByTheNameOfTheTargetNotItsNumber() throws Exception {
        Path first = write(
                "first",
                info(1),
                Map.of(new CellKey(1, 100), samples(10, 1, 1000), new CellKey(2, 100), samples(3, 0, 1000)),
                WHOLE);
        Path second = write(
                "second",
                info(5),
                Map.of(new CellKey(5, 100), samples(7, 11, 1000), new CellKey(6, 1000), samples(4, 0, 1000)),
                WHOLE);
        Path out = directory.resolve("out");
        SampleMerge.write(
                List.of(SampleMerge.Part.ofTrial(first, 0, Set.of()), SampleMerge.Part.ofTrial(second, 0, Set.of())),
                info(1),
                out);
        try (SampleFileReader reader = SampleFileReader.open(out)) {
            assertThat(reader.cells()).containsExactly(new CellKey(1, 100), new CellKey(2, 100), new CellKey(2, 1000));
            assertThat(count(reader, new CellKey(1, 100))).isEqualTo(17);
            assertThat(count(reader, new CellKey(2, 100))).isEqualTo(3);
            assertThat(count(reader, new CellKey(2, 1000))).isEqualTo(4);
        }
    }

    private static long count(SampleFileReader reader, CellKey cell) throws IOException {
        return reader.samples(cell).count();
    }

    @Test
    void aPartThatIsPartialOrCutMakesTheWholePartial() throws Exception {
        CellKey main = new CellKey(1, 100);
        Path whole = write("whole", info(1), Map.of(main, samples(10, 1, 1000)), WHOLE);
        Path partial =
                write("partial", info(1), Map.of(main, samples(10, 1, 1000)), new RunInfo.End(true, "Ctrl-C", 9));
        Path cut = directory.resolve("cut");
        byte[] bytes = Files.readAllBytes(whole);
        Files.write(cut, Arrays.copyOf(bytes, bytes.length - 3));
        Path out = directory.resolve("out");
        RunInfo.End end = SampleMerge.write(
                List.of(
                        SampleMerge.Part.ofTrial(whole, 0, Set.of()),
                        SampleMerge.Part.ofTrial(partial, 0, Set.of()),
                        SampleMerge.Part.ofTrial(cut, 0, Set.of())),
                info(1),
                out);
        assertThat(end.partial()).isTrue();
        assertThat(end.reason())
                .startsWith(partial + ": Ctrl-C; " + cut + ": is cut at byte ")
                .doesNotContain(whole.toString());
        try (SampleFileReader reader = SampleFileReader.open(out)) {
            assertThat(reader.end()).isEqualTo(end);
            assertThat(count(reader, main)).isEqualTo(30);
        }
    }

    @Test
    void aTargetThatTheMergedRunLacksIsRefusedAndNothingIsLeft() throws Exception {
        Path part = write("part", info(1), Map.of(new CellKey(1, 100), samples(10, 1, 1000)), WHOLE);
        RunInfo i = info(1);
        RunInfo lacking = new RunInfo(
                i.plogVersion(),
                i.startedAt(),
                i.command(),
                i.plan(),
                i.client(),
                i.server(),
                i.targets().subList(1, 2));
        Path out = directory.resolve("out");
        assertThatThrownBy(() -> SampleMerge.write(List.of(SampleMerge.Part.ofTrial(part, 0, Set.of())), lacking, out))
                .isInstanceOf(SampleFileException.class)
                .hasMessage(part + ": has target main, which the merged run does not have; expected one of [off]");
        assertThat(out).doesNotExist();
    }

    @Test
    void aPartWhoseSamplesAreDamagedLeavesNothingBehind() throws Exception {
        // Sound checksums around a column that does not inflate: only decoding finds it, when the file is begun.
        Path part = write("part", info(1), Map.of(new CellKey(1, 100), samples(10, 1, 1000)), WHOLE);
        byte[] bytes = Files.readAllBytes(part);
        BrokenColumns.breakFirst(bytes);
        Files.write(part, bytes);
        Path out = directory.resolve("out");
        assertThatThrownBy(() -> SampleMerge.write(List.of(SampleMerge.Part.ofTrial(part, 0, Set.of())), info(1), out))
                .isInstanceOf(SampleFileException.class)
                .hasMessageContaining("cannot be decoded");
        assertThat(out).doesNotExist();
    }

    @Test
    void nothingIsNotMerged() {
        assertThatThrownBy(() -> SampleMerge.write(List.of(), info(1), directory.resolve("out")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
