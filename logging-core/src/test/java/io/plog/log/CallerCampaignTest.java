package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.testing.CallerHistory;
import io.plog.log.testing.SeededCampaign;
import io.plog.simdisk.SimulatedDisk;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever embedders do, in whichever order, the log keeps its promise to all others. */
class CallerCampaignTest {
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void whateverCallersDoHarmsNoOther() {
        run(Integer.getInteger("plog.callers.runs", 300));
    }

    @Test
    @Tag("slow")
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void whateverCallersDoHarmsNoOtherAtLength() {
        run(20_000);
    }

    private static void run(int runs) {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            if (!(thrown instanceof CallerHistory.ExpectedException)) {
                System.out.println(thread.getName() + ": " + thrown);
            }
        });
        try {
            SeededCampaign.run(runs, "histories of callers", "plog.callers.seed", seed -> {
                SimulatedDisk disk = new SimulatedDisk((seed & 1) == 0 ? 512 : 4096, seed);
                new CallerHistory(seed, options -> MessageLog.open(options, disk)).run();
            });
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    /** The case in which it was found: each thread goes on with the same array as soon as it is interrupted. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void interruptedCallersThatReuseTheirArraysHarmNoOther(@TempDir Path directory) throws Exception {
        int threads = 8;
        int each = 400;
        long seed = new SplittableRandom().nextLong();
        System.out.println("interrupted callers with arrays of their own, from seed " + seed);
        Map<Long, byte[]> acknowledged = new ConcurrentHashMap<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (MessageLog log = MessageLog.open(Logs.options(directory).withSpin(Duration.ofNanos(50_000)))) {
            List<Thread> callers = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                SplittableRandom random = new SplittableRandom(seed + t);
                callers.add(new Thread(() -> {
                    byte[] mine = new byte[1024];
                    for (int i = 0; i < each && failure.get() == null; i++) {
                        random.nextBytes(mine);
                        byte[] copy = mine.clone();
                        try {
                            acknowledged.put(log.appendAndWait(ByteBuffer.wrap(mine)), copy);
                        } catch (AppendInterruptedException e) {
                            Thread.interrupted();
                            copy[0]++; // the array is mine again, and no caller got this copy
                        } catch (Throwable e) {
                            failure.compareAndSet(null, e);
                        }
                    }
                }));
            }
            callers.forEach(Thread::start);
            SplittableRandom random = new SplittableRandom(seed);
            while (callers.stream().anyMatch(Thread::isAlive)) {
                callers.get(random.nextInt(threads)).interrupt();
                Thread.onSpinWait();
            }
        }
        assertThat(failure).hasNullValue();
        int readable = 0;
        try (LogReader reader = LogReader.open(directory, 0)) {
            while (reader.next()) {
                byte[] expected = acknowledged.get(reader.index());
                if (expected != null) {
                    assertThat(reader.payload()).isEqualTo(ByteBuffer.wrap(expected));
                    readable++;
                }
            }
        }
        assertThat(readable).isEqualTo(acknowledged.size()).isPositive();
    }
}
