package io.plog.benchmarks.micro;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What it costs a client to record the sample of a request, every column of it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SampleBenchmark {
    private static final int SAMPLES = 10_000;
    private static final Column[] COLUMNS = Column.values();

    private Samples samples = new Samples(0);

    @Setup(Level.Invocation)
    public void prepare() {
        samples = new Samples(SAMPLES);
    }

    @Benchmark
    @OperationsPerInvocation(SAMPLES)
    public Samples recordSamples() {
        for (int i = 0; i < SAMPLES; i++) {
            samples.begin();
            for (Column column : COLUMNS) {
                samples.set(column, i);
            }
        }
        return samples;
    }
}
