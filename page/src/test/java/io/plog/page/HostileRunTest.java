package io.plog.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Loop;
import io.plog.measure.plan.Mix;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileException;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.SampleFormat;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.TrialRecord;
import io.plog.results.Analysis;
import io.plog.results.HostileJson;
import io.plog.results.SyntheticRun;
import io.plog.results.TerminalSummary;
import io.plog.results.model.Results;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A {@code samples.plog} whose checksums are right, with anything in it, is rendered, or refused in a sentence; properties as for
 * studies.
 */
final class HostileRunTest {
    private static final long SEED = Long.getLong("plog.hostile.seed", System.nanoTime());
    private static final int DOCUMENTS = Integer.getInteger("plog.hostile.documents", 20);
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS); // says 1e400 again
    private static final long[] NUMBERS = {
        0,
        -1,
        1,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 53,
        Long.MAX_VALUE / 4,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        -999_999_999_999L
    };

    @TempDir
    private Path directory;

    private final List<String> wrong = new ArrayList<>();
    private int drawn;

    @Test
    void whateverTheDescriptionSaysOfTheRunItIsDrawnOrRefusedInASentence() throws IOException {
        System.out.println("seed " + SEED);
        for (boolean load : List.of(false, true)) {
            SyntheticRun run = run();
            Path sound = write("sound-" + load, run, new Samples(0), run.info());
            byte[] samples = Files.readAllBytes(sound);
            ObjectNode document = JSON.createObjectNode();
            document.set("info", SampleFormat.JSON.valueToTree(run.info()));
            document.set(
                    "end",
                    JSON.valueToTree(new RunInfo.End(
                            false, "", 1_000_000_000L, List.of(new TrialRecord.LoadCounts(1, 0, 0, 4, 0, 0)))));
            document.set("events", JSON.valueToTree(run.events()));
            if (load) {
                Load plan = Load.on("", "main")
                        .loop(new Loop.PartlyOpen(1, 100, Arrivals.POISSON, 100))
                        .mix(Mix.parse("100=1,101-1000=1"))
                        .loggedShare(0.5)
                        .duration(Duration.ofSeconds(1));
                ((ObjectNode) document.path("info")).set("plan", SampleFormat.JSON.valueToTree(plan));
            }
            Path file = directory.resolve("hostile-" + load);
            render(file, described(samples, document), "as it is");
            assertThat(drawn).as("%s", wrong).isEqualTo(load ? 2 : 1);
            new HostileJson(document, SEED)
                    .each(DOCUMENTS, (text, what) -> render(file, described(samples, JSON.readTree(text)), what));
            drawn = 1;
        }
        assertThat(wrong).as("seed " + SEED).isEmpty();
    }

    @Test
    void whateverASampleSaysItIsDrawnOrRefusedInASentence() throws IOException {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        SyntheticRun run = run();
        List<Column> columns = List.of(Column.values());
        for (int i = 0; i < DOCUMENTS; i++) {
            Column column = columns.get(random.nextInt(columns.size()));
            long number = NUMBERS[random.nextInt(NUMBERS.length)];
            int every = random.nextBoolean() ? 1 : 20;
            Samples samples = run.samples("fdatasync", 100);
            Samples hostile = new Samples((int) samples.count());
            for (int sample = 0; sample < samples.count(); sample++) {
                hostile.append(samples, sample);
                if (sample % every == 0) {
                    hostile.set(column, number);
                }
            }
            Path file = write("samples", run, hostile, run.info());
            render(file, Files.readAllBytes(file), column + " = " + number + " in each of " + every);
        }
        System.out.println(drawn + " of " + DOCUMENTS + " drawn");
        assertThat(wrong).as("seed " + SEED).isEmpty();
        assertThat(drawn).isPositive();
    }

    private static SyntheticRun run() {
        return SyntheticRun.of(60, 3, List.of("fdatasync", "write", "off"), List.of(100, 1000));
    }

    private void render(Path file, byte[] bytes, String what) throws IOException {
        Files.write(file, bytes);
        try {
            Results results = RunPage.write(Analysis.of(file), directory.resolve("out"), null, false, null)
                    .results();
            TerminalSummary.of(results);
            drawn++;
        } catch (SampleFileException e) {
            assertThat(e).hasMessageStartingWith(file + ": ").hasMessageNotContaining("\n");
        } catch (RuntimeException e) {
            wrong.add(what + ": " + e + " at " + e.getStackTrace()[0]);
        }
    }

    /** The run, with these samples in place of the first cell's if there are any. */
    private Path write(String name, SyntheticRun run, Samples first, RunInfo info) throws IOException {
        Path file = directory.resolve(name);
        Files.deleteIfExists(file);
        try (SampleFileWriter writer = SampleFileWriter.create(file, info)) {
            for (RunInfo.Target target : info.targets()) {
                for (int bytes : info.plan().sizesBytes()) {
                    boolean hostile = target.name().equals("fdatasync") && bytes == 100 && first.count() > 0;
                    writer.append(new CellKey(target.id(), bytes), hostile ? first : run.samples(target.name(), bytes));
                }
            }
            for (SideEvents events : run.events()) {
                writer.append(events);
            }
            writer.end(new RunInfo.End(false, "", 1_000_000_000L));
        }
        return file;
    }

    /** The file with another description, end and events; docs/sample-format.md says where they stand. */
    static byte[] described(byte[] file, JsonNode document) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer in = ByteBuffer.wrap(file);
        out.write(file, 0, 16);
        in.position(16);
        while (in.hasRemaining()) {
            int type = in.getInt();
            byte[] body = Arrays.copyOfRange(file, in.position() + 12, in.position() + 12 + in.getInt(in.position()));
            in.position(in.position() + 12 + body.length);
            switch (type) {
                case 1 -> chunk(out, type, packed(document.path("info")));
                case 2 -> chunk(out, type, body);
                case 3 -> {
                    for (JsonNode side : document.path("events")) {
                        chunk(out, 4, packed(side));
                    }
                    chunk(out, type, packed(document.path("end")));
                }
                default -> {}
            }
        }
        return out.toByteArray();
    }

    private static byte[] packed(JsonNode node) throws IOException {
        byte[] plain = node.toString().getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(ByteBuffer.allocate(4).putInt(plain.length).array());
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
            deflater.write(plain);
        }
        return out.toByteArray();
    }

    private static void chunk(ByteArrayOutputStream out, int type, byte[] body) {
        ByteBuffer header =
                ByteBuffer.allocate(16).putInt(type).putInt(body.length).putInt(crc(ByteBuffer.wrap(body)));
        header.putInt(crc(header.slice(0, 12)));
        out.writeBytes(header.array());
        out.writeBytes(body);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
