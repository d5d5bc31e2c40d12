package io.plog.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

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

    private long now = 5;
    private final MemoryBudget budget = new MemoryBudget(BOUND, () -> now);
    private final Queue<Runnable> loop = new ArrayDeque<>();

    /** A connection that holds this and would like to go on. */
    private final class Holder {
        private final MemoryBudget.Share share;
        private long held;
        private long received;
        private long toCome;
        private long frame;
        private boolean goesOn = true;
        private boolean gaveWay;

        Holder() {
            this(budget);
        }

        Holder(MemoryBudget of) {
            share = of.share(loop::add, this::look, this::giveWay);
        }

        void look() {
            goesOn = share.update(held, received, toCome, frame, held == 0);
        }

        /** A frame begins of which nothing is there but its length. */
        Holder begins(long bytes) {
            frame++;
            toCome = bytes;
            look();
            return this;
        }

        /** More of it comes, as long as it is read. */
        void receives(long step, long most) {
            while (goesOn && toCome > 0 && received < most) {
                long bytes = Math.min(step, toCome);
                received += bytes;
                toCome -= bytes;
                look();
            }
        }

        /** Its frame is a request now. */
        void ends() {
            held += received;
            received = 0;
            look();
        }

        private void giveWay() {
            gaveWay = true;
            release();
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
            received = 0;
            toCome = 0;
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

    /** Those that go on take what they may; there is always one that comes to its end. */
    private static Holder firstThatEnds(List<Holder> all) {
        all.forEach(each -> each.receives(128 * KIB, BOUND));
        return all.stream().filter(each -> each.toCome == 0).findFirst().orElseThrow();
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
        assertThat(budget.used()).isEqualTo(greedy.held - FREE).isBetween(BOUND * 3 / 64, BOUND * 3 / 64 + 4 * KIB);
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
    void framesThatWereOnlyAnnouncedTakeRoomForOneReadAndNoMore() {
        holders(20).forEach(each -> each.begins(BOUND / 4));
        assertThat(budget.used()).isEqualTo(20 * (MemoryBudget.AHEAD_BYTES - FREE));
        assertThat(budget.waiting()).isZero();
    }

    @Test
    void howeverManyFramesStayHalfSentTheNextSmallOneEnds() {
        MemoryBudget large = new MemoryBudget(256 << 20, () -> now);
        for (int i = 0; i < 900; i++) { // each of a MiB, with its reply
            Holder each = new Holder(large);
            each.begins(2048 * KIB).receives(2 * 64 * KIB, 1024 * KIB);
        }
        assertThat(large.waiting()).isGreaterThan(700);
        Holder next = new Holder(large);
        next.begins(200_000).receives(2 * 64 * KIB, BOUND);
        assertThat(next.toCome).isZero();
        next.ends();
        next.release();
        assertThat(next.goesOn).isTrue();
    }

    @Test
    void framesThatReachTheirPartEndOneAfterTheOther() {
        List<Holder> all = holders(200);
        for (Holder each : all) {
            each.begins(BOUND / 5).receives(4 * KIB, BOUND);
        }
        while (!all.isEmpty()) {
            Holder ends = firstThatEnds(all);
            assertThat(budget.used()).isLessThanOrEqualTo(BOUND);
            all.remove(ends);
            ends.release();
            runLoop();
        }
        assertThat(budget.used()).isZero();
        assertThat(budget.waiting()).isZero();
    }

    /** The beginning of a frame is read before anybody knows of it. */
    @Test
    void whatWasReadUnaskedDoesNotKeepTheLongestFrameFromEnding() {
        List<Holder> all = holders(200);
        for (Holder each : all) {
            each.received = 128 * KIB;
            each.begins(BOUND / 4 - 128 * KIB);
        }
        assertThat(budget.used()).isGreaterThan(BOUND);
        while (!all.isEmpty()) {
            Holder ends = firstThatEnds(all);
            all.remove(ends);
            ends.release();
            runLoop();
        }
        assertThat(budget.used()).isZero();
    }

    /** Replies that are not read may hold memory for as long as the patience lasts. */
    @Test
    void whoTakesTheRoomToEndAndDoesNotGiveItBackLeavesAsMuchToTheNext() {
        for (Holder each : holders(200)) {
            each.begins(BOUND / 20).receives(64 * KIB, BOUND);
            if (each.toCome == 0) {
                each.ends();
            }
        }
        Holder next = new Holder();
        next.begins(BOUND / 40).receives(64 * KIB, BOUND);
        assertThat(next.toCome).isZero();
    }

    @Test
    void whileAFrameWaitsThoseThatStandStillGiveWayTheLongestFirst() {
        List<Holder> all = holders(30);
        for (Holder each : all) {
            each.begins(BOUND / 5).receives(64 * KIB, 384 * KIB);
            now += MemoryBudget.STILL_NANOS / 100;
        }
        runLoop();
        assertThat(all).as("all have moved").noneMatch(each -> each.gaveWay);
        Holder next = new Holder();
        next.begins(BOUND / 5).receives(64 * KIB, BOUND);
        assertThat(next.goesOn).isFalse();
        now += MemoryBudget.STILL_NANOS * 75 / 100;
        next.look();
        runLoop();
        assertThat(all.get(0).gaveWay).isTrue();
        assertThat(all).noneMatch(each -> each.gaveWay && all.indexOf(each) > 5);
    }

    @Test
    void aFrameThatIsNotReadDoesNotStandStill() {
        List<Holder> all = holders(60);
        all.forEach(each -> each.begins(BOUND / 5).receives(64 * KIB, BOUND));
        List<Holder> waiting = all.stream().filter(each -> !each.goesOn).toList();
        now += 10 * MemoryBudget.STILL_NANOS;
        waiting.forEach(each -> each.look());
        waiting.forEach(each -> assertThat(each.gaveWay).isFalse());
    }

    @Test
    void aConnectionWithRequestsUnderWayWaitsForThemBeforeItsNextLongFrame() {
        Holder one = new Holder();
        one.held = BOUND / 8;
        one.begins(BOUND / 8);
        assertThat(one.goesOn).isFalse();
        one.held = 0; // they are answered
        one.look();
        one.receives(64 * KIB, BOUND);
        assertThat(one.toCome).isZero();
    }

    @Test
    void aConnectionThatEndsWaitsForNothingAnyMore() {
        List<Holder> large = holders(200);
        large.forEach(each -> each.begins(BOUND / 5).receives(64 * KIB, BOUND / 8));
        assertThat(budget.waiting()).isPositive();
        large.forEach(each -> each.share.updateLast(0));
        assertThat(budget.waiting()).isZero();
        assertThat(budget.used()).isZero();
    }

    /** A frame that waits for much stands before many that wait for little. */
    @Test
    void whoMayGoOnIsFoundBehindThoseThatMayNot() {
        Holder long1 = new Holder();
        Holder long2 = new Holder();
        for (Holder each : List.of(long1, long2)) {
            each.begins(BOUND / 4).receives(BOUND / 20, BOUND / 20);
        }
        Holder unread = new Holder();
        unread.takeAll(KIB, BOUND);
        List<Holder> small = holders(100);
        small.forEach(each -> each.takeAll(KIB, BOUND));
        Holder long3 = new Holder();
        long3.begins(BOUND / 4).receives(BOUND / 20, BOUND / 20);
        Holder least = new Holder();
        least.takeAll(KIB, BOUND);
        assertThat(long3.goesOn || least.goesOn).isFalse();
        unread.held = FREE; // the last event for long
        unread.look();
        runLoop();
        assertThat(least.goesOn).isTrue();
        assertThat(long3.goesOn).isFalse();
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

    /** Random steps of many; whatever they do, the sum is right, and no request waits for ever once the others let go. */
    @Test
    void theSumIsRightAndNoClientIsForgotten() {
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
                        if (each.goesOn && each.toCome == 0) {
                            each.held += random.nextInt(64 * 1024);
                        }
                        each.look();
                    }
                    case 3 -> {
                        if (each.toCome == 0) {
                            each.begins(1L + random.nextInt((int) BOUND / 4));
                        } else {
                            each.receives(64 * KIB, each.received + random.nextInt((int) BOUND / 4));
                            if (each.toCome == 0) {
                                each.ends();
                            }
                        }
                    }
                    default -> runLoop();
                }
                // What was read in one go may exceed it; room that was asked for does not.
                assertThat(budget.used()).isLessThanOrEqualTo(BOUND + 64 * KIB * all.size());
            }
            // Those that may go on end; that makes room for those that wait, in whatever order.
            runLoop();
            for (int i = 0; i < 2 * all.size(); i++) {
                for (Holder each : all) {
                    each.receives(64 * KIB, BOUND);
                    if (each.toCome == 0) {
                        each.release(); // it is answered
                    } else if (!each.goesOn) {
                        each.held = 0; // its requests are
                        each.look();
                    }
                    runLoop();
                }
            }
            assertThat(all).allMatch(each -> each.goesOn);
            assertThat(budget.used()).isZero();
            assertThat(budget.waiting()).isZero();
        }
    }
}
