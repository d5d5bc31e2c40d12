package io.plog.host.events;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * Notes the JVM's collections of garbage, as it reports them to its management clients: in whole milliseconds, and without a file.
 *
 * <p>The JVM counts them from a moment of its own. When that was is learnt from the notifications: each comes after its
 * collection, so the one that came soonest says it best. The first few may be placed late by the milliseconds that a
 * notification takes.
 */
final class GarbageCollections implements NotificationListener, AutoCloseable {
    private static final String TYPE = "com.sun.management.gc.notification";

    private final EventStore store;
    private long originNanos = Long.MAX_VALUE; // the JVM's moment 0 by our clock, or later; guarded by this

    private GarbageCollections(EventStore store) {
        this.store = store;
    }

    static GarbageCollections start(EventStore store) {
        GarbageCollections collections = new GarbageCollections(store);
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (bean instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(collections, null, null);
            }
        }
        return collections;
    }

    @Override
    public void handleNotification(Notification notification, @Nullable Object handback) {
        long now = System.nanoTime();
        if (notification.getType().equals(TYPE)
                && notification.getUserData() instanceof CompositeData data
                && data.get("gcInfo") instanceof CompositeData info) {
            long start = TimeUnit.MILLISECONDS.toNanos((Long) info.get("startTime"));
            long end = TimeUnit.MILLISECONDS.toNanos((Long) info.get("endTime"));
            collected(start, end, now, data.get("gcAction") + ", " + data.get("gcCause"));
        }
    }

    /** Both times are rounded down to a millisecond: it lay between the start and the millisecond after the end. */
    synchronized void collected(long startNanos, long endNanos, long now, String detail) {
        originNanos = Math.min(originNanos, now - endNanos);
        long within = endNanos - startNanos + TimeUnit.MILLISECONDS.toNanos(1);
        store.add(new Event(EventKind.GC.label(), originNanos + startNanos, endNanos - startNanos, within, detail));
    }

    @Override
    public void close() {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (bean instanceof NotificationEmitter emitter) {
                try {
                    emitter.removeNotificationListener(this);
                } catch (ListenerNotFoundException e) {
                    // It gets no notification then.
                }
            }
        }
    }
}
