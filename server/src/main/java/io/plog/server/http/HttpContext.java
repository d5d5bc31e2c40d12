package io.plog.server.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.netty.util.NetUtil;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.TargetDescription;
import io.plog.server.access.Access;
import io.plog.server.connection.ServerContext;
import io.plog.server.monitoring.Meters;
import io.plog.server.options.ServerOptions;
import io.plog.server.state.ClientKind;
import io.plog.server.state.MemoryBounds;
import io.plog.server.state.RequestId;
import io.plog.server.targets.Target;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What all connections of the HTTP port share: which targets there are, and what {@code GET /} says. Safe for any thread. */
public final class HttpContext {
    private final ServerContext server;
    private final Map<HttpStatus, Counter> responses = new EnumMap<>(HttpStatus.class);
    private final CallerCheck callers;
    private final MemoryBounds bounds;
    private final String memory;
    private final Map<String, Target> targets = new LinkedHashMap<>();
    private volatile String text = "";
    private volatile String json = "";

    public HttpContext(ServerContext server, MemoryBounds bounds, MeterRegistry registry) {
        this.server = server;
        this.callers = new CallerCheck(
                options().bind(), options().allowedHosts(), options().tls() != null);
        this.bounds = bounds;
        this.memory = "clients=" + bounds.clients() + ", seconds=" + leastSeconds();
        server.targets().forEach(target -> targets.put(target.name(), target));
        for (HttpStatus status : HttpStatus.values()) {
            String code = Integer.toString(status.code());
            responses.put(status, Meters.HTTP_RESPONSES.counter(registry, Tags.of("code", code)));
        }
    }

    /** Where it listens; to be set before any request comes. */
    public void listensOn(int port) {
        String example = "curl -H 'Content-Type: application/octet-stream' --data-binary hello "
                + (options().tls() == null ? "http://" : "https://")
                + NetUtil.toSocketAddressString(options().bind(), port) + "/log/"
                + targets.keySet().iterator().next();
        text = makeText(example);
        json = makeJson(example);
    }

    ServerOptions options() {
        return server.options();
    }

    void answered(HttpStatus status) {
        Objects.requireNonNull(responses.get(status)).increment();
    }

    void ended(GoodbyeCode code) {
        server.meters().ended(code);
    }

    Access access() {
        return server.access();
    }

    CallerCheck callers() {
        return callers;
    }

    @Nullable
    Target target(String name) {
        return targets.get(name);
    }

    String names() {
        return String.join(", ", targets.keySet());
    }

    /** The id of a new connection as a client. Should two get the same, their numbers distinguish them. */
    public static long newClient() {
        return ClientKind.HTTP_CONNECTION.id(ThreadLocalRandom.current().nextInt());
    }

    /** Where a new connection begins to count: above whatever was given out before, unless the clock was set back. */
    static long firstNumber() {
        return System.currentTimeMillis() * 1_000_000;
    }

    /** How long a client is remembered at least; 0 if nothing is promised. */
    private String leastSeconds() {
        return BigDecimal.valueOf(bounds.leastNanos(), 9).stripTrailingZeros().toPlainString();
    }

    /** Says how many clients are remembered, and how many seconds each at least. */
    String memory() {
        return memory;
    }

    String text() {
        return text;
    }

    String json() {
        return json;
    }

    private String makeText(String example) {
        StringBuilder text =
                new StringBuilder("plog logs each request durably, then answers it with a body of equal length.\n\n");
        targets.values().forEach(target -> {
            TargetDescription described = target.description();
            text.append("POST /log/")
                    .append(target.name())
                    .append("   force=")
                    .append(described.force())
                    .append(", service=")
                    .append(described.facts().get("service"))
                    .append(", at most ")
                    .append(target.maxPayloadBytes())
                    .append(" bytes\n");
        });
        return text.append("\nIdempotency-Key, or Plog-Client and Plog-Request: of each target's last ")
                .append(bounds.clients())
                .append(" keys and clients the answers are remembered, each for at least ")
                .append(leastSeconds())
                .append(" s; one that is forgotten is new again.\n\n")
                .append(example)
                .append('\n')
                .toString();
    }

    /** No name needs an escape: see {@code TargetOptions}. */
    private String makeJson(String example) {
        String all = targets.values().stream()
                .map(target -> {
                    TargetDescription described = target.description();
                    return "{\"name\":\"" + target.name() + "\",\"path\":\"/log/" + target.name() + "\",\"force\":\""
                            + described.force() + "\",\"service\":\""
                            + described.facts().get("service")
                            + "\",\"maxPayloadBytes\":" + target.maxPayloadBytes() + "}";
                })
                .collect(Collectors.joining(","));
        return "{\"service\":\"plog\",\"targets\":[" + all + "],\"limits\":{\"requestLineBytes\":"
                + HttpParser.MAX_REQUEST_LINE_BYTES + ",\"headerBytes\":" + HttpParser.MAX_FIELDS_BYTES
                + ",\"headerFields\":" + HttpHead.MAX_FIELDS + ",\"outstandingRequests\":"
                + options().maxOutstanding()
                + ",\"outstandingBytes\":" + options().maxOutstandingBytes() + ",\"connections\":"
                + server.maxConnections() + ",\"rememberedClients\":"
                + bounds.clients()
                + ",\"rememberedSeconds\":" + leastSeconds()
                + ",\"idempotencyKeyCharacters\":" + RequestId.MAX_KEY_BYTES + "},\"example\":\"" + example
                + "\"}\n";
    }
}
