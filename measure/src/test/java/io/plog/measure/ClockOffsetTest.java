package io.plog.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ClockOffsetTest {
    private final Random random = new Random(seed());

    private static long seed() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        return seed;
    }

    /** A server whose clock is ahead and runs a little fast or slow, behind a network that is seldom quick. */
    private final class Server {
        private final long ahead = random.nextLong() >> 16;
        private final double rate = 1 + (random.nextDouble() - 0.5) * 1e-4;

        long clock(long ours) {
            return ours + ahead + Math.round((rate - 1) * ours);
        }

        ClockOffset ask(long sent) {
            ClockOffset best = new ClockOffset(0, 0, Long.MAX_VALUE);
            for (int i = 0; i < 20; i++) {
                long there = sent + 10_000 + random.nextInt(2_000_000);
                long back = there + 10_000 + random.nextInt(2_000_000);
                ClockOffset one = ClockOffset.of(sent, clock(there), back);
                assertThat(Math.abs(one.aheadNanos() - (clock(one.atNanos()) - one.atNanos())))
                        .as("no estimate is wrong by more than it says, but for the drift within the exchange")
                        .isLessThanOrEqualTo(one.uncertaintyNanos() + 500);
                best = ClockOffset.better(best, one);
                sent = back + random.nextInt(1_000);
            }
            return best;
        }
    }

    @Test
    void theServersTimesAreFoundAgainWithinWhatIsUncertain() {
        for (int round = 0; round < 200; round++) {
            Server server = new Server();
            ClockOffset before = server.ask(1_000_000_000L * round);
            ClockOffset after = server.ask(before.atNanos() + 600_000_000_000L);
            long uncertainty = Math.max(before.uncertaintyNanos(), after.uncertaintyNanos());
            for (int i = 0; i <= 10; i++) {
                long ours = before.atNanos() + (after.atNanos() - before.atNanos()) * i / 10;
                assertThat(ClockOffset.toOurs(server.clock(ours), before, after))
                        .isBetween(ours - uncertainty - 2_000, ours + uncertainty + 2_000);
            }
        }
    }

    @Test
    void theQuickestExchangeIsBelieved() {
        ClockOffset quick = ClockOffset.of(1_000, 51_100, 1_200);
        ClockOffset slow = ClockOffset.of(2_000, 59_000, 9_000);
        assertThat(ClockOffset.better(slow, quick)).isEqualTo(quick).isEqualTo(new ClockOffset(1_100, 50_000, 101));
        assertThat(ClockOffset.better(quick, slow)).isEqualTo(quick);
    }
}
