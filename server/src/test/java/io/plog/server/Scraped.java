package io.plog.server;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import io.plog.server.monitoring.ServerMeters;
import io.plog.server.options.ServerOptions;
import io.plog.server.targets.FakeLog;
import java.io.IOException;

/** Servers whose admin port reports their meters to Prometheus, as that of {@code plog server} does. */
final class Scraped {
    private Scraped() {}

    private static PrometheusMeterRegistry registry() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ServerMeters.watchProcess(registry);
        return registry;
    }

    static PlogServer start(ServerOptions options) throws IOException {
        PrometheusMeterRegistry registry = registry();
        return PlogServer.start(options, registry, registry::scrape);
    }

    static PlogServer start(ServerOptions options, FakeLog log) throws IOException {
        PrometheusMeterRegistry registry = registry();
        return PlogServer.start(
                options, ByteBufAllocator.DEFAULT, (target, state, meters) -> log, registry, registry::scrape);
    }
}
