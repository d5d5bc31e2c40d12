package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBufAllocator;
import io.plog.log.storage.Force;
import io.plog.server.options.DesignOption;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.targets.FakeLog;
import io.plog.server.targets.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of a server is bounded as a whole, whatever hangs. */
@Timeout(60)
final class BoundedShutdownTest {
    /** Much shorter than the sum of what one after the other would take, and than the timeout of a test. */
    private static final Duration BOUND = Duration.ofSeconds(2);

    @TempDir
    Path directory;

    private final CountDownLatch hanging = new CountDownLatch(1);
    private final List<TestClient> clients = new ArrayList<>();

    @AfterEach
    void letGo() throws Exception {
        hanging.countDown();
        for (TestClient client : clients) {
            client.close();
        }
    }

    private PlogServer start(String design, Target.LogOpener opener) throws Exception {
        ServerOptions options = ServerOptions.of(List.of(
                        TargetOptions.logged("one", directory.resolve("1"), Force.WRITE),
                        TargetOptions.logged("two", directory.resolve("2"), Force.WRITE)))
                .withPorts(0, ServerOptions.NO_ADMIN)
                .withDesign(DesignOption.parse(design));
        return PlogServer.start(options, ByteBufAllocator.DEFAULT, opener);
    }

    /** A log whose force does not return: its close does not, either. */
    private FakeLog hangingLog() {
        return new FakeLog() {
            @Override
            public void close() {
                try {
                    hanging.await();
                } catch (InterruptedException e) {
                    throw new AssertionError("this thread is not interrupted", e);
                }
            }
        };
    }

    private TestClient client(PlogServer server) throws Exception {
        TestClient client = TestClient.greeted(server.address());
        clients.add(client);
        return client;
    }

    @Test
    void logsThatHangAreLeftBehindTogetherAndNamed() throws Exception {
        PlogServer server = start("dedicated", (target, state, meters) -> hangingLog());
        assertThatThrownBy(() -> server.close(BOUND))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not everything could be closed within 2000 ms")
                .hasMessageContaining("left behind are the log of target one, the log of target two.");
    }

    @Test
    void oneThatHangsDoesNotKeepTheOtherFromClosing() throws Exception {
        FakeLog healthy = new FakeLog();
        PlogServer server =
                start("dedicated", (target, state, meters) -> target.name().equals("one") ? hangingLog() : healthy);
        TestClient client = client(server);
        client.send(TestClient.request(1, 1, new byte[10]));
        healthy.awaitAppended(1);
        assertThatThrownBy(() -> server.close(BOUND))
                .hasMessageContaining("left behind are the log of target one")
                .hasMessageNotContaining("target two");
        assertThat(healthy.isClosed()).isTrue();
        client.frame(); // the reply
        client.goodbye();
    }

    @Test
    void threadsThatWaitForAForceAreLeftBehind() throws Exception {
        FakeLog log = hangingLog();
        PlogServer server = start("threads=2", (target, state, meters) -> log);
        client(server).send(TestClient.request(0, 1, new byte[10]));
        log.awaitAppended(1);
        assertThatThrownBy(() -> server.close(BOUND))
                .hasMessageContaining("the log of target one, the log of target two, threads of connections");
    }

    @Test
    void connectionsOfALoopThatHasEndedTakeTheirTimeOnceForAllOfThem() throws Exception {
        PlogServer server = start("dedicated", (target, state, meters) -> new FakeLog());
        for (int i = 0; i < 20; i++) {
            client(server);
        }
        // As an event loop that an Error ended: it runs nothing any more.
        CountDownLatch stuck = new CountDownLatch(1);
        server.loops()
                .forEach(loop -> loop.execute(() -> {
                    stuck.countDown();
                    try {
                        hanging.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError("this thread is not interrupted", e);
                    }
                }));
        stuck.await();
        assertThatThrownBy(() -> server.close(BOUND)).hasMessageContaining("left behind are 20 connections.");
    }

    @Test
    void aServerWhoseEventLoopEndsSaysSo() throws Exception {
        PlogServer server = start("dedicated", (target, state, meters) -> new FakeLog());
        server.loops()
                .forEach(loop -> loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly());
        assertThat(server.awaitBroken().getMessage())
                .contains("an event loop has ended")
                .contains("restart the server");
        assertThat(server.health().good()).isFalse();
        assertThat(server.health().sentence()).contains("an event loop has ended");
        server.close(BOUND);
    }
}
