package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.Directories;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LogFacts;
import io.plog.e2e.support.LogVariety;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.PythonReader;
import io.plog.log.LogOptions;
import io.plog.log.LogTools;
import io.plog.log.MessageLog;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogDamagedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The reader in Python, written from docs/log-format.md, and the log itself agree on every log: on the verdict, on the place
 * of damage and on each record.
 */
@Timeout(120)
@Order(8)
final class PythonReaderTest {
    /** Repeats a run: {@code -Dplog.variety.seed=SEED}. */
    private static final long SEED = Long.getLong("plog.variety.seed", System.nanoTime());

    private static final int LOGS = Integer.getInteger("plog.variety.logs", 12);
    private static final int DAMAGED_EACH = Integer.getInteger("plog.variety.damaged", 8);

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @Test
    void bothReadersAgreeOnEveryLog() throws Exception {
        SplittableRandom seeds = new SplittableRandom(SEED);
        Map<Path, String> logs = new LinkedHashMap<>();
        for (int i = 0; i < LOGS; i++) {
            LogVariety variety = new LogVariety(seeds.split());
            Path log = directory.resolve(i + "-0");
            variety.write(log);
            logs.put(log, "as it was written");
            for (int j = 1; j <= DAMAGED_EACH; j++) {
                Path copy = directory.resolve(i + "-" + j);
                Directories.copy(log, copy);
                logs.put(copy, variety.damage(copy));
            }
        }
        List<PythonReader.Answer> verdicts = PythonReader.run(List.copyOf(logs.keySet()), "verify", "--json");
        List<PythonReader.Answer> dumps = PythonReader.run(List.copyOf(logs.keySet()), "dump", "--payload");
        int damaged = 0;
        int next = 0;
        for (Map.Entry<Path, String> log : logs.entrySet()) {
            PythonReader.Answer verdict = verdicts.get(next);
            String what = String.format(
                    "-Dplog.variety.seed=%d, log %s: %s", SEED, log.getKey().getFileName(), log.getValue());
            assertAgreement(what, log.getKey(), verdict, dumps.get(next));
            damaged += verdict.exit() == 3 ? 1 : 0;
            next++;
        }
        assertThat(damaged).as("logs with damage").isPositive();
    }

