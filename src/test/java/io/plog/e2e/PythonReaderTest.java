package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.log.LogDamagedException;
import io.plog.log.LogException;
import io.plog.log.LogInspection;
import io.plog.log.LogReader;
import io.plog.protocol.RequestRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.StreamSupport;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The reader in Python, written from docs/log-format.md, and the log itself agree on every log: on the verdict, on the place
 * of damage and on each record.
 */
@Timeout(120)
final class PythonReaderTest {
    /** Repeats a run: {@code -Dplog.variety.seed=SEED}. */
    private static final long SEED = Long.getLong("plog.variety.seed", System.nanoTime());

    private static final int LOGS = Integer.getInteger("plog.variety.logs", 25);
    private static final int DAMAGED_EACH = Integer.getInteger("plog.variety.damaged", 8);

    @TempDir(factory = DiskDirectory.class)
    @SuppressWarnings("NullAway.Init")
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
                LogVariety.copy(log, copy);
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

    private static void assertAgreement(String what, Path log, PythonReader.Answer verdict, PythonReader.Answer dump)
            throws IOException {
        LogInspection inspection = LogInspection.of(log);
        if (inspection.logId().isEmpty() && inspection.damage().isEmpty()) {
            assertThat(verdict.exit()).as("%s: there is no log", what).isEqualTo(1);
            return;
        }
        LogDamagedException damage = inspection.damage().orElse(null);
        assertThat(verdict.exit()).as("%s: %s", what, damage).isEqualTo(damage == null ? 0 : 3);
        assertThat(dump.exit()).as(what).isEqualTo(verdict.exit());
        JsonNode found = verdict.json();
        if (damage != null) {
            assertThat(found.path("file").asText() + " at " + found.path("offset"))
                    .as("%s: place of damage", what)
                    .isEqualTo(damage.file() + " at " + damage.offset());
        }
        assertThat(facts(found)).as(what).isEqualTo(facts(inspection));
        assertThat(dump.lines()).as("%s: records", what).isEqualTo(records(log, inspection.firstIndex()));
    }

    private static Map<String, String> facts(JsonNode found) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (String name : List.of(
                "ok",
                "records",
                "firstIndex",
                "lastIndex",
                "markedIndex",
                "checkpointIndex",
                "cleanlyClosed",
                "tornBytes")) {
            facts.put(name, found.path(name).asText());
        }
        facts.put(
                "segments",
                StreamSupport.stream(found.path("segments").spliterator(), false)
                        .map(segment -> segment.path("file").asText() + " "
                                + segment.path("content").asText() + " " + segment.path("offset"))
                        .toList()
                        .toString());
        return facts;
    }

    private static Map<String, String> facts(LogInspection found) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("ok", Boolean.toString(found.damage().isEmpty()));
        facts.put("records", Long.toString(found.records()));
        facts.put("firstIndex", Long.toString(found.firstIndex()));
        facts.put("lastIndex", Long.toString(found.lastIndex()));
        facts.put("markedIndex", Long.toString(found.markedIndex()));
        facts.put("checkpointIndex", Long.toString(found.checkpointIndex()));
        facts.put("cleanlyClosed", Boolean.toString(found.cleanlyClosed()));
        facts.put(
                "tornBytes",
                Long.toString(found.segments().stream()
                        .mapToLong(LogInspection.Segment::tornBytes)
                        .sum()));
        facts.put(
                "segments",
                found.segments().stream()
                        .filter(segment -> !segment.state().equals("prepared"))
                        .map(segment -> segment.file() + " " + segment.content() + " " + segment.usedBytes())
                        .toList()
                        .toString());
        return facts;
    }

    private static List<String> records(Path log, long firstIndex) throws IOException {
        List<String> lines = new ArrayList<>();
        try (LogReader reader = LogReader.open(log, firstIndex)) {
            while (reader.next()) {
                lines.add(line(reader.index(), reader.payload()));
            }
        } catch (LogException damaged) {
            // What came before is what there is; that it is damaged was compared before.
        }
        return lines;
    }

    /** As {@code plog log dump --json --payload} prints it. */
    private static String line(long index, ByteBuffer record) {
        String request = "";
        ByteBuffer body = record;
        if (RequestRecord.isRequest(record)) {
            request = ",\"client\":" + Long.toUnsignedString(RequestRecord.client(record)) + ",\"request\":"
                    + Long.toUnsignedString(RequestRecord.request(record));
            body = RequestRecord.payload(record);
        }
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return String.format(
                Locale.ROOT,
                "{\"index\":%d%s,\"length\":%d,\"crc32c\":\"%08x\",\"payload\":\"%s\"}",
                index,
                request,
                bytes.length,
                crc.getValue(),
                Base64.getEncoder().encodeToString(bytes));
    }
}
