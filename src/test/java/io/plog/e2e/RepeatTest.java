package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.buffer.Unpooled;
import io.plog.client.ClientOptions;
import io.plog.client.Reply;
import io.plog.client.RetryOptions;
import io.plog.client.RetryingClient;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.TestServer;
import io.plog.server.service.Chain;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Requests that are sent again, across servers that are killed: each is executed once, and its answer stays the same. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(180)
final class RepeatTest {
    private static final int KILLS = 3;
    private static final int CALLS_BETWEEN_KILLS = 400;
    private static final long CLIENT = 77;

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private Path log;

    @BeforeEach
    void makeDirectory() throws Exception {
        log = Files.createDirectory(directory.resolve("log"));
    }

    private TestServer start(int port, String more) throws Exception {
        return TestServer.start(directory, "--log a=%s,segment=4MiB%s --admin-port 0 --port %s", log, more, port);
    }

    @Test
    void everyCallAcrossKillsIsAcknowledgedAndExecutedOnceInTheOrderOfTheLog() throws Exception {
        String service = ",service=chain,checkpoint=256KiB";
        long seed = Long.getLong("plog.seed", System.nanoTime());
        System.out.println("killing under load, -Dplog.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        int port = BadInputTest.freePort();
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        List<byte[]> payloads = new ArrayList<>();
        RetryOptions options = RetryOptions.defaults()
                .withDeadline(Duration.ofMinutes(2))
                .withPauses(Duration.ofMillis(5), Duration.ofMillis(200))
                .withMaxQueued(10_000, 1L << 30);
        TestServer server = start(port, service);
        try (RetryingClient client =
                RetryingClient.of("127.0.0.1", port, ClientOptions.defaults().withClientId(CLIENT), options)) {
            for (int round = 0; round <= KILLS; round++) {
                for (int i = 0; i < CALLS_BETWEEN_KILLS; i++) {
                    byte[] payload = new byte[random.nextInt(2_000)];
                    random.nextBytes(payload);
                    payloads.add(payload);
                    replies.add(client.call("a", ByteBuffer.wrap(payload)));
                }
                if (round < KILLS) {
                    // Somewhere in the middle of this round's calls.
                    replies.get(replies.size() - 1 - random.nextInt(CALLS_BETWEEN_KILLS))
                            .get();
                    server.process.kill();
                    server.close();
                    server = start(port, service);
                }
            }
            CompletableFuture.allOf(replies.toArray(new CompletableFuture<?>[0]))
                    .get();
            assertThat(server.stop()).isZero();
        } finally {
            server.close();
        }
        checkOnceEach(replies, payloads);
    }

    /** Every call has a reply with an index of its own; where the log still has the record, it is that very request. */
    private void checkOnceEach(List<CompletableFuture<Reply>> replies, List<byte[]> payloads) throws Exception {
        byte[][] inLogOrder = new byte[replies.size()][];
        Reply[] answers = new Reply[replies.size()];
        Set<Long> indices = new HashSet<>();
        for (int i = 0; i < replies.size(); i++) {
            Reply reply = replies.get(i).get();
            assertThat(reply.requestNumber()).isEqualTo(i + 1);
            assertThat(indices.add(reply.logIndex()))
                    .as("index %d is given once", reply.logIndex())
                    .isTrue();
            assertThat(reply.logIndex()).as("nothing else is in the log").isBetween(1L, (long) replies.size());
            inLogOrder[(int) reply.logIndex() - 1] = payloads.get(i);
            answers[(int) reply.logIndex() - 1] = reply;
        }
        for (LogContents.Entry entry : LogContents.dump(log)) {
            byte[] payload = inLogOrder[(int) entry.index() - 1];
            assertThat(entry.client()).isEqualTo(Long.toString(CLIENT));
            assertThat(entry.request()).isEqualTo(Long.toString(answers[(int) entry.index() - 1].requestNumber()));
            assertThat(entry.length()).isEqualTo(payload.length);
            CRC32C crc = new CRC32C();
            crc.update(payload);
            assertThat(entry.crc32c()).isEqualTo(String.format("%08x", crc.getValue()));
        }
        long state = Chain.INITIAL_STATE;
        for (int i = 0; i < inLogOrder.length; i++) {
            byte[] payload = inLogOrder[i];
            state = Chain.next(state, Unpooled.wrappedBuffer(payload), 0, payload.length);
            byte[] expected = new byte[payload.length];
            Chain.answer(
                    state, Unpooled.wrappedBuffer(payload), 0, Unpooled.wrappedBuffer(expected), 0, payload.length);
            assertThat(answers[i].payload()).as("the reply of record %d", i + 1).isEqualTo(expected);
        }
    }

    @Test
    void aCallThatIsRepeatedGetsItsRecordedAnswerAlsoAfterAKill() throws Exception {
        byte[] payload = "once and no more".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        JsonNode first;
        try (TestServer server = start(0, ",service=chain")) {
            first = call(server, payload);
            assertThat(first.get("recorded").booleanValue()).isFalse();
            assertRecorded(call(server, payload), first);
            server.process.kill();
        }
        try (TestServer server = start(0, ",service=chain")) {
            assertRecorded(call(server, payload), first);
            Plog plain = Plog.runWithInput(payload, "call --server %s --client 9 --request 3", server.address());
            plain.exited(0);
            assertThat(plain.onlyErrLine())
                    .isEqualTo("plog call: executed before, as record 1; this is its recorded answer");
            assertThat(repeated(server, new byte[] {1}).exited(1).onlyErrLine())
                    .contains("the server refused with CONFLICT")
                    .endsWith("; the request was not executed");
        }
        assertThat(LogContents.dump(log)).hasSize(1);
    }

    private JsonNode call(TestServer server, byte[] payload) throws Exception {
        return new ObjectMapper().readTree(repeated(server, payload).exited(0).outText());
    }

    private LocalRun repeated(TestServer server, byte[] payload) throws Exception {
        Path file = Files.write(directory.resolve("payload"), payload);
        return LocalRun.of("call --json --server %s --client 9 --request 3 %s", server.address(), file);
    }

    private static void assertRecorded(JsonNode again, JsonNode first) {
        assertThat(again.get("recorded").booleanValue()).isTrue();
        assertThat(again.get("index")).isEqualTo(first.get("index"));
        assertThat(again.get("payload")).isEqualTo(first.get("payload"));
        assertThat(again.get("loggingNanos").longValue()).isZero();
        assertThat(again.get("batchRecords").longValue()).isZero();
    }

    @Test
    void aCallWaitsForAServerThatComesLater() throws Exception {
        int port = BadInputTest.freePort();
        try (Plog call = Plog.start("call --server 127.0.0.1:%s --deadline 60s", port)) {
            call.closeInput();
            try (TestServer server = start(port, "")) {
                assertThat(call.awaitExit()).as("%s", call).isZero();
                assertThat(server.stop()).isZero();
            }
        }
        assertThat(LogContents.dump(log)).hasSize(1);
    }
}
