package io.plog.log;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** An append's way through the queue, of one thread: put in, taken, given back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AppendQueueBenchmark {
    private static final int GROUP = 64;
    private static final int BYTES = 1024;

    private final AppendQueue queue = new AppendQueue(16_384, 64L << 20);
    private final ByteBuffer payload = ByteBuffer.allocateDirect(BYTES);
    private final Object owner = new Object();

    /** One append at a time. */
    @Benchmark
    public long oneAtATime() {
        return group(1);
    }

    /** The cost of each of a group of {@value #GROUP}. */
    @Benchmark
    @OperationsPerInvocation(GROUP)
    public long inGroups() {
        return group(GROUP);
    }

    private long group(int count) {
        for (int i = 0; i < count; i++) {
            if (queue.tryPut(owner, payload, 0, BYTES, i, 0) != AppendQueue.Put.ACCEPTED) {
                throw new IllegalStateException("the queue is full");
            }
        }
        long first = queue.firstWaiting();
        long number = first;
        long sum = 0;
        while (number - first < count && queue.isPublished(number)) {
            sum += queue.length(number) + queue.crc(number);
            number++;
        }
        queue.takenUpTo(number);
        for (long i = first; i < number; i++) {
            queue.clear(i);
        }
        queue.release(number, (long) count * BYTES);
        return sum;
    }
}
