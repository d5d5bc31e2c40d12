package io.plog.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every case of the corpus again, and some that differ a little from one. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // one that loops does not heed an interrupt
final class CorpusTest {
    private static final Path CORPUS = Path.of(System.getProperty("plog.root"), "src/test/fuzz");

    /** Repeats the changes of a failed run: {@code -Dplog.fuzz.seed=SEED}. */
    private static final long SEED = Long.getLong("plog.fuzz.seed", System.nanoTime());

    private static final int CHANGED_CASES = Integer.getInteger("plog.fuzz.cases", 300);

    @ParameterizedTest
    @EnumSource
    void noCaseOfTheCorpusIsAFinding(FuzzTarget target) throws IOException {
        Map<String, byte[]> cases = target.cases(CORPUS);
        assertThat(cases).isNotEmpty();
        cases.forEach((name, data) -> run(target, name, data));
    }

    @ParameterizedTest
    @EnumSource
    void noCaseThatDiffersALittleIsAFinding(FuzzTarget target) throws IOException {
        byte[][] cases = target.cases(CORPUS).values().toArray(byte[][]::new);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < CHANGED_CASES; i++) {
            byte[] data = changed(cases[random.nextInt(cases.length)], random);
            run(target, "a changed case, -Dplog.fuzz.seed=" + SEED, data);
        }
    }

    private static byte[] changed(byte[] data, SplittableRandom random) {
        byte[] changed = Arrays.copyOf(data, random.nextInt(8) == 0 ? random.nextInt(data.length + 1) : data.length);
        for (int changes = random.nextInt(5); changes > 0 && changed.length > 0; changes--) {
            int at = random.nextInt(changed.length);
            switch (random.nextInt(4)) {
                case 0 -> changed[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> changed[at] = (byte) random.nextInt(256);
                case 2 -> changed[at] = 0;
                default -> {
                    int from = random.nextInt(changed.length);
                    int length = Math.min(changed.length - Math.max(at, from), 1 + random.nextInt(64));
                    System.arraycopy(changed, from, changed, at, length);
                }
            }
        }
        return changed;
    }

    private static void run(FuzzTarget target, String name, byte[] data) {
        try {
            target.run(data);
        } catch (Throwable finding) {
            throw new AssertionError(
                    target.label() + ", " + name + ", base64 "
                            + Base64.getEncoder().encodeToString(data),
                    finding);
        }
    }
}
