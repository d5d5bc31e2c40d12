package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.plog.log.storage.Force;
import io.plog.log.testing.Await;
import io.plog.server.http.HttpTestClient;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A registry of the program that embeds the server. */
class EmbeddedMetersTest {
    @TempDir
    Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private Stream<String> names() {
        return registry.getMeters().stream().map(Meter::getId).map(Meter.Id::getName);
    }

    @Test
    void theServersMetersAreInItUntilTheServerIsClosedAndThoseOfANextServerAfterThat() throws Exception {
        ServerOptions options = ServerOptions.of(List.of(TargetOptions.logged("a", directory, Force.FDATASYNC)))
                .withPorts(0, 0)
                .withHttpPort(0);
        Counter own = registry.counter("own");
        Counter ownOfNetty = registry.counter("netty.allocator.own");
        for (int start = 0; start < 2; start++) {
            try (PlogServer server = PlogServer.start(options, registry, null);
                    TestClient client = TestClient.greeted(server.address());
                    HttpTestClient admin = new HttpTestClient(server.adminPort())) {
                client.send(TestClient.request(0, start, new byte[10]));
                client.frame();
                Await.until(() -> registry.get("plog.requests")
                                .tag("status", "ok")
                                .counter()
                                .count()
                        == 1); // it is counted when its reply is on its way
                assertThat(registry.get("plog.connections.accepted").counter().count())
                        .isEqualTo(1);
                assertThat(registry.get("plog.log.durable.index").gauge().value())
                        .isGreaterThanOrEqualTo(start);
                assertThat(registry.get("plog.connections").gauge().value()).isEqualTo(1);
                assertThat(registry.get("plog.log.latency")
                                .tag("target", "a")
                                .timer()
                                .count())
                        .isEqualTo(1);
                assertThat(names()).contains("plog.http.responses", "netty.allocator.memory.used");
                assertThat(names()).noneMatch(name -> name.startsWith("jvm."));
                admin.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(admin.read().status()).isEqualTo(404);
            }
            assertThat(registry.getMeters()).containsExactlyInAnyOrder(own, ownOfNetty);
            assertThat(registry.isClosed()).isFalse();
        }
    }

    @Test
    void anErrorOfWhatMakesTheMetricsIsAnswered() throws Exception {
        ServerOptions options =
                ServerOptions.of(List.of(TargetOptions.unlogged("off"))).withPorts(0, 0);
        UnaryOperator<String> broken = type -> {
            throw new AssertionError("no class");
        };
        try (PlogServer server = PlogServer.start(options, registry, broken)) {
            assertThat(HttpTestClient.ask(server.adminPort(), HttpTestClient.get("/metrics"))
                            .text())
                    .contains("no answer: no class");
        }
    }

    @Test
    void eachConnectionThatTheServerEndsIsCountedByItsReason() throws Exception {
        ServerOptions options = ServerOptions.of(List.of(TargetOptions.unlogged("off")))
                .withPorts(0, ServerOptions.NO_ADMIN)
                .withPatience(Duration.ofMillis(100));
        try (PlogServer server = PlogServer.start(options, registry, null);
                TestClient silent = new TestClient(server.address());
                TestClient deaf = TestClient.greeted(server.address())) {
            silent.goodbye();
            assertThat(ended("idle")).isEqualTo(1);
            assertThatThrownBy(() -> {
                        while (true) {
                            deaf.send(TestClient.request(0, 1, new byte[100_000]));
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThat(ended("idle")).isEqualTo(2);
        }
    }

    private double ended(String reason) {
        return registry.get("plog.connections.ended")
                .tag("reason", reason)
                .counter()
                .count();
    }
}
