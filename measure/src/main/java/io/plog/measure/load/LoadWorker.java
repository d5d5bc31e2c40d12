package io.plog.measure.load;

import io.plog.client.ConnectionFailures;
import io.plog.host.MachineFacts;
import io.plog.measure.PlanException;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One process's part in a load that a {@link LoadCoordinator} coordinates: gets its part of the plan, makes its connections,
 * starts when all are ready, and hands its samples over.
 *
 * <p>{@link #join} and {@link #run} are for one thread; {@link #stop} may come from any.
 */
public final class LoadWorker implements Closeable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final long BEAT_MILLIS = 500;

    private final ControlConnection control;
    private final LoadPlan plan;
    private final LoadRun run;
    private final ScheduledExecutorService beats;
    private volatile long startNanos = StartSignal.NOT_YET;
    private volatile @Nullable String lost;
    private boolean toldReady;
    private volatile long answered;

    private LoadWorker(ControlConnection control, LoadPlan plan, LoadRun run) {
        this.control = control;
        this.plan = plan;
        this.run = run;
        beats = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "plog-load-beat"));
        var unused = beats.scheduleAtFixedRate(this::beat, BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
        daemon(this::listen, "plog-load-worker").start();
    }

    /**
     * Joins a run and waits for the plan.
     *
     * @param serverHost the server as this machine calls it; null for as the coordinator does
     * @throws PlanException if the coordinator refuses this process, or the server or this process cannot take the plan;
     *     the coordinator is told
     * @throws IOException if the coordinator or the server cannot be reached
     */
    public static LoadWorker join(String host, int port, @Nullable String serverHost, int serverPort)
            throws IOException, PlanException {
        ControlConnection control = control(host, port);
        try {
            control.send(ControlConnection.JOIN, PlanJson.join(MachineFacts.version()));
            ControlConnection.Message message = control.receive();
            while (message.type() == ControlConnection.PROGRESS) {
                message = control.receive();
            }
            if (message.type() == ControlConnection.REFUSED) {
                throw new PlanException("the coordinator at " + host + ":" + port + " refuses: " + message.text());
            }
            if (message.type() != ControlConnection.PLAN) {
                throw new IOException("the coordinator sent a message of type " + message.type() + ", expected a plan");
            }
            LoadPlan plan = PlanJson.read(message.text());
            return new LoadWorker(control, plan, open(control, plan, serverHost, serverPort));
        } catch (IOException | PlanException | RuntimeException e) {
            control.close();
            throw e;
        }
    }

    private static LoadRun open(ControlConnection control, LoadPlan plan, @Nullable String serverHost, int serverPort)
            throws IOException, PlanException {
        try {
            return LoadRun.open(serverHost == null ? plan : plan.against(serverHost, serverPort));
        } catch (IOException | PlanException e) {
            control.send(ControlConnection.REFUSED, String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private static ControlConnection control(String host, int port) throws IOException {
        Socket socket = new Socket();
        try {
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                throw new IOException("unknown host");
            }
            socket.connect(address, CONNECT_MILLIS);
            return new ControlConnection(socket);
        } catch (IOException e) {
            socket.close();
            throw new IOException(
                    "no coordinator at " + host + ":" + port + " (" + ConnectionFailures.reason(e)
                            + "); start it first: plog load --mode MODE --workers N --coordinate PORT",
                    e);
        }
    }

    /** This process's part of the plan. */
    public LoadPlan plan() {
        return plan;
    }

    /**
     * Runs this part and hands the samples over.
     *
     * @param samplesFile created; it is the caller's to delete
     * @throws PlanException if a connection to the server cannot be made
     * @throws IOException if the samples cannot be written, or the coordinator was lost; then the file has what was measured
     */
    public LoadRun.Outcome run(Path samplesFile, LoadListener listener) throws IOException, PlanException {
        LoadRun.Outcome outcome;
        try {
            outcome = run.run(samplesFile, this::signal, progress -> {
                answered = progress.answered();
                listener.progress(progress);
            });
        } catch (IOException | PlanException e) {
            String why = lost;
            if (why == null) {
                control.send(ControlConnection.REFUSED, String.valueOf(e.getMessage()));
                throw e;
            }
            throw new IOException("lost contact with the coordinator: " + why, e);
        }
        String why = lost;
        if (why != null) {
            throw new IOException(
                    "lost contact with the coordinator: " + why + "; what was measured is in " + samplesFile);
        }
        FileTransfer.send(control, samplesFile);
        return outcome;
    }

    /** Ends this part early, and thereby the run. */
    public void stop() {
        run.stop();
    }

    private long signal() {
        if (!toldReady) {
            toldReady = true;
            try {
                control.send(ControlConnection.READY);
            } catch (IOException e) {
                loseContact(e);
            }
        }
        return startNanos;
    }

    private void beat() {
        try {
            control.send(ControlConnection.PROGRESS, answered);
        } catch (IOException e) {
            loseContact(e);
        }
    }

    private void listen() {
        try {
            while (true) {
                ControlConnection.Message message = control.receive();
                switch (message.type()) {
                    case ControlConnection.CLOCK -> control.send(ControlConnection.TIME, System.nanoTime());
                    case ControlConnection.START -> startNanos = message.number();
                    case ControlConnection.STOP -> run.stop();
                    default -> {
                        // The coordinator's own heartbeat.
                    }
                }
            }
        } catch (IOException e) {
            loseContact(e);
        }
    }

    private void loseContact(IOException e) {
        if (lost == null) {
            lost = ConnectionFailures.reason(e);
        }
        run.stop();
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        beats.shutdownNow();
        control.close();
    }
}