    @Test
    void bothReadersAgreeOnStripedLogs() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        List<List<Path>> logs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            List<Path> written = stripes(i + "-0", 2 + i % 3);
            List<Path> killed = stripes(i + "-1", written.size());
            writeStriped(written, killed, random);
            logs.add(written);
            logs.add(killed);
            for (int j = 2; j <= DAMAGED_EACH; j++) {
                List<Path> from = j % 2 == 0 ? written : killed;
                List<Path> copy = new ArrayList<>();
                for (int k = 0; k < from.size(); k++) {
                    Path stripe = directory.resolve("striped-" + i + "-" + j + "-" + k);
                    Directories.copy(from.get(k), stripe);
                    copy.add(stripe);
                }
                new LogVariety(random.split()).damage(copy.get(random.nextInt(copy.size())));
                logs.add(copy);
            }
        }
        List<Path> names = logs.stream()
                .map(log -> Path.of(log.stream().map(Path::toString).collect(Collectors.joining("+"))))
                .toList();
        List<PythonReader.Answer> verdicts = PythonReader.run(names, "verify", "--json");
        List<PythonReader.Answer> dumps = PythonReader.run(names, "dump", "--payload");
        for (int i = 0; i < logs.size(); i++) {
            String what = String.format("-Dplog.variety.seed=%d, log %s", SEED, names.get(i));
            assertAgreement(what, logs.get(i), verdicts.get(i), dumps.get(i));
        }
        assertThat(verdicts).anyMatch(verdict -> verdict.exit() == 3);
    }

    private List<Path> stripes(String name, int count) throws IOException {
        List<Path> stripes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            stripes.add(Files.createDirectory(directory.resolve("striped-" + name + "-" + i)));
        }
        return stripes;
    }

    /** A log that was closed in order, and what a kill some time before would have left of it. */
    private static void writeStriped(List<Path> written, List<Path> killed, SplittableRandom random) throws Exception {
        LogOptions options =
                LogOptions.in(written).withMaxRecordBytes(16 * 1024).withSegmentBytes(64 * 1024);
        try (MessageLog log = MessageLog.open(options)) {
            appendSome(log, random);
            if (random.nextBoolean()) {
                log.saveCheckpoint(log.durableIndex() / 2, ByteBuffer.allocate(50));
                log.truncateBefore(log.durableIndex() / 2 + 1);
            }
            appendSome(log, random);
        }
        for (int i = 0; i < written.size(); i++) {
            Files.delete(killed.get(i));
            Directories.copy(written.get(i), killed.get(i));
        }
        try (MessageLog log = MessageLog.open(options.withForce(Force.FSYNC))) {
            appendSome(log, random);
            for (int i = 0; i < written.size(); i++) {
                for (Path file : Directories.files(written.get(i))) {
                    if (file.toString().endsWith(".seg")) {
                        Files.copy(
                                file, killed.get(i).resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
            appendSome(log, random);
        }
    }

    private static void appendSome(MessageLog log, SplittableRandom random) throws Exception {
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        for (int i = random.nextInt(60); i >= 0; i--) {
            byte[] payload = new byte[random.nextInt(random.nextInt(4) == 0 ? 9000 : 100)];
            random.nextBytes(payload);
            appends.add(log.append(ByteBuffer.wrap(payload)));
        }
        for (CompletableFuture<Long> append : appends) {
            append.get();
        }
    }

    private static void assertAgreement(String what, Path log, PythonReader.Answer verdict, PythonReader.Answer dump)
            throws IOException {
        assertAgreement(what, List.of(log), verdict, dump);
    }

    private static void assertAgreement(
            String what, List<Path> log, PythonReader.Answer verdict, PythonReader.Answer dump) throws IOException {
        LogTools.Inspection inspection = LogTools.inspect(log);
        if (inspection.logId().isEmpty() && inspection.damage().isEmpty()) {
            assertThat(verdict.exit()).as("%s: there is no log", what).isEqualTo(1);
            return;
        }
        LogDamagedException damage = inspection.damage().orElse(null);
        assertThat(verdict.exit()).as("%s: %s", what, damage).isEqualTo(damage == null ? 0 : 3);
        assertThat(dump.exit()).as(what).isEqualTo(verdict.exit());
        JsonNode found = verdict.json();
        if (damage != null) {
            assertThat(found.path("directory").asText() + found.path("file").asText() + " at " + found.path("offset"))
                    .as("%s: place of damage", what)
                    .isEqualTo(damage.directory() + damage.file() + " at " + damage.offset());
        }
        assertThat(LogFacts.of(found)).as(what).isEqualTo(LogFacts.of(inspection));
        assertThat(dump.numbered())
                .as("%s: records", what)
                .isEqualTo(LogFacts.records(log, inspection.firstIndex(), true));
    }

    @Test
    void itPrintsWhatTheCommandsPrint() throws Exception {
        Path log = directory.resolve("log");
        new LogVariety(new SplittableRandom(SEED)).write(log);
        Plog verify = Plog.run("log verify --json %s", log).exited(0);
        PythonReader.Answer verdict =
                PythonReader.run(List.of(log), "verify", "--json").get(0);
        assertThat(LogFacts.of(new ObjectMapper().readTree(verify.outText()))).isEqualTo(LogFacts.of(verdict.json()));
        Plog dump = Plog.run("log dump --json --payload %s", log).exited(0);
        assertThat(PythonReader.run(List.of(log), "dump", "--payload").get(0).lines())
                .isEqualTo(dump.out());
    }
}
