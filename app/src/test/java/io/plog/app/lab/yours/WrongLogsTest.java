package io.plog.app.lab.yours;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.app.lab.yours.Promise.Verdict;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The campaign of lab 10 finds the usual mistakes, which are small edits of its solution, and none in the solution or in plog's own log. */
@Timeout(900)
final class WrongLogsTest {
    private static final Path LAB = Path.of("../labs/10-your-own-log");
    private static final Mistakes MISTAKES =
            new Mistakes(LAB.resolve("solution/wrong-logs.txt"), LAB.resolve("solution/GoodLog.java"));

    private final long seed = Long.getLong("plog.lab.seed", new SplittableRandom().nextLong(1L << 32));

    @TempDir
    private Path classes;

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 6, 10, 12})
    void aUsualMistakeBreaksItsPromise(int number) throws Exception {
        breaksItsPromise(MISTAKES.name(number));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("wrongLogs")
    void eachUsualMistakeBreaksItsPromise(String name) throws Exception {
        breaksItsPromise(name);
    }

    private void breaksItsPromise(String name) throws Exception {
        Verdict verdict = new LogCampaign(compiled("GoodLog", MISTAKES.text(name)), seed)
                .judge(Mistakes.promise("log", name), 500);
        System.out.println(name + ", history " + verdict.histories() + ": " + verdict.why());
        assertThat(verdict.points()).as("%s, seed %d", name, seed).isZero();
    }

    @Test
    void theSolutionKeepsAllPromisesAndTheSkeletonTheFirst() throws Exception {
        assertThat(firstBroken(source("solution/GoodLog"), 50))
                .as("seed %d", seed)
                .isEmpty();
        assertThat(firstBroken(source("skeleton/MyLog"), 50))
                .as("seed %d", seed)
                .startsWith("promise 2");
    }

    /** LabBugsTest lets the same campaign loose on it in each build. */
    @Test
    @Tag("slow")
    void plogsOwnLogKeepsAllPromises() throws Exception {
        assertThat(firstBroken(PlogLog::new, 50)).as("seed %d", seed).isEmpty();
    }

    @Test
    @Tag("slow")
    void theSolutionPassesTenThousandRandomHistories() throws Exception {
        int histories = Integer.getInteger("plog.lab.histories", 10_000) / 8;
        System.out.println("seed " + seed);
        assertThat(firstBroken(source("solution/GoodLog"), histories))
                .as("seed %d", seed)
                .isEmpty();
    }

    private String firstBroken(Function<Storage, YourLog> logs, int histories) throws IOException {
        List<Promise> promises = Promise.of("log");
        for (int i = 0; i < promises.size(); i++) {
            Verdict verdict = new LogCampaign(logs, seed).judge(promises.get(i), histories);
            if (verdict.points() == 0) {
                return "promise " + (i + 1) + ", history " + verdict.histories() + ", " + verdict.why() + "\n"
                        + String.join("\n", verdict.picture());
            }
        }
        return "";
    }

    static List<String> wrongLogs() throws IOException {
        return MISTAKES.names();
    }

    private Function<Storage, YourLog> source(String name) throws Exception {
        Path source = LAB.resolve(name + ".java");
        return compiled(name.substring(name.indexOf('/') + 1), Files.readString(source));
    }

    private Function<Storage, YourLog> compiled(String name, String text) throws Exception {
        return StudentJar.log(StudentJars.jar(classes, name, text), null);
    }
}
