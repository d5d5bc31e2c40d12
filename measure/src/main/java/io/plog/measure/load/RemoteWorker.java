package io.plog.measure.load;

import io.plog.client.ConnectionFailures;
import io.plog.measure.ClockOffset;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A worker as its coordinator sees it. Calls come from the coordinator's thread; a thread of its own listens.
 */
final class RemoteWorker implements Closeable {
    private static final int CLOCK_EXCHANGES = 24;

    private final ControlConnection control;
    private final int part;
    private final BlockingQueue<Long> times = new LinkedBlockingQueue<>();
    private volatile @Nullable Path file;
    private volatile boolean ready;
    private volatile boolean over;
    private volatile boolean closing;
    private volatile String problem = "";
    private long uncertaintyNanos;

    RemoteWorker(ControlConnection control, int part) {
        this.control = control;
        this.part = part;
    }

    int part() {
        return part;
    }

    String name() {
        return "worker " + (part + 1) + " (" + control.peer() + ")";
    }

    /** Whether its connections to the server are there. */
    boolean isReady() {
        return ready;
    }

    /** Whether its samples are there, or will never be. */
    boolean isOver() {
        return over;
    }

    /** Why it is lost; empty if it is not. */
    String problem() {
        return problem;
    }

    /** Its samples, once it is over. */
    Path file() {
        Path known = file;
        if (known == null) {
            throw new IllegalStateException(name() + " was never begun");
        }
        return known;
    }

    /** How much its start may differ from the others', at most. */
    long uncertaintyNanos() {
        return uncertaintyNanos;
    }

    /** Sends it its part and listens from now on. */
    void begin(LoadPlan plan, Path samples) {
        file = samples;
        try {
            control.send(
                    ControlConnection.PLAN,
                    PlanJson.write(plan.toBuilder().part(part, plan.parts()).build()));
        } catch (IOException e) {
            lose(e);
        }
        Thread thread = new Thread(() -> listen(samples), "plog-load-worker-" + (part + 1));
        thread.setDaemon(true);
        thread.start();
    }

    /** Tells it when to start, by its own clock. */
    void start(long ourNanos) {
        try {
            ClockOffset best = null;
            for (int i = 0; i < CLOCK_EXCHANGES; i++) {
                long sent = System.nanoTime();
                control.send(ControlConnection.CLOCK);
                Long theirs = times.poll(ControlConnection.SILENCE_MILLIS, TimeUnit.MILLISECONDS);
                if (theirs == null) {
                    throw new IOException("it does not tell its time");
                }
                ClockOffset said = ClockOffset.of(sent, theirs, System.nanoTime());
                best = best == null ? said : ClockOffset.better(best, said);
            }
            if (best != null) {
                uncertaintyNanos = best.uncertaintyNanos();
                control.send(ControlConnection.START, ourNanos + best.aheadNanos());
            }
        } catch (IOException e) {
            lose(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("the coordinating thread was interrupted; use stop() instead", e);
        }
    }

    void stop() {
        send(ControlConnection.STOP);
    }

    void beat() {
        send(ControlConnection.PROGRESS);
    }

    private void send(int type) {
        try {
            if (!over) {
                control.send(type);
            }
        } catch (IOException e) {
            lose(e);
        }
    }

    private void listen(Path samples) {
        try {
            while (!over) {
                ControlConnection.Message message = control.receive();
                switch (message.type()) {
                    case ControlConnection.READY -> ready = true;
                    case ControlConnection.TIME -> times.add(message.number());
                    case ControlConnection.REFUSED -> throw new IOException(message.text());
                    case ControlConnection.FILE -> {
                        FileTransfer.receive(control, message.number(), samples);
                        over = true;
                    }
                    default -> {
                        // Its heartbeat.
                    }
                }
            }
        } catch (IOException e) {
            lose(e);
        }
    }

    private void lose(IOException e) {
        if (!over && !closing) {
            problem = ConnectionFailures.reason(e);
            over = true;
        }
    }

    @Override
    public void close() {
        closing = true;
        control.close();
    }
}
