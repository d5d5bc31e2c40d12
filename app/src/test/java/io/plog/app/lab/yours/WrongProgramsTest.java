package io.plog.app.lab.yours;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.app.lab.yours.Promise.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The campaigns that judge programs find the usual mistakes, which are small edits of a lab's solution, and none in the solution. */
@Timeout(7200)
final class WrongProgramsTest {
    private static final Map<String, Path> LABS = Map.of(
            "client", Path.of("../labs/14-your-own-client"),
            "recovery", Path.of("../labs/15-your-own-recovery"));

    private final long seed = Long.getLong("plog.lab.seed", new SplittableRandom().nextLong(1L << 32));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"client 3", "recovery 3", "recovery 4", "recovery 11"})
    void aUsualMistakeBreaksItsPromise(String mistake) throws Exception {
        String[] words = mistake.split(" ");
        breaksItsPromise(words[0] + " " + mistakes(words[0]).name(Integer.parseInt(words[1])));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("mistakes")
    void eachUsualMistakeBreaksItsPromise(String mistake) throws Exception {
        breaksItsPromise(mistake);
    }

    static Stream<String> mistakes() throws IOException {
        Stream<String> all = Stream.of();
        for (String kind : LABS.keySet()) {
            all = Stream.concat(all, mistakes(kind).names().stream().map(name -> kind + " " + name));
        }
        return all;
    }

    private static Mistakes mistakes(String kind) {
        Path solution = LABS.get(kind).resolve("solution");
        return new Mistakes(solution.resolve("wrong-" + kind + ".txt"), solution.resolve(kind + ".py"));
    }

    private void breaksItsPromise(String mistake) throws Exception {
        String kind = mistake.split(" ")[0];
        String name = mistake.substring(kind.length() + 1);
        Path program =
                Files.writeString(folder.resolve("wrong.py"), mistakes(kind).text(name));
        Verdict verdict = judge(kind, program, Mistakes.promise(kind, name), 200);
        System.out.println(mistake + ", history " + verdict.histories() + ": " + verdict.why());
        assertThat(verdict.points()).as("%s, seed %d", mistake, seed).isZero();
    }

    @Test
    void theRecoveryOfTheSolutionKeepsAllPromises() throws Exception {
        keepsAllPromises("recovery", 10);
    }

    /** As many histories of each promise as the property says; the solution's own document says how many it has passed. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"client", "recovery"})
    void theSolutionKeepsAllPromisesForLong(String kind) throws Exception {
        keepsAllPromises(kind, Integer.getInteger("plog.lab.histories", 100));
    }

    private void keepsAllPromises(String kind, int histories) throws Exception {
        for (Promise promise : Promise.of(kind)) {
            long began = System.nanoTime();
            Verdict verdict = judge(kind, LABS.get(kind).resolve("solution/" + kind + ".py"), promise, histories);
            System.out.printf(
                    "%s: %d histories, %d s%n",
                    promise.title(), verdict.histories(), (System.nanoTime() - began) / 1_000_000_000);
            assertThat(verdict.why()).as("%s, seed %d", promise.title(), seed).isEmpty();
        }
    }

    private Verdict judge(String kind, Path program, Promise promise, int histories) throws Exception {
        Path files = Files.createTempDirectory(folder, kind);
        String command = "python3 " + program;
        try (ProgramCommand.Trial trial =
                kind.equals("client") ? new ClientTrial(command, files) : new RecoveryTrial(command, files)) {
            return ProgramCommand.judge(trial, promise, histories, seed);
        }
    }
}
