package io.plog.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random cases for the parser of the HTTP port, besides those of the corpus. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // one that loops does not heed an interrupt
final class HttpFuzzTest {
    /** Repeats a failed run: {@code -Dplog.fuzz.seed=SEED}. */
    private static final long SEED = Long.getLong("plog.fuzz.seed", System.nanoTime());

    private static final int CASES = Integer.getInteger("plog.fuzz.cases", 2_000);

    @Test
    void randomStreamsAreReadAsAPlainParserReadsThemHoweverTheyAreCut() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < CASES; i++) {
            byte[] data = HttpSeeds.random(random);
            try {
                HttpFuzz.fuzzerTestOneInput(data);
            } catch (Throwable finding) {
                throw new AssertionError(
                        "case " + i + ", -Dplog.fuzz.seed=" + SEED + ", base64 "
                                + Base64.getEncoder().encodeToString(data),
                        finding);
            }
        }
    }

    /** A test of the test: else random streams might all be refused at their first byte. */
    @Test
    void randomStreamsComeToEveryKindOfEnd() {
        SplittableRandom random = new SplittableRandom(SEED);
        Set<HttpStatus> refusals = EnumSet.noneOf(HttpStatus.class);
        int whole = 0;
        int chunked = 0;
        for (int i = 0; i < CASES; i++) {
            HttpFuzz.Outcome outcome = HttpFuzz.plain(HttpSeeds.random(random));
            if (outcome.refusal() != null) {
                refusals.add(outcome.refusal());
            }
            whole += outcome.events().contains("end") ? 1 : 0;
            chunked += outcome.events().stream().anyMatch(event -> event.startsWith("body d")) ? 1 : 0;
        }
        assertThat(refusals)
                .as("seed %d", SEED)
                .containsExactlyInAnyOrder(
                        HttpStatus.BAD_REQUEST,
                        HttpStatus.CONTENT_TOO_LARGE,
                        HttpStatus.URI_TOO_LONG,
                        HttpStatus.HEADERS_TOO_LARGE,
                        HttpStatus.EXPECTATION_FAILED,
                        HttpStatus.NOT_IMPLEMENTED,
                        HttpStatus.VERSION_NOT_SUPPORTED);
        assertThat(whole).as("whole requests, seed %d", SEED).isGreaterThan(CASES / 8);
        assertThat(chunked).as("bodies, seed %d", SEED).isGreaterThan(CASES / 50);
    }
}
