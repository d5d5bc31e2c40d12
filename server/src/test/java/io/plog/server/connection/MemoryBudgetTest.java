package io.plog.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.server.options.BufferBounds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The accounting of what connections hold. The test is the event loop of all of them. */
final class MemoryBudgetTest {
    private static final long KIB = 1024;
    private static final long BOUND = 8 * 1024 * KIB;
    private static final long FREE = MemoryBudget.FREE_BYTES;

    private final MemoryBudget budget = new MemoryBudget(BOUND);
    private final Queue<Runnable> loop = new ArrayDeque<>();

    /** A connection that holds this and would like to go on. */
    private final class Holder {
        private final MemoryBudget.Share share = budget.share(loop::add, this::look);
        private long held;
        private long wanted;
        private long frame;
        private boolean goesOn = true;

        void look() {
            goesOn = share.update(held, wanted, frame, held == 0);
        }

        /** Takes in steps as long as it may, as a connection that is read does. */
        void takeAll(long step, long most) {
            look();
            while (goesOn && held < most) {
                held += step;
                look();
            }
        }

        void release() {
            held = 0;
            wanted = 0;
            look();
        }
    }

    private void runLoop() {
        for (Runnable next = loop.poll(); next != null; next = loop.poll()) {
            next.run();
        }
    }

