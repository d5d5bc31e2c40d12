package io.plog.measure.study;

import io.plog.client.ClientOptions;
import io.plog.measure.AdminClient;
import io.plog.measure.load.LoadPlan;
import io.plog.measure.load.StartSignal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a server's counters when the stretch that counts begins and when it ends, so that their difference is that
 * stretch's. It says when the load begins, because only so it knows those moments.
 *
 * <p>{@link #startNanos} is for the thread that drives the load; its own thread does the rest. It fails nothing: what cannot be
 * read is left out.
 */
public final class ServerWatch implements StartSignal, AutoCloseable {
    private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final AdminClient admin;
    private final long beginNanos;
    private final long lengthNanos;
    private final Thread thread;
    private long startNanos;
    private volatile @Nullable ServerCounters before;
    private volatile @Nullable ServerCounters after;

    /**
     * Waits for {@link #startNanos} to be asked.
     *
     * @param adminPort of a server on loopback
     */
    public ServerWatch(int adminPort, LoadPlan plan) {
        admin = new AdminClient("127.0.0.1", adminPort, ClientOptions.defaults());
        beginNanos = plan.warmUp().toNanos();
        lengthNanos = plan.duration().toNanos();
        thread = new Thread(this::watch, "plog-study-watch");
        thread.setDaemon(true);
    }

    @Override
    public long startNanos() {
        if (startNanos == 0) {
            startNanos = System.nanoTime() + DELAY_NANOS;
            thread.start();
        }
        return startNanos;
    }

    private void watch() {
        try {
            before = at(startNanos + beginNanos);
            after = at(startNanos + beginNanos + lengthNanos);
        } catch (IOException e) {
            // Left out, as said above.
        } catch (InterruptedException e) {
            // The load has ended early.
        }
    }

    private ServerCounters at(long nanos) throws IOException, InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
        return ServerCounters.parse(admin.counters());
    }

    /** Waits for the second look, or gives it up if the load has ended before its time. */
    @Override
    public void close() {
        if (startNanos == 0) {
            return;
        }
        if (System.nanoTime() - startNanos < beginNanos + lengthNanos) {
            thread.interrupt();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Processor time that the server used in that stretch; null if it is not known. */
    public @Nullable Double cpuNanos() {
        ServerCounters first = before;
        ServerCounters last = after;
        return first == null || last == null ? null : last.cpuNanosSince(first);
    }

    /** Turns of its event loops in that stretch by the number of connections that were ready; empty if it is not known. */
    public List<Bin> readyChannels() {
        ServerCounters first = before;
        ServerCounters last = after;
        return first == null || last == null ? List.of() : last.readyChannelsSince(first);
    }
}
