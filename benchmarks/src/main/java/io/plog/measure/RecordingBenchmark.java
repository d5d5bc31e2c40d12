package io.plog.measure;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.client.ClientOptions;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Samples;
import io.plog.protocol.Hello;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Transformation;
import io.plog.protocol.Welcome;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What the instrument itself adds to a request: keeping its sample, and reading the clock before and after. The connection is a real
 * one that has had one exchange, so the sample is read out of a real reply, as in a run.
 *
 * <p>{@code benchmarks/run micro RecordingBenchmark -prof gc} also shows what it allocates.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RecordingBenchmark {
    private static final int TARGET = 1;
    private static final int PAYLOAD_BYTES = 1000;

    /** Samples of a turn before they are written out: a block of the default run, and one of a long run. */
    @Param({"200", "100000"})
    int samplesHeld;

    private Samples samples = new Samples(0);
    private ConnectionWorker.Turn turn =
            new ConnectionWorker.Turn(new CellKey(TARGET, PAYLOAD_BYTES), 0, 3, false, 1, 0, 1, 0);

    @SuppressWarnings("NullAway.Init") // made by connect()
    private ConnectionWorker worker;

    @SuppressWarnings("NullAway.Init") // made by connect()
    private MeasuringConnection connection;

    /** Connects to a server that answers one request. */
    @Setup
    public void connect() throws IOException {
        samples = new Samples(samplesHeld);
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> answerOne(listening), "one-reply");
            server.start();
            connection = MeasuringConnection.connect("127.0.0.1", listening.getLocalPort(), ClientOptions.defaults());
            worker = new ConnectionWorker(connection, 0, System.nanoTime(), null, () -> false);
            connection.prepare(TARGET, PAYLOAD_BYTES, 1);
            connection.exchange(1);
            connection.checkReply();
        }
    }

    @TearDown
    public void close() {
        connection.close();
    }

    private static void answerOne(ServerSocket listening) {
        try (Socket socket = listening.accept();
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            in.readFully(new byte[Hello.BYTES]);
            ByteBuf welcome = Unpooled.buffer();
            TargetDescription target = new TargetDescription(TARGET, "main", "fdatasync", Map.of("service", "invert"));
            new Welcome(PAYLOAD_BYTES, 1, Map.of(), List.of(target)).encode(welcome);
            send(socket, welcome);
            byte[] frame = new byte[RequestHeader.BYTES + PAYLOAD_BYTES];
            in.readFully(frame);
            ByteBuf request = Unpooled.wrappedBuffer(frame);
            ByteBuf reply = Unpooled.buffer(frame.length);
            ReplyHeader.begin(reply, request);
            reply.writeZero(PAYLOAD_BYTES);
            Transformation.invert(request, ReplyHeader.BYTES, reply, ReplyHeader.BYTES, PAYLOAD_BYTES);
            ReplyHeader.setLogged(reply, 77, 200, 400, 35_000, 52_000, 1);
            ReplyHeader.setExecutionNanos(reply, 150);
            ReplyHeader.setResidenceNanos(reply, 95_000);
            send(socket, reply);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void send(Socket socket, ByteBuf frame) throws IOException {
        frame.readBytes(socket.getOutputStream(), frame.readableBytes());
    }

    /** A sample of sixteen numbers out of a reply. */
    @Benchmark
    public int keepOneSample() {
        if (samples.count() == samplesHeld) {
            samples.clear();
        }
        worker.record(turn, 0, 0, samples);
        return samples.count();
    }

    /** All that a request pays for being measured. */
    @Benchmark
    public long keepOneSampleAndReadTheClockTwice() {
        long sent = System.nanoTime();
        keepOneSample();
        return System.nanoTime() - sent;
    }
}
