package io.plog.server.monitoring;

import io.plog.host.MountInfo;
import io.plog.host.events.EventRecorder;
import io.plog.host.events.EventStore;
import io.plog.host.events.RecordJson;
import io.plog.server.options.TargetOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What interrupted this server, for a client that measures. Recording begins when somebody asks for the first time, so
 * that a server that is not measured pays nothing for it, and ends when there was no request for as long as events are kept. Safe for
 * any thread.
 */
public final class ServerEvents implements AutoCloseable {
    /** As long as an {@link EventStore} keeps an event. After that a question could not be answered anyway. */
    static final long UNASKED_NANOS = TimeUnit.HOURS.toNanos(4);

    private static final long LOOK_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private final EventStore store = new EventStore();
    private final Set<String> devices = new TreeSet<>();
    private volatile @Nullable EventRecorder recorder;
    private long askedNanos;
    private boolean closed;

    public synchronized TargetEvents target(TargetOptions options) {
        // A simulated disk does not wait for the one below it.
        boolean simulated = options.storage().isSimulated();
        for (Path directory : simulated ? List.<Path>of() : options.directories()) {
            String device = MountInfo.deviceOf(directory);
            if (device != null) {
                devices.add(device);
            }
        }
        return new TargetEvents(options.name(), () -> recorder == null ? null : store);
    }

    /**
     * What was recorded, as JSON. The first time it blocks for some hundred milliseconds.
     *
     * @param sinceNanos only events that ended at this {@link System#nanoTime} or later
     */
    public synchronized String since(long sinceNanos) {
        if (closed) {
            throw new IllegalStateException("the server is closing");
        }
        askedNanos = System.nanoTime();
        EventRecorder current = recorder;
        if (current == null) {
            current = start();
        }
        return RecordJson.of(current.recorded(sinceNanos));
    }

    private synchronized EventRecorder start() {
        EventRecorder started = EventRecorder.start(store, List.copyOf(devices));
        recorder = started;
        Thread end = new Thread(this::endWhenUnasked, "plog-events-end");
        end.setDaemon(true);
        end.start();
        return started;
    }

    private synchronized void endWhenUnasked() {
        try {
            while (recorder != null && !closed && !endIfUnasked(System.nanoTime())) {
                wait(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // not expected; recording then continues until the server closes
        }
    }

    /** Stops recording if no client has asked for a long time. Returns whether nothing is recorded now. */
    synchronized boolean endIfUnasked(long now) {
        if (recorder != null && now - askedNanos > UNASKED_NANOS) {
            recorder.close();
            recorder = null;
        }
        return recorder == null;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (recorder != null) {
            recorder.close();
        }
        notifyAll();
    }
}
