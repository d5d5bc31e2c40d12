package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.log.LogDamagedException;
import io.plog.log.LogInspection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
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
        assertThat(LogFacts.of(found)).as(what).isEqualTo(LogFacts.of(inspection));
        assertThat(dump.lines())
                .as("%s: records", what)
                .isEqualTo(LogFacts.records(log, inspection.firstIndex(), true));
    }

    @Test
    void itPrintsWhatTheCommandsPrint() throws Exception {
        Path log = directory.resolve("log");
        new LogVariety(new SplittableRandom(SEED)).write(log);
        Plog verify = Plog.run("log", "verify", "--json", log).exited(0);
        PythonReader.Answer verdict =
                PythonReader.run(List.of(log), "verify", "--json").get(0);
        assertThat(LogFacts.of(new ObjectMapper().readTree(verify.outText()))).isEqualTo(LogFacts.of(verdict.json()));
        Plog dump = Plog.run("log", "dump", "--json", "--payload", log).exited(0);
        assertThat(PythonReader.run(List.of(log), "dump", "--payload").get(0).lines())
                .isEqualTo(dump.out());
    }
}
