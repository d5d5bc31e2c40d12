package io.plog.server.monitoring;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyEventExecutorMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.channel.EventLoopGroup;
import io.plog.host.Build;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.Status;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** The meters of the server as a whole. Safe for any thread. */
public final class ServerMeters implements AutoCloseable {
    private final MeterRegistry registry;
    private final Counter accepted;
    private final Counter acceptFailures;
    private final Counter unknownTarget;
    private final Map<GoodbyeCode, Counter> ended = new EnumMap<>(GoodbyeCode.class);
    private volatile Set<Meter> ofNetty = Set.of();

    public ServerMeters(MeterRegistry registry) {
        this.registry = registry;
        accepted = Meters.CONNECTIONS_ACCEPTED.counter(registry, Tags.empty());
        acceptFailures = Meters.ACCEPT_FAILURES.counter(registry, Tags.empty());
        for (GoodbyeCode code : GoodbyeCode.values()) {
            String label = code.name().toLowerCase(Locale.ROOT);
            ended.put(code, Meters.CONNECTIONS_ENDED.counter(registry, Tags.of("reason", label)));
        }
        unknownTarget = Meters.REQUESTS.counter(
                registry,
                Tags.of("target", "", "status", Status.UNKNOWN_TARGET.name().toLowerCase(Locale.ROOT)));
    }

    /** Reports how many connections are open, how many bytes they hold together, and how many they may hold. */
    public void watchConnections(IntSupplier open, LongSupplier usedBytes, LongSupplier boundBytes) {
        Meters.CONNECTIONS.gauge(registry, Tags.empty(), null, open, IntSupplier::getAsInt);
        Meters.BUFFERED.gauge(registry, Tags.empty(), "bytes", usedBytes, LongSupplier::getAsLong);
        Meters.BUFFERED_LIMIT.gauge(registry, Tags.empty(), "bytes", boundBytes, LongSupplier::getAsLong);
    }

    public void watchCertificate(LongSupplier endSeconds) {
        Meters.CERTIFICATE_END.gauge(registry, Tags.empty(), "seconds", endSeconds, LongSupplier::getAsLong);
    }

    /** Registers the meters of the JVM and of its process, which a server does not: they stay until the process ends. */
    public static void watchProcess(MeterRegistry registry) {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmGcMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
    }

    public void watch(EventLoopGroup loops, ByteBufAllocator allocator) {
        Set<Meter> before = Set.copyOf(registry.getMeters());
        new NettyEventExecutorMetrics(loops).bindTo(registry);
        if (allocator instanceof ByteBufAllocatorMetricProvider provider) {
            new NettyAllocatorMetrics(provider).bindTo(registry);
        }
        ofNetty = registry.getMeters().stream()
                .filter(meter -> isNamed(meter, "netty.") && !before.contains(meter))
                .collect(Collectors.toSet());
    }

    public void watchBuild() {
        Build build = Build.current();
        Meters.BUILD.gauge(
                registry, Tags.of("version", build.version(), "commit", build.commit()), null, build, any -> 1);
    }

    public void connectionAccepted() {
        accepted.increment();
    }

    public void acceptFailed() {
        acceptFailures.increment();
    }

    public void ended(GoodbyeCode code) {
        Objects.requireNonNull(ended.get(code)).increment();
    }

    public void unknownTarget() {
        unknownTarget.increment();
    }

    /** Removes the meters of the server, of its targets and of its Netty. The registry stays open. */
    @Override
    public void close() {
        for (Meter meter : registry.getMeters()) {
            if (isNamed(meter, "plog.") || ofNetty.contains(meter)) {
                registry.remove(meter);
            }
        }
    }

    private static boolean isNamed(Meter meter, String prefix) {
        return meter.getId().getName().startsWith(prefix);
    }
}
