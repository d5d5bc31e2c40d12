package io.plog.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.client.ClientOptions;
import io.plog.client.FakeServer;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What the measuring thread allocates would be collected one day, in the middle of somebody's latency. */
class RecordingAllocationTest {
    private static final int REQUESTS = 3_000;

    private static ConnectionWorker.Turn turn(long requests, double rate) {
        return new ConnectionWorker.Turn(new CellKey(3, 1000), 0, 0, false, requests, rate, System.nanoTime());
    }

    private static long allocatedBytes() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** Less than a byte for each request: what the JVM itself now and then adds is some hundred bytes, no matter how many there are. */
    private static void assertNothingAllocated(double rate) throws Exception {
        try (FakeServer server = FakeServer.good();
                MeasuringConnection connection =
                        MeasuringConnection.connect("127.0.0.1", server.port(), ClientOptions.defaults())) {
            ConnectionWorker worker = new ConnectionWorker(connection, 0, 1, System.nanoTime(), null, () -> false);
            Samples samples = new Samples(REQUESTS);
            connection.prepare(3, 1000, 1);
            worker.run(turn(500, rate), samples);
            samples.clear();
            long before = allocatedBytes();
            worker.run(turn(REQUESTS, rate), samples);
            long allocated = allocatedBytes() - before;
            assertThat(samples.count()).isEqualTo(REQUESTS);
            assertThat(samples.get(Column.FORCE, REQUESTS - 1)).isEqualTo(400);
            assertThat(allocated).as("bytes in %d requests", REQUESTS).isLessThan(REQUESTS);
        }
    }

    @Test
    void aClosedLoopAllocatesNothingOnTheMeasuringThread() throws Exception {
        assertNothingAllocated(0);
    }

    @Test
    void aScheduleAllocatesNothingEither() throws Exception {
        assertNothingAllocated(1e6);
    }
}
