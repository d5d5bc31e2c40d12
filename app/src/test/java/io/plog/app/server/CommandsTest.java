package io.plog.app.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.app.CommandRun;
import io.plog.protocol.ReplyHeader;
import io.plog.server.WireClient;
import io.plog.server.service.Chain;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands as a user runs them: real processes for the server, output and exit codes for all. */
@Timeout(120)
class CommandsTest {
    /** By default a start initialises 256 MiB, which no test here is about but one. */
    private static final String SMALL = ",segment=1MiB";

    @TempDir
    Path scratch;

    private record Result(int code, String out, String err) {}

    private static Result run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        return new Result(CommandRun.plog(out, err, (Object[]) args), out.toString(), err.toString());
    }

    private Path logDirectory() throws Exception {
        return Files.createDirectories(scratch.resolve("log"));
    }

    private Program server(String... more) throws Exception {
        Path ready = scratch.resolve("ready");
        Files.deleteIfExists(ready);
        String[] args = new String[more.length + 5];
        args[0] = "server";
        args[1] = "--port";
        args[2] = "0";
        args[3] = "--ready-file";
        args[4] = ready.toString();
        System.arraycopy(more, 0, args, 5, more.length);
        Program program = Program.start(scratch, args);
        program.await(ready);
        return program;
    }

    private Properties ready() throws Exception {
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(scratch.resolve("ready"))) {
            properties.load(reader);
        }
        return properties;
    }

    private WireClient client() throws Exception {
        return WireClient.greeted(Integer.parseInt(ready().getProperty("port")));
    }

    private void log(String option, int requests, int payloadBytes) throws Exception {
        try (Program server = server("--admin-port", "0", "--log", option)) {
            try (WireClient client = client()) {
                for (int i = 1; i <= requests; i++) {
                    ByteBuf reply = client.call(0, i, payload(i, payloadBytes));
                    assertThat(ReplyHeader.status(reply)).isZero();
                }
            }
            server.terminate();
            assertThat(server.exitCode()).isZero();
        }
    }

    private static byte[] payload(int seed, int bytes) {
        byte[] payload = new byte[bytes];
        new Random(seed).nextBytes(payload);
        return payload;
    }

    @Test
    void aServerLogsAnswersStopsInOrderAndItsLogCanBeRead() throws Exception {
        Path directory = logDirectory();
        try (Program server = server("--admin-port", "0", "--unlogged", "--log", "a=" + directory + ",segment=1MiB")) {
            assertThat(ready().getProperty("admin-port")).isEqualTo("0");
            assertThat(ready().getProperty("pid")).isEqualTo(Long.toString(server.pid()));
            try (WireClient client = client()) {
                for (int i = 1; i <= 30; i++) {
                    ByteBuf reply = client.call(0, i, payload(i, 100_000));
                    assertThat(ReplyHeader.status(reply)).isZero();
                    assertThat(ReplyHeader.logIndex(reply)).isEqualTo(i);
                    assertThat(ReplyHeader.batchRecords(reply)).isEqualTo(1);
                    assertThat(ReplyHeader.forceNanos(reply)).isPositive();
                    assertThat(ReplyHeader.logIndex(client.call(1, i, payload(i, 10))))
                            .isZero();
                }
            }
            server.terminate();
            assertThat(server.exitCode()).isZero();
            assertThat(server.out()).isEmpty();
            assertThat(server.err())
                    .contains("target a: " + directory.toRealPath())
                    .contains("force=fdatasync, no records yet")
                    .contains("target off: not logged")
                    .contains("listening on 127.0.0.1:" + ready().getProperty("port"))
                    .contains("stopped");
        }
        Result dump = run("log", "dump", "--json", "--payload", directory.toString());
        assertThat(dump.code()).isZero();
        List<String> lines = dump.out().lines().toList();
        assertThat(lines).hasSize(30);
        assertThat(lines.get(6)).startsWith("{\"index\":7,\"client\":77,\"request\":7,\"length\":100000,\"crc32c\":\"");
        byte[] logged = java.util.Base64.getDecoder().decode(lines.get(6).replaceAll(".*\"payload\":\"(.*)\"}", "$1"));
        assertThat(logged).isEqualTo(payload(7, 100_000));
        assertThat(run("log", "verify", directory.toString()))
                .satisfies(result -> assertThat(result.code()).isZero())
                .satisfies(result -> assertThat(result.out()).startsWith("fine: 30 records (1 to 30)"));
        assertThat(run("log", "verify", "--json", directory.toString()).out()).contains("\"ok\":true,\"records\":30");
        assertThat(run("log", "info", directory.toString()).out())
                .contains("records    30 (1 to 30)")
                .contains("closed     in order")
                .contains("active");
        assertThat(run("log", "info", "--json", directory.toString()).out()).contains("\"lastIndex\":30");
        assertThat(run("log", "dump", "--from", "30", directory.toString())
                        .out()
                        .lines())
                .hasSize(2);
    }

    @Test
    void everyAcknowledgedRequestSurvivesAKilledServer() throws Exception {
        Path directory = logDirectory();
        try (Program server = server("--admin-port", "0", "--log", "a=" + directory + SMALL)) {
            try (WireClient client = client()) {
                for (int i = 1; i <= 50; i++) {
                    assertThat(ReplyHeader.status(client.call(0, i, payload(i, 500))))
                            .isZero();
                }
            }
            server.kill();
        }
        try (Program server = server("--admin-port", "0", "--log", "a=" + directory)) {
            assertThat(server.err())
                    .contains("50 records recovered (1 to 50), 50 replayed in ")
                    .contains(" ms, reserve of 256MiB initialised in ");
            try (WireClient client = client()) {
                ByteBuf repeat = client.call(0, 50, payload(50, 500));
                assertThat(ReplyHeader.status(repeat)).isZero();
                assertThat(ReplyHeader.logIndex(repeat)).isEqualTo(50);
                assertThat(ReplyHeader.batchRecords(repeat)).isZero();
                assertThat(ReplyHeader.logIndex(client.call(0, 51, payload(51, 10))))
                        .isEqualTo(51);
            }
            server.terminate();
            assertThat(server.exitCode()).isZero();
        }
        assertThat(run("log", "dump", "--json", directory.toString()).out().lines())
                .hasSize(51);
    }

    @Test
    void aLogThatIsBoundedDropsItsOldestSegments() throws Exception {
        Path directory = logDirectory();
        log("a=" + directory + ",segment=1MiB,retain=2MiB", 100, 100_000);
        Result info = run("log", "info", "--json", directory.toString());
        assertThat(info.code()).isZero();
        assertThat(info.out()).contains("\"lastIndex\":100").doesNotContain("\"firstIndex\":1,\"lastIndex\":100,");
    }

    @Test
    void aChainGoesOnWhereItWasKilledAndRefusesToBeServedAsSomethingElse() throws Exception {
        String option = "a=" + logDirectory() + ",service=chain,segment=1MiB,checkpoint=64KiB";
        long state = Chain.INITIAL_STATE;
        int number = 0;
        for (int life = 0; life < 3; life++) {
            try (Program server = server("--admin-port", "0", "--log", option)) {
                try (WireClient client = client()) {
                    for (int i = 0; i < 40; i++) {
                        byte[] payload = payload(++number, 5_000);
                        ByteBuf reply = client.call(0, number, payload);
                        state = Chain.next(state, Unpooled.wrappedBuffer(payload), 0, payload.length);
                        assertThat(ReplyHeader.status(reply)).isZero();
                        assertThat(Chain.firstMismatch(
                                        state, Unpooled.wrappedBuffer(payload), 0, reply, 88, payload.length))
                                .isEqualTo(-1);
                    }
                }
                server.kill();
            }
        }
        Result other = run("server", "--port", "0", "--admin-port", "0", "--log", "a=" + scratch.resolve("log"));
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err().strip().lines())
                .singleElement()
                .asString()
                .contains(
                        "plog server: target a: its checkpoint at index ",
                        "made by the service 'chain': expected 'invert'");
    }

    @Test
    void aFlippedByteInTheMiddleIsRefusedWithItsPlace() throws Exception {
        Path directory = logDirectory();
        log("a=" + directory + SMALL, 20, 1_000);
        Path segment;
        try (var files = Files.list(directory)) {
            segment = files.filter(file -> contains(file, payload(7, 1_000)))
                    .findFirst()
                    .orElseThrow();
        }
        flip(segment, indexOf(Files.readAllBytes(segment), payload(7, 1_000)) + 500);

        for (String[] command : new String[][] {
            {"server", "--port", "0", "--admin-port", "0", "--log", "a=" + directory},
            {"log", "verify", directory.toString()},
            {"log", "info", directory.toString()},
            {"log", "dump", directory.toString()}
        }) {
            Result result = run(command);
            assertThat(result.code()).as(String.join(" ", command)).isEqualTo(3);
            assertThat(result.err().strip().lines())
                    .singleElement()
                    .asString()
                    .contains("damaged log: file " + segment.getFileName(), "offset", "expected", "found");
        }
        assertThat(run("log", "verify", "--json", directory.toString()).out()).contains("\"ok\":false", "\"offset\":");
    }

    @Test
    void metricsAndHealthAreServedOnTheAdminPort() throws Exception {
        Path directory = logDirectory();
        int admin;
        try (ServerSocket free = new ServerSocket(0)) {
            admin = free.getLocalPort();
        }
        try (Program server = server("--admin-port", Integer.toString(admin), "--log", "a=" + directory + SMALL)) {
            try (WireClient client = client()) {
                for (int i = 1; i <= 5; i++) {
                    client.call(0, i, payload(i, 100));
                }
                client.call(7, 6, payload(6, 100));
                String metrics = get(admin, "/metrics", 200);
                assertThat(metrics)
                        .contains("plog_log_latency_seconds_count{force=\"fdatasync\",target=\"a\"} 5")
                        .contains("plog_log_force_seconds_bucket{force=\"fdatasync\",target=\"a\",le=\"")
                        .contains("plog_requests_total{status=\"ok\",target=\"a\"} 5.0")
                        .contains("plog_repeats_total{force=\"fdatasync\",target=\"a\"} 0.0")
                        .contains("plog_clients{force=\"fdatasync\",target=\"a\"} 1.0")
                        .contains("plog_checkpoint_seconds_count{force=\"fdatasync\",target=\"a\"} 1")
                        .contains("plog_checkpoint_size_bytes{force=\"fdatasync\",target=\"a\"} ")
                        .contains("plog_checkpoint_failures_total{force=\"fdatasync\",target=\"a\"} 0.0")
                        .contains("plog_replayed_records_total{force=\"fdatasync\",target=\"a\"} 0.0")
                        .contains("plog_requests_total{status=\"unknown_target\",target=\"\"} 1.0")
                        .contains("plog_log_batch_records_count{force=\"fdatasync\",target=\"a\"} 5")
                        .contains("plog_log_healthy{force=\"fdatasync\",target=\"a\"} 1.0")
                        .contains("plog_connections 1.0")
                        .contains("jvm_memory_used_bytes")
                        .contains("netty_allocator_memory_used");
            }
            assertThat(get(admin, "/health/live", 200)).isEqualTo("live\n");
            assertThat(get(admin, "/health/ready", 200)).isEqualTo("ready\n");
            assertThat(get(admin, "/", 404)).contains("/metrics");
            server.terminate();
            assertThat(server.exitCode()).isZero();
        }
    }

    private static String get(int port, String path, int status) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(status);
        return answer.body();
    }

    @Test
    void aDirectoryThatCannotBeUsedIsNamedWithWhatToDo() throws Exception {
        Path missing = scratch.resolve("missing");
        Path file = Files.createFile(scratch.resolve("file"));
        assertFails(1, "does not exist: create it with: mkdir -p " + missing, "--log", "a=" + missing);
        assertFails(1, "is not a directory", "--log", "a=" + file);
        assertThat(run("log", "info", missing.toString()).err()).contains("does not exist");
        assertThat(run("log", "info", missing.toString()).code()).isEqualTo(1);
        assertThat(run("log", "verify", file.toString()).code()).isEqualTo(1);
    }

    @Test
    void aLogThatAnotherServerHasOpenIsRefused() throws Exception {
        Path directory = logDirectory();
        try (Program first = server("--admin-port", "0", "--log", "a=" + directory + SMALL)) {
            assertThat(first.err()).contains("listening");
            assertFails(1, "", "--log", "a=" + directory);
        }
    }

    @Test
    void aStandbyOfALogInADirectoryIsMisuse() throws Exception {
        Path directory = logDirectory();
        assertFails(
                2,
                "a standby waits for logs on several machines, and that of target a is in the directory " + directory,
                "--standby",
                "--log",
                "a=" + directory);
        assertFails(2, "--takeover-within without --standby", "--takeover-within", "5s", "--log", "a=" + directory);
        assertFails(
                2,
                "takeoverWithin is 500 ms: expected 1 s to 10 min",
                "--standby",
                "--takeover-within",
                "500ms",
                "--log",
                "r=bookkeeper://127.0.0.1:1/r");
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            Result result = run("server", "--unlogged", "--admin-port", "0", "--port", port);
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.err())
                    .isEqualTo("plog server: port 127.0.0.1:" + port
                            + " is in use: stop what listens there, or choose another with --port\n");
            result = run("server", "--unlogged", "--port", "0", "--admin-port", port);
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.err()).contains("admin port 127.0.0.1:" + port + " is in use", "--admin-port");
        }
    }

    @Test
    void optionsThatMakeNoSenseAreMisuse() throws Exception {
        Path directory = logDirectory();
        assertFails(2, "nothing to serve");
        assertFails(2, "expected NAME=DIR", "--log", "nonsense");
        assertFails(2, "unknown way of forcing 'hope'", "--log", "a=" + directory + ",force=hope");
        assertFails(2, "not a size: 'big'", "--log", "a=" + directory + ",segment=big");
        assertFails(2, "unknown part 'colour=red'", "--log", "a=" + directory + ",colour=red");
        assertFails(2, "a comma that belongs to a directory's name is written \\,", "--log", "a=/srv/x,y");
        assertFails(1, "/srv/x,y, does not exist", "--log", "a=/srv/x\\,y,force=fsync");
        assertFails(2, "two targets are called 'a'", "--log", "a=" + directory, "--log", "a=" + directory);
        assertFails(2, "retain", "--log", "a=" + directory + ",retain=1MiB");
        assertFails(2, "unknown service 'hope': expected invert or chain", "--log", "a=" + directory + ",service=hope");
        assertFails(2, "not a size: 'often'", "--log", "a=" + directory + ",checkpoint=often");
        assertFails(2, "checkpoint is 1024 bytes: expected at least", "--log", "a=" + directory + ",checkpoint=1KiB");
        assertFails(2, "segmentBytes is 1000", "--log", "a=" + directory + ",segment=1k");
        assertFails(2, "maxPayloadBytes", "--unlogged", "--max-payload", "100MiB");
        assertFails(2, "not a size", "--unlogged", "--max-payload", "x");
        assertFails(2, "port is 70000", "--unlogged", "--port", "70000");
        assertThat(run("log").code()).isEqualTo(2);
        assertThat(run("log", "dump", "--from", "9", directory.toString()).code())
                .isEqualTo(2);
    }

    private static void assertFails(int code, String message, String... more) {
        String[] args = new String[more.length + 3];
        args[0] = "server";
        args[1] = "--admin-port";
        args[2] = "0";
        System.arraycopy(more, 0, args, 3, more.length);
        Result result = run(args);
        assertThat(result.code())
                .as(String.join(" ", args) + ": " + result.err())
                .isEqualTo(code);
        assertThat(result.err()).contains(message);
        assertThat(result.out()).isEmpty();
    }

    private static boolean contains(Path file, byte[] bytes) {
        try {
            return indexOf(Files.readAllBytes(file), bytes) >= 0;
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static int indexOf(byte[] all, byte[] part) {
        for (int at = 0; at + part.length <= all.length; at++) {
            if (java.util.Arrays.equals(all, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        return -1;
    }

    private static void flip(Path file, int at) throws Exception {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) (one.get(0) ^ 0x10)).rewind();
            channel.write(one, at);
        }
    }
}
