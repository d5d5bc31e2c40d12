package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HousekeeperTest {
    @Test
    void eachLookRunsEveryCheckInOrder() {
        Housekeeper housekeeper = new Housekeeper(Housekeeper.ON_DEMAND, null);
        List<String> checks = new ArrayList<>();
        housekeeper.add(() -> checks.add("one"));
        housekeeper.add(() -> checks.add("two"));
        housekeeper.start();
        housekeeper.look();
        housekeeper.look();
        assertThat(checks).containsExactly("one", "two", "one", "two");
        assertThat(housekeeper.stop(0)).isTrue();
    }

    @Test
    void aCheckThatThrowsStopsNeitherItselfNorTheOthers() throws Exception {
        Housekeeper housekeeper = new Housekeeper(1_000_000, null);
        CountDownLatch later = new CountDownLatch(3);
        housekeeper.add(() -> {
            throw new IllegalStateException("a defect of a check, expected in this test's output");
        });
        housekeeper.add(later::countDown);
        housekeeper.start();
        later.await();
        assertThat(housekeeper.stop(Long.MAX_VALUE)).isTrue();
    }

    @Test
    void nothingIsCheckedAfterTheStopAndAnInterruptEndsNothing() throws Exception {
        Housekeeper housekeeper = new Housekeeper(1_000_000, null);
        AtomicInteger looks = new AtomicInteger();
        CountDownLatch looked = new CountDownLatch(5);
        housekeeper.add(() -> {
            Thread.currentThread().interrupt();
            looks.incrementAndGet();
            looked.countDown();
        });
        housekeeper.start();
        looked.await();
        assertThat(housekeeper.stop(Long.MAX_VALUE)).isTrue();
        int after = looks.get();
        assertThat(looks).hasValue(after);
        assertThat(after).isGreaterThanOrEqualTo(5);
    }

    @Test
    void theStopWaitsForACheckOnSharedThreadsAlsoWhenItIsInterrupted() {
        ScheduledExecutorService shared = Executors.newSingleThreadScheduledExecutor();
        Housekeeper housekeeper = new Housekeeper(1, shared);
        housekeeper.start();
        Thread.currentThread().interrupt();
        assertThat(housekeeper.stop(Long.MAX_VALUE)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        shared.shutdown();
    }

    @Test
    void aCheckThatHangsHoldsTheStopUpForTheBoundOnly() throws Exception {
        Housekeeper housekeeper = new Housekeeper(1_000_000, null);
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        housekeeper.add(() -> {
            hangs.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        housekeeper.start();
        hangs.await();
        assertThat(housekeeper.stop(1)).isFalse();
        goOn.countDown();
        assertThat(housekeeper.stop(Long.MAX_VALUE)).isTrue();
    }
}
