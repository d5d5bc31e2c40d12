package io.plog.log;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What it costs to put a record together, without a disk: its checksum, its header, and both with the copy of the payload. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RecordBenchmark {
    private static final long EPOCH = 0x1234_5678_9abc_def0L;

    @Param({"100", "1024", "10240", "102400"})
    int payloadBytes;

    private final RecordHeader header = new RecordHeader();
    private ByteBuffer payload = ByteBuffer.allocate(0);
    private ByteBuffer target = ByteBuffer.allocate(0);
    private final ByteBuffer encoded = ByteBuffer.allocateDirect(RecordHeader.BYTES);

    @Setup
    public void prepare() {
        payload = ByteBuffer.allocateDirect(payloadBytes);
        target = ByteBuffer.allocateDirect(RecordHeader.BYTES + payloadBytes + RecordHeader.ALIGNMENT);
        header.type = RecordHeader.DATA;
        header.length = payloadBytes;
        header.index = 1;
        header.encode(encoded.clear(), EPOCH);
    }

    @Benchmark
    public int payloadChecksum() {
        payload.clear();
        CRC32C crc = new CRC32C();
        crc.update(payload);
        return (int) crc.getValue();
    }

    @Benchmark
    public ByteBuffer headerEncoding() {
        target.clear();
        header.index++;
        header.encode(target, EPOCH);
        return target;
    }

    @Benchmark
    public boolean headerDecoding() {
        return header.decode(encoded, 0, EPOCH);
    }

    @Benchmark
    public ByteBuffer wholeRecord() {
        header.payloadCrc = payloadChecksum();
        payload.clear();
        return headerEncoding().put(payload);
    }
}
