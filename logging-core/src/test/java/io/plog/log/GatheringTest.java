package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two lanes in front of a device with one queue, or with forces at the same time, in simulated time. What is asserted are ratios of that time. */
class GatheringTest {
    private static final long LOOK_NANOS = 500;
    private static final long WAKING_NANOS = 30_000; // of a caller that was parked
    private static final long SUBMIT_NANOS = 200;
    private static final long MICRO = 1_000;

    @ParameterizedTest
    @CsvSource({"60, false", "300, false", "1000, false", "8300, false", "300, true", "1000, true"})
    void callersThatComeBackShareAForce(long forceMicros, boolean parallel) {
        for (int outstanding : new int[] {1, 8, 64, 256}) {
            Simulation simulation = new Simulation(forceMicros * MICRO, 0, true);
            simulation.parallel = parallel;
            // Half of them come while the others are being forced: so it begins as badly as it can.
            simulation.arrive(outstanding - outstanding / 2, 0);
            simulation.arrive(outstanding / 2, forceMicros * MICRO / 2);
            simulation.runClosed(300);
            long cycle = forceMicros * MICRO + WAKING_NANOS + outstanding * SUBMIT_NANOS;
            double share = (double) simulation.acknowledged / outstanding * cycle / simulation.now;
            assertThat(share).as(outstanding + " outstanding").isGreaterThan(0.98);
            // A fast device is kept busier by one half that comes back while it forces the other.
            assertThat((double) simulation.acknowledged / simulation.groups)
                    .as("in a group of %s outstanding", outstanding)
                    .isGreaterThan((forceMicros < 300 ? 0.4 : 0.9) * outstanding);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.9, 20})
    void callersThatDoNotComeBackAreHardlyWaitedFor(double arrivalsPerForce) {
        long force = 1000 * MICRO;
        double[] latency = new double[2];
        for (int waits = 0; waits < 2; waits++) {
            Simulation simulation = new Simulation(force, 0, waits == 1);
            SplittableRandom random = new SplittableRandom(7);
            double at = 0;
            for (int i = 0; i < 20_000; i++) {
                at -= Math.log(1 - random.nextDouble()) * force / arrivalsPerForce;
                simulation.arrive(1, (long) at);
            }
            simulation.runOpen();
            assertThat(simulation.acknowledged).isEqualTo(20_000);
            latency[waits] = simulation.latencyNanos / 20_000;
        }
        assertThat(latency[1] / latency[0]).isLessThan(1.03);
    }

    @Test
    void oneHalfIsWrittenWhileTheOtherIsForcedWhereWritingTakesLonger() {
        long force = 80 * MICRO;
        long writeEach = 26 * MICRO;
        Simulation simulation = new Simulation(force, writeEach, true);
        simulation.arrive(16, 0);
        simulation.runClosed(300);
        double writing = (double) simulation.acknowledged * writeEach / simulation.now;
        assertThat(writing).isGreaterThan(0.9); // one after the other it would be 416 of 496
    }

    /** Where a force takes longer the more there is, it was by chance: forcing all takes longer than writing all, forcing half does not. */
    @ParameterizedTest
    @CsvSource({"80, 8", "80, 16", "2000, 8", "2000, 16"})
    void whetherBatchesAreHalvedDoesNotDependOnWhatTheyWereBefore(long forceMicros, int first) {
        BatchMetrics metrics = new BatchMetrics();
        Gathering gathering = new Gathering(metrics, () -> 0, true, true);
        int size = first;
        int halved = 0;
        for (int i = 0; i < 1_000; i++) {
            metrics.durable(16, 1_600_000);
            long written = size * 20 * MICRO;
            metrics.acknowledged(size, 0, written, written + (forceMicros + size * 18L) * MICRO);
            int begun = Math.min(16, gathering.begin(1024));
            size = i < 100 ? first : begun;
            halved += i >= 200 && size == 8 ? 1 : 0;
        }
        assertThat(halved).isBetween(forceMicros == 80 ? 750 : 0, forceMicros == 80 ? 800 : 20);
    }

    /** Two halves that end together leave only what came meanwhile outstanding: the next is half a group all the same. */
    @Test
    void aMomentInWhichFewBytesAreOutstandingDoesNotEndTheHalving() {
        BatchMetrics metrics = new BatchMetrics();
        Gathering gathering = new Gathering(metrics, () -> 0, true, true);
        for (int i = 0; i < 100; i++) {
            metrics.durable(16, 1_600_000);
            metrics.durable(8, 800_000);
            metrics.acknowledged(8, 0, 300 * MICRO, 380 * MICRO);
            assertThat(gathering.begin(1024)).isEqualTo(8);
        }
        for (int i = 0; i < 100; i++) {
            metrics.durable(8, 800_000);
        }
        assertThat(gathering.begin(1024)).isEqualTo(1024);
    }

