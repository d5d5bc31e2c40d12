package io.plog.server;

import io.plog.protocol.events.Device;
import io.plog.protocol.events.EventRecorder;
import io.plog.protocol.events.EventStore;
import io.plog.protocol.events.RecordedJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What interrupted this server, for a client that measures. Recording begins when somebody asks for the first time, so
 * that a server that nobody measures pays nothing for it, and goes on until the server ends. Safe for any thread.
 */
final class ServerEvents implements AutoCloseable {
    private final EventStore store = new EventStore();
    private final List<TargetEvents> targets = new ArrayList<>();
    private final Set<String> devices = new TreeSet<>();
    private @Nullable EventRecorder recorder;
    private boolean closed;

    /** The events of a target of this server. */
    synchronized TargetEvents target(TargetOptions options) {
        TargetEvents events = new TargetEvents(options.name());
        targets.add(events);
        for (Path directory : options.directories()) {
            String device = MountInfo.deviceOf(directory);
            if (device != null) {
                devices.add(device);
            }
        }
        if (recorder != null) {
            events.recordTo(store);
        }
        return events;
    }

    /**
     * What was recorded, as JSON. Blocks for a second or so, the first time a little longer.
     *
     * @param sinceNanos only events that ended at this {@link System#nanoTime} or later
     */
    synchronized String since(long sinceNanos) {
        if (closed) {
            throw new IllegalStateException("the server is closing");
        }
        EventRecorder current = recorder;
        if (current == null) {
            current =
                    EventRecorder.start(store, devices.stream().map(Device::new).toList());
            recorder = current;
            targets.forEach(target -> target.recordTo(store));
        }
        return RecordedJson.of(current.recorded(sinceNanos));
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (recorder != null) {
            recorder.close();
        }
    }
}
