package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that means harm, made from docs/protocol.md alone: the client's commands end with a sentence and do it no favour. */
@Timeout(120)
final class HostileServerTest {
    private static final int REQUEST_BYTES = 88;

    @TempDir(factory = DiskDirectory.class)
    @SuppressWarnings("NullAway.Init")
    Path directory;

    /** What it does once it has read the HELLO. */
    private interface Conduct {
        void with(DataInputStream in, DataOutputStream out) throws IOException;
    }

    @SuppressWarnings("NullAway.Init")
    private ServerSocket socket;

    @BeforeEach
    void listen() throws Exception {
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws Exception {
        socket.close();
    }

    private String serve(Conduct conduct) {
        Thread accepting = new Thread(() -> {
            while (!socket.isClosed()) {
                try {
                    Socket client = socket.accept();
                    client.setTcpNoDelay(true);
                    Thread serving = new Thread(() -> serve(client, conduct));
                    serving.setDaemon(true);
                    serving.start();
                } catch (IOException e) {
                    return; // the test is over
                }
            }
        });
        accepting.setDaemon(true);
        accepting.start();
        return "127.0.0.1:" + socket.getLocalPort();
    }

    private static void serve(Socket client, Conduct conduct) {
        try (client) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            in.readFully(new byte[16]); // HELLO
            conduct.with(in, new DataOutputStream(client.getOutputStream()));
        } catch (IOException e) {
            // The client has hung up.
        }
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeShort(utf8.length);
        out.write(utf8);
    }

    private static byte[] welcome(List<Integer> ids, List<String> names) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(body);
        out.writeByte(2);
        out.writeByte(0);
        out.writeShort(1);
        out.writeInt(1 << 20);
        out.writeInt(1_024);
        out.writeShort(1);
        text(out, "host");
        text(out, "\u001b[2Jcleared");
        out.writeShort(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            out.writeShort(ids.get(i));
            text(out, names.get(i));
            text(out, "off");
            out.writeShort(0);
        }
        return ByteBuffer.allocate(4 + body.size())
                .putInt(body.size())
                .put(body.toByteArray())
                .array();
    }

    private static void waitForTheEnd(DataInputStream in) throws IOException {
        while (in.read() >= 0) {
            // whatever it says
        }
    }

    private Plog call(String server, String... more) throws Exception {
        return Plog.runWithInput(
                "x".getBytes(StandardCharsets.UTF_8),
                java.util.stream.Stream.concat(
                                java.util.stream.Stream.of("call", "--server", server, "--deadline", "2s"),
                                java.util.stream.Stream.of(more))
                        .toArray());
    }

    @Test
    void namesCannotRewriteTheTerminal() throws Exception {
        byte[] welcome = welcome(List.of(0, 1), List.of("\u001b]0;owned\u0007", "b\u202egpj"));
        String server = serve((in, out) -> {
            out.write(welcome);
            waitForTheEnd(in);
        });
        Plog call = call(server);
        call.exited(2);
        assertThat(call.onlyErrLine())
                .contains("--target is missing", "]0;owned")
                .doesNotContain("\u001b", "\u0007", "\u202e");
    }

    @Test
    void tooManyTargetsOrTwoOfOneIdAreRefusedInASentence() throws Exception {
        List<String> names = IntStream.range(0, 501).mapToObj(i -> "t" + i).toList();
        byte[] many = welcome(IntStream.range(0, 501).map(i -> 0).boxed().toList(), names);
        String server = serve((in, out) -> {
            out.write(many);
            waitForTheEnd(in);
        });
        Path out = directory.resolve("out");
        LocalRun measure =
                LocalRun.of("measure", "--server", server, "--out", out).exited(1);
        assertThat(measure.onlyErrLine()).contains("a WELCOME with 501 targets: expected at most 64");
        assertThat(Files.exists(out.resolve("samples.plog"))).isFalse();
        Plog call = call(server, "--target", "t1");
        call.exited(1);
        assertThat(call.onlyErrLine()).contains("a WELCOME with 501 targets");
    }

    @Test
    void aWelcomeByteByByteEndsTheCommands() throws Exception {
        byte[] welcome = welcome(List.of(0), List.of("a"));
        String server = serve((in, out) -> {
            for (byte each : welcome) {
                out.write(each);
                LockSupport.parkNanos(1_000_000_000);
            }
        });
        Plog measure = Plog.start("measure", "--server", server, "--out", directory.resolve("out"));
        Plog call = call(server);
        call.exited(1);
        assertThat(call.onlyErrLine()).contains("the request was not executed");
        assertThat(measure.awaitExit()).isEqualTo(1);
        assertThat(measure.onlyErrLine()).contains("no welcome from", "no whole one came within 5000 ms");
    }

    @Test
    void aServerThatStallsAfterTheWelcomeEndsACall() throws Exception {
        byte[] welcome = welcome(List.of(0), List.of("a"));
        String server = serve((in, out) -> {
            out.write(welcome);
            waitForTheEnd(in);
        });
        Plog call = call(server);
        call.exited(1);
        assertThat(call.onlyErrLine()).contains("may have been executed");
    }

    @Test
    void aNegativeDurationMakesAReplyWrong() throws Exception {
        byte[] welcome = welcome(List.of(0), List.of("a"));
        String server = serve((in, out) -> {
            out.write(welcome);
            while (true) {
                byte[] frame = new byte[4 + in.readInt()];
                in.readFully(frame, 4, frame.length - 4);
                ByteBuffer reply =
                        ByteBuffer.wrap(frame).putInt(0, frame.length - 4).put(4, (byte) 4);
                for (int at = 8; at < 72; at++) {
                    reply.put(at, (byte) 0);
                }
                reply.putLong(56, Long.MIN_VALUE);
                for (int at = REQUEST_BYTES; at < frame.length; at++) {
                    frame[at] = (byte) ~frame[at];
                }
                out.write(frame);
            }
        });
        Plog call = call(server, "--json");
        call.exited(1);
        assertThat(call.onlyErrLine()).contains("a duration 'residence' of -9223372036854775808 ns: expected 0 to");
        assertThat(call.out()).isEmpty();
        Plog measure = Plog.run("measure", "--server", server, "--iterations", "10", "--out", directory.resolve("out"));
        assertThat(measure.awaitExit()).isNotZero();
        assertThat(measure.errText()).contains("a duration 'residence' of -9223372036854775808 ns");
    }
}