    @Test
    void aCallerThatIsLateIsNotWaitedForEachTime() {
        Simulation simulation = new Simulation(1000 * MICRO, 0, true);
        simulation.arrive(64, 0);
        simulation.thinkNanos = 700 * MICRO; // one of the 64
        simulation.runClosed(300);
        double perForce = (double) simulation.acknowledged * 1000 * MICRO / simulation.now / 64;
        assertThat(perForce).isGreaterThan(0.85);
    }

    /** Callers, two lanes and a device. A write needs no other lane to rest, a force does. */
    private static final class Simulation {
        private record Group(int count, double enqueued, long writeBegin, long forceBegin, long end) {}

        private final BatchMetrics metrics = new BatchMetrics();
        private final long forceNanos;
        private final long writeNanosEach;
        private final Gathering gathering;
        private final PriorityQueue<Long> arrivals = new PriorityQueue<>();
        private final PriorityQueue<Group> underWay =
                new PriorityQueue<>((one, other) -> Long.compare(one.end, other.end));
        private boolean closed;
        private boolean parallel; // a force waits for no other
        private int groups;
        private long writerFree;
        private long deviceFree;
        private int waiting;
        private double enqueued; // the sum of the times at which they came
        private int inGroups;
        private long thinkNanos;
        private long now;
        private long acknowledged;
        private double latencyNanos;

        Simulation(long forceNanos, long writeNanosEach, boolean waits) {
            this.forceNanos = forceNanos;
            this.writeNanosEach = writeNanosEach;
            gathering = new Gathering(metrics, () -> now, waits, true);
        }

        void arrive(int count, long at) {
            for (int i = 0; i < count; i++) {
                arrivals.add(at + i * SUBMIT_NANOS);
            }
        }

        void runClosed(int groups) {
            closed = true;
            for (int i = 0; i < groups; i++) {
                fill();
            }
        }

        void runOpen() {
            while (!arrivals.isEmpty() || waiting > 0) {
                fill();
            }
            passTo(Long.MAX_VALUE);
        }

        /** Waits until a lane may take a group, and takes it. */
        private void fill() {
            while (waiting == 0 || !underWay.isEmpty() && (underWay.size() > 1 || waiting < leastWorth())) {
                passToNext();
            }
            int most = gathering.begin(1024);
            int count = Math.min(most, waiting);
            while (count < most && gathering.isWorthWaiting(count)) {
                passTo(now + LOOK_NANOS);
                count = Math.min(most, waiting);
            }
            gathering.end(count);
            long writeBegin = Math.max(now, writerFree);
            writerFree = writeBegin + count * writeNanosEach;
            deviceFree = (parallel ? writerFree : Math.max(writerFree, deviceFree)) + forceNanos;
            double its = enqueued * count / waiting;
            underWay.add(new Group(count, its, writeBegin, writerFree, deviceFree));
            waiting -= count;
            enqueued -= its;
            inGroups += count;
            groups++;
        }

        private long leastWorth() {
            return gathering.leastWorth(inGroups);
        }

        private void passToNext() {
            long next = arrivals.isEmpty() ? Long.MAX_VALUE : arrivals.peek();
            passTo(underWay.isEmpty() ? next : Math.min(next, underWay.peek().end));
        }

        private void passTo(long time) {
            while (true) {
                long arrival = arrivals.isEmpty() ? Long.MAX_VALUE : arrivals.peek();
                long end = underWay.isEmpty() ? Long.MAX_VALUE : underWay.peek().end;
                long next = Math.min(arrival, end);
                if (next > time || next == Long.MAX_VALUE) {
                    now = time == Long.MAX_VALUE ? now : Math.max(now, time);
                    return;
                }
                now = Math.max(now, next);
                if (arrival <= end) {
                    arrivals.remove();
                    waiting++;
                    enqueued += arrival;
                } else {
                    acknowledge(underWay.remove());
                }
            }
        }

        private void acknowledge(Group group) {
            metrics.durable(waiting + inGroups, writeNanosEach == 0 ? 1 : 2_000_000);
            metrics.acknowledged(group.count, group.writeBegin, group.forceBegin, group.end);
            inGroups -= group.count;
            acknowledged += group.count;
            latencyNanos += (double) group.count * group.end - group.enqueued;
            if (closed) {
                arrive(group.count - 1, group.end + WAKING_NANOS);
                arrive(1, group.end + WAKING_NANOS + thinkNanos);
            }
        }
    }
}
