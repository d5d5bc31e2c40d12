package io.plog.server.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.plog.protocol.GoodbyeCode;
import io.plog.server.monitoring.Meters;
import io.plog.server.monitoring.ServerMeters;
import java.util.EnumMap;
import java.util.Map;

/** The meters of the HTTP port, which are there only if the port is. Safe for any thread. */
public final class HttpMeters {
    private final ServerMeters server;
    private final Map<HttpStatus, Counter> responses = new EnumMap<>(HttpStatus.class);

    /**
     * Registers a counter for each status.
     *
     * @param server counts what connections of both ports have in common
     */
    public HttpMeters(MeterRegistry registry, ServerMeters server) {
        this.server = server;
        for (HttpStatus status : HttpStatus.values()) {
            String code = Integer.toString(status.code());
            responses.put(status, Meters.HTTP_RESPONSES.counter(registry, Tags.of("code", code)));
        }
    }

    /** A response is written. */
    void answered(HttpStatus status) {
        Counter counter = responses.get(status);
        if (counter == null) {
            throw new IllegalStateException("no counter for " + status);
        }
        counter.increment();
    }

    /** A connection is ended for its client's fault. */
    void violation(GoodbyeCode code) {
        server.violation(code);
    }
}
