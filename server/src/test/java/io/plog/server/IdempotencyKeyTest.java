package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.storage.Force;
import io.plog.protocol.Status;
import io.plog.server.http.HttpContext;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.ChainService;
import io.plog.server.service.InvertService;
import io.plog.server.state.ClientKind;
import io.plog.server.state.HeapArrays;
import io.plog.server.state.MemoryBounds;
import io.plog.server.state.RequestId;
import io.plog.server.state.TargetState;
import io.plog.server.state.TestRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Idempotency keys are clients like others. */
class IdempotencyKeyTest {
    private final TargetState few = state();
    private long durable;

    private static TargetState state() {
        return new TargetState("t", BuiltInService.CHAIN.get(), new MemoryBounds(10, 3, 1_000, 1_000));
    }

    private boolean isRepeat(TargetState state, long client, long number) {
        TestRequest request = new TestRequest(state, client, number, "abcd".getBytes(StandardCharsets.US_ASCII));
        if (request.run(state, durable + 1)) {
            durable++;
        }
        return request.isRepeat();
    }

    private boolean isRepeat(TargetState state, String key) {
        RequestId made = RequestId.ofKey(key);
        return isRepeat(state, made.client(), made.number());
    }

    @Test
    void aKeyMeansTheSameInEveryVersionSinceItStandsInTheLog() {
        // echo -n order-1 | sha256sum begins with these 12 bytes; "HTTP" comes before them.
        RequestId key = RequestId.ofKey("order-1");
        assertThat(Long.toHexString(key.client())).isEqualTo("485454500bafe221");
        assertThat(Long.toHexString(key.number())).isEqualTo("56d2698c143b8604");
        assertThat(RequestId.ofKey("order-2")).isNotEqualTo(key);
    }

    @Test
    void theKindIsDistinguishedFromTheIdAlone() {
        Random random = new Random(1);
        for (int i = 0; i < 100; i++) {
            int lower = random.nextInt();
            for (ClientKind kind : ClientKind.values()) {
                assertThat(ClientKind.of(kind.id(lower))).isEqualTo(kind);
                assertThat((int) kind.id(lower)).isEqualTo(lower);
            }
        }
        assertThat(ClientKind.of(-1)).isEqualTo(ClientKind.BINARY);
        assertThat(ClientKind.of(HttpContext.newClient())).isEqualTo(ClientKind.HTTP_CONNECTION);
    }

    @Test
    void connectionsOfTheHttpPortMakeTheServerForgetNoClient() {
        assertThat(isRepeat(few, 7, 1)).isFalse();
        assertThat(isRepeat(few, "key")).isFalse();
        for (int i = 0; i < 100; i++) {
            isRepeat(few, ClientKind.HTTP_CONNECTION.id(i), 1);
        }
        assertThat(isRepeat(few, 7, 1)).isTrue();
        assertThat(isRepeat(few, "key")).isTrue();
        assertThat(few.clients()).isEqualTo(2);
    }

    @Test
    void aCheckpointKeepsTheOneOrderOfKeysAndClients() {
        isRepeat(few, "a");
        isRepeat(few, 7, 1);
        isRepeat(few, "b");
        ByteBuffer[] pieces = few.snapshot().encode();
        ByteBuffer all = ByteBuffer.allocate(10_000);
        for (ByteBuffer piece : pieces) {
            all.put(piece);
        }
        TargetState again = state();
        again.restore(durable, all.flip());
        isRepeat(again, 8, 1); // forgets a
        assertThat(isRepeat(again, 7, 1)).isTrue();
        assertThat(isRepeat(again, "b")).isTrue();
        assertThat(isRepeat(again, "a")).isFalse(); // forgets 7
        assertThat(isRepeat(again, "b")).isTrue();
        assertThat(isRepeat(again, 7, 1)).isFalse();
    }

    /** What ended exactly once before: 0.89 s of somebody else's keys. */
    @Test
    void twentyThousandForeignKeysMakeNoKeyNew() {
        for (boolean stateless : new boolean[] {false, true}) {
            ServerOptions options = ServerOptions.of(List.of(TargetOptions.logged("t", Path.of("."), Force.FDATASYNC)));
            AtomicLong nanos = new AtomicLong();
            TargetState state = new TargetState(
                    "t",
                    stateless ? new InvertService() : new ChainService(),
                    MemoryPlan.of(options, 40 << 20).bounds(),
                    HeapArrays.JVM,
                    () -> nanos.addAndGet(50_000)); // 20,000 a second
            durable = 0;
            assertThat(isRepeat(state, "mine")).isFalse();
            for (int i = 0; i < 20_000; i++) {
                assertThat(isRepeat(state, "foreign " + i)).isFalse();
            }
            assertThat(durable).isEqualTo(20_001);
            assertThat(isRepeat(state, "mine")).isTrue();
        }
    }

    /** Those that do not fit are forgotten by their bytes first: refused then, never executed again. */
    @Test
    void aKeyWhoseAnswerIsForgottenIsRefusedAndNotExecutedAgain() {
        TargetState state = new TargetState("t", BuiltInService.CHAIN.get(), new MemoryBounds(10, 10, 1_000, 300));
        for (int i = 0; i < 5; i++) {
            assertThat(isRepeat(state, "key " + i)).isFalse();
        }
        RequestId first = RequestId.ofKey("key 0");
        TestRequest again = new TestRequest(state, first.client(), first.number(), new byte[4]);
        assertThat(state.admit(again)).isFalse();
        assertThat(again.status()).isEqualTo(Status.OUTDATED);
        assertThat(again.sentence()).contains("this Idempotency-Key was used", "not executed again");
        assertThat(isRepeat(state, "key 2")).isTrue();
    }
}
