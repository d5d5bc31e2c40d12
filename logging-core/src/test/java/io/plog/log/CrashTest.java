package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The promise, after every crash: what was acknowledged is recovered; what is recovered was submitted, in order, without a
 * gap, once; and what was shown after one crash is there after the next.
 */
@Timeout(value = 3, unit = java.util.concurrent.TimeUnit.HOURS)
class CrashTest {
    private static final Path NOWHERE = Path.of("simulated");

    /** One history of a log over several lives. */
    private static final class History {
        final SplittableRandom random;
        final List<byte[]> submitted = new ArrayList<>();
        long acknowledged; // every record up to this index
        long dropped; // records before this index may be gone: the caller said that it needs them no more
        SimulatedDisk disk;

        History(long seed, int sectorBytes) {
            random = new SplittableRandom(seed);
            disk = new SimulatedDisk(sectorBytes);
        }

        LogOptions options() {
            Force[] ways = {Force.FDATASYNC, Force.FSYNC, Force.DSYNC, Force.DIRECT};
            return Logs.options(NOWHERE).withForce(ways[random.nextInt(ways.length)]);
        }

        /** Opens, checks what was recovered, appends and perhaps truncates, and closes; until the power goes. */
        void live(int rounds) throws Exception {
            try (MessageLog log = MessageLog.open(options(), disk)) {
                check(log);
                for (int round = 0; round < rounds; round++) {
                    appendSome(log);
                    if (random.nextInt(8) == 0) {
                        long from = 1 + random.nextLong(log.durableIndex() + 1);
                        if (from >= log.firstIndex()) {
                            dropped = Math.max(dropped, from);
                            log.truncateBefore(from);
                        }
                    }
                }
            } catch (IOException expectedAfterFault) {
                if (!hasEnded()) {
                    throw expectedAfterFault;
                }
            }
        }

        void appendSome(MessageLog log) throws Exception {
            List<CompletableFuture<Long>> outcomes = new ArrayList<>();
            int count = 1 + random.nextInt(4);
            for (int i = 0; i < count; i++) {
                byte[] payload = new byte[random.nextInt(4) == 0 ? random.nextInt(16_000) : random.nextInt(200)];
                random.nextBytes(payload);
                submitted.add(payload);
                outcomes.add(log.append(ByteBuffer.wrap(payload)));
            }
            int first = submitted.size() - count;
            LogException failure = null;
            for (int i = count - 1; i >= 0; i--) {
                try {
                    acknowledged = Math.max(acknowledged, outcomes.get(i).get());
                } catch (ExecutionException e) {
                    LogException refusal = (LogException) Objects.requireNonNull(e.getCause());
                    failure = refusal;
                    if (!refusal.isIndeterminate()) {
                        submitted.remove(first + i); // it certainly was not written, so the next took its index
                    }
                }
            }
            if (failure != null) {
                throw failure;
            }
        }

        /** What an open log holds, against what was submitted and acknowledged. What is not there was never submitted. */
        void check(MessageLog log) throws IOException {
            long last = log.durableIndex();
            assertThat(last).as("last recovered").isBetween(acknowledged, (long) submitted.size());
            assertThat(log.firstIndex()).as("first").isBetween(1L, Math.max(1, dropped));
            try (LogReader reader = log.read(log.firstIndex())) {
                for (long index = log.firstIndex(); index <= last; index++) {
                    assertThat(reader.next()).isTrue();
                    assertThat(reader.index()).isEqualTo(index);
                    ByteBuffer expected = ByteBuffer.wrap(submitted.get((int) index - 1));
                    assertThat(reader.payload().equals(expected))
                            .as("payload of %d", index)
                            .isTrue();
                }
                assertThat(reader.next()).isFalse();
            }
            // From here on it has been shown, and must stay.
            acknowledged = last;
            while (submitted.size() > last) {
                submitted.remove(submitted.size() - 1);
            }
        }

        /** Whether this life is over, by a crash or by a force that failed. */
        boolean hasEnded() {
            return disk.hasCrashed() || disk.hasFailedForce();
        }

        /** Only the process starts again, or the whole machine. */
        void restart() {
            if (random.nextInt(3) == 0) {
                disk = disk.afterKill();
            } else {
                loseAndRestorePower();
            }
        }

        /** Arms a crash or a failing force, soon. */
        void armFault() {
            if (random.nextInt(3) == 0) {
                disk.failForce(1 + random.nextInt(4));
            } else {
                disk.crashAtOperation(1 + random.nextInt(12));
            }
        }

        void loseAndRestorePower() {
            disk.crash();
            disk = disk.afterCrash(random);
        }

        void finish() throws Exception {
            live(2);
            loseAndRestorePower();
            try (MessageLog log = MessageLog.open(options(), disk)) {
                check(log);
                assertThat(log.recovery().cleanlyClosed()).isTrue();
            }
        }
    }

    /** Runs a history whose first life crashes at the given operation, and whose recovery crashes too now and then. */
    private static boolean crashAt(long operation, long seed, int sectorBytes, int rounds) throws Exception {
        History history = new History(seed, sectorBytes);
        try {
            history.disk.crashAtOperation(operation);
            history.live(rounds);
            boolean crashed = history.disk.hasCrashed();
            while (history.hasEnded()) {
                history.restart();
                if (history.random.nextInt(4) > 0) {
                    history.armFault();
                    history.live(1);
                }
            }
            history.disk.disarm();
            history.finish();
            return crashed;
        } catch (Throwable t) {
            throw new AssertionError(
                    "seed " + seed + ", sector " + sectorBytes + ", crash at operation " + operation + ", rounds "
                            + rounds + ": " + t,
                    t);
        }
    }

    @Test
    void everyCrashPointOfAShortHistoryKeepsThePromise() throws Exception {
        for (int sectorBytes : new int[] {512, 4096}) {
            for (long seed = 1; seed <= 6; seed++) {
                long operation = 1;
                while (crashAt(operation, seed, sectorBytes, 5)) {
                    operation++;
                }
                assertThat(operation).isGreaterThan(20);
            }
        }
    }

    @Test
    void randomHistoriesKeepThePromise() throws Exception {
        campaign(300);
    }

    /** Length and seed: {@code -Dplog.test.jvmArgs="-Dplog.crash.runs=100000 -Dplog.crash.seed=1"}. */
    @Test
    @Tag("slow")
    void manyRandomHistoriesKeepThePromise() throws Exception {
        campaign(Integer.getInteger("plog.crash.runs", 100_000));
    }

    private static void campaign(int runs) throws Exception {
        long firstSeed = Long.getLong("plog.crash.seed", System.nanoTime());
        System.out.println(runs + " random histories from seed " + firstSeed);
        SplittableRandom random = new SplittableRandom(firstSeed);
        for (int run = 0; run < runs; run++) {
            long seed = random.nextLong();
            int sectorBytes = random.nextBoolean() ? 512 : 4096;
            crashAt(1 + random.nextInt(120), seed, sectorBytes, 1 + random.nextInt(12));
        }
    }

    @Test
    void afterAFailedForceWhatARestartShowsSurvivesThePowerCutThatFollows() throws Exception {
        for (long seed = 1; seed <= 100; seed++) {
            History history = new History(seed, 512);
            history.disk.failForce(6 + seed % 9);
            history.live(8);
            // The process starts again; the machine went on, so the page cache shows what the disk does not have.
            history.disk = history.disk.afterKill();
            history.live(0);
            history.loseAndRestorePower();
            history.finish();
        }
    }
}