    private List<Holder> holders(int count) {
        List<Holder> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new Holder());
        }
        return all;
    }

    @Test
    void whatIsFreeToAllIsNotCounted() {
        Holder small = new Holder();
        small.takeAll(KIB, FREE);
        assertThat(small.goesOn).isTrue();
        assertThat(budget.used()).isZero();
    }

    @Test
    void oneAloneGetsNoMoreThanItsPart() {
        Holder greedy = new Holder();
        greedy.takeAll(4 * KIB, BOUND);
        assertThat(greedy.goesOn).isFalse();
        assertThat(budget.used()).isEqualTo(greedy.held - FREE).isBetween(BOUND / 16, BOUND / 16 + 4 * KIB);
    }

    @Test
    void howeverManyTakeAllTheyCanThereIsSomethingLeftForTheNext() {
        for (Holder each : holders(1_000)) {
            each.takeAll(KIB, BOUND);
        }
        assertThat(budget.used()).as("but for the last step of each").isLessThan(BOUND + 1_000 * KIB);
        Holder small = new Holder();
        small.takeAll(KIB, FREE);
        assertThat(small.goesOn).isTrue();
    }

    @Test
    void aHundredLeaveTheNextAsMuchAsTheyHaveThemselves() {
        List<Holder> hundred = holders(100);
        // In turns, as event loops read them.
        for (int step = 0; step < BOUND / KIB; step++) {
            hundred.forEach(each -> {
                each.look();
                if (each.goesOn) {
                    each.held += KIB;
                }
            });
        }
        assertThat(budget.used()).isLessThan(BOUND * 9 / 10);
        Holder next = new Holder();
        next.takeAll(KIB, BOUND);
        assertThat(next.held).isGreaterThan(hundred.get(0).held / 2);
    }

    @Test
    void aLargeFrameHasItsRoomWhenItBeginsAndKeepsItUntilItEnds() {
        Holder one = new Holder();
        one.wanted = 1024 * KIB;
        one.look();
        assertThat(one.goesOn).isTrue();
        assertThat(budget.used()).isEqualTo(1024 * KIB - FREE);
        for (Holder other : holders(50)) {
            other.takeAll(KIB, BOUND);
        }
        one.look();
        assertThat(one.goesOn)
                .as("it is read to its end, however little is left")
                .isTrue();
        one.held = one.wanted;
        one.wanted = 0;
        one.look();
        assertThat(budget.used()).isGreaterThan(1024 * KIB - FREE);
        one.release();
        assertThat(one.goesOn).isTrue();
    }

    @Test
    void aFrameForWhichThereIsNoRoomTakesNoneWhileItWaits() {
        List<Holder> large = holders(20);
        large.forEach(each -> {
            each.wanted = BOUND / 5;
            each.look();
        });
        long admitted = large.stream().filter(each -> each.goesOn).count();
        assertThat(admitted).isBetween(1L, 2L);
        assertThat(budget.used()).isEqualTo(admitted * (BOUND / 5 - FREE));
        assertThat(budget.waiting()).isEqualTo(20 - (int) admitted);
        // Each that ends makes room for the next, until all had theirs.
        for (int i = 0; i < 20; i++) {
            Holder ends = large.stream()
                    .filter(each -> each.goesOn && each.wanted > 0)
                    .findFirst()
                    .orElseThrow();
            ends.release();
            runLoop();
        }
        assertThat(budget.used()).isZero();
        assertThat(budget.waiting()).isZero();
    }

    @Test
    void aConnectionThatEndsWaitsForNothingAnyMore() {
        List<Holder> large = holders(10);
        large.forEach(each -> {
            each.wanted = BOUND / 5;
            each.look();
        });
        large.forEach(each -> each.share.updateLast(0));
        assertThat(budget.waiting()).isZero();
        assertThat(budget.used()).isZero();
    }

    @Test
    void theNextFrameOfAConnectionHasToAskAgain() {
        Holder one = new Holder();
        one.wanted = BOUND / 5;
        one.look();
        assertThat(one.goesOn).isTrue();
        one.release();
        one.wanted = BOUND / 5;
        List<Holder> others = holders(100);
        others.forEach(each -> each.takeAll(KIB, BOUND));
        one.frame++;
        one.look();
        assertThat(one.goesOn).isFalse();
        assertThat(budget.used())
                .isEqualTo(others.stream().mapToLong(each -> each.held - FREE).sum());
    }

    /** Found by seed -1951490670337022119 of the test below: it stood in the queue twice. */
    @Test
    void whoBeginsToWaitAnewWhileItIsBeingWokenWaitsOnce() {
        Holder other = new Holder();
        other.takeAll(4 * KIB, BOUND);
        Holder woken = new Holder();
        woken.takeAll(4 * KIB, BOUND);
        assertThat(budget.waiting()).isEqualTo(2);
        other.release(); // wakes one of them
        woken.release(); // and this one, if it was the other
        woken.takeAll(4 * KIB, BOUND); // before it was its turn
        runLoop();
        assertThat(budget.waiting()).isEqualTo(1);
        woken.release();
        runLoop();
        assertThat(budget.waiting()).isZero();
    }

    /** Random steps of many; whatever they do, the sum is right, and nobody waits for ever once the others let go. */
    @Test
    void theSumIsRightAndNobodyIsForgotten() {
        long seed = Long.getLong("plog.seed", new Random().nextLong());
        System.out.println("the sum of all shares, -Dplog.seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            List<Holder> all = holders(1 + random.nextInt(60));
            for (int step = 0; step < 2_000; step++) {
                Holder each = all.get(random.nextInt(all.size()));
                switch (random.nextInt(5)) {
                    case 0 -> each.release();
                    case 1, 2 -> {
                        if (each.goesOn && each.wanted == 0) {
                            each.held += random.nextInt(64 * 1024);
                        }
                        each.look();
                    }
                    case 3 -> {
                        if (each.wanted == 0) {
                            each.frame++;
                            each.wanted = 1L + random.nextInt((int) BOUND / 4);
                        } else if (each.goesOn) {
                            each.held += each.wanted;
                            each.wanted = 0;
                        }
                        each.look();
                    }
                    default -> runLoop();
                }
                // What was read in one go may exceed it; room that was asked for does not.
                assertThat(budget.used()).isLessThanOrEqualTo(BOUND + 64 * KIB * all.size());
            }
            // Those that may go on end; that makes room for those that wait, in whatever order.
            runLoop();
            for (int i = 0; i < 2 * all.size(); i++) {
                all.stream().filter(each -> each.goesOn).forEach(Holder::release);
                all.stream().filter(each -> !each.goesOn).forEach(each -> {
                    each.held = 0; // its requests are answered
                    each.look();
                });
                runLoop();
            }
            assertThat(all).allMatch(each -> each.goesOn);
            assertThat(budget.used()).isZero();
            assertThat(budget.waiting()).isZero();
        }
    }

    @Test
    void theDefaultFollowsTheMemoryAndTheLongestFrame() {
        long mib = 1 << 20;
        assertThat(BufferBounds.defaultBytes(mib, 6_000 * mib)).isEqualTo(256 * mib);
        assertThat(BufferBounds.defaultBytes(mib, 100 * mib)).isEqualTo(50 * mib);
        assertThat(BufferBounds.defaultBytes(mib, 10 * mib)).isEqualTo(8 * mib);
        assertThat(BufferBounds.defaultBytes(64 * mib, 6_000 * mib)).isEqualTo(512 * mib);
    }
}
