package io.plog.measure.load;

import io.plog.client.ConnectionFailures;
import io.plog.host.MachineFacts;
import io.plog.measure.PlanException;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleMerge;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Shares one load among several processes, on this machine or others, and makes one run of their samples. It sends no
 * requests itself.
 *
 * <p>{@link #run} is for one thread; {@link #stop} may come from any.
 */
public final class LoadCoordinator implements Closeable {
    private static final long BEAT_MILLIS = 500;
    /** Between the signal and the start: more than a message takes to reach the slowest worker. */
    private static final long HEAD_START_NANOS = 500_000_000;

    private final ServerSocket listening;
    private volatile boolean stopAsked;

    private LoadCoordinator(ServerSocket listening) {
        this.listening = listening;
    }

    /**
     * Begins to listen.
     *
     * @param port 0 for any
     * @throws IOException if it cannot
     */
    public static LoadCoordinator listen(String host, int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(host, port));
            socket.setSoTimeout(200);
            return new LoadCoordinator(socket);
        } catch (IOException e) {
            socket.close();
            throw new IOException("--coordinate " + host + ":" + port + ": " + e.getMessage(), e);
        }
    }

    /** Where it listens. */
    public int port() {
        return listening.getLocalPort();
    }

    /** Ends the run early. */
    public void stop() {
        stopAsked = true;
    }

    /**
     * Waits for all workers, runs the load, and merges their samples. A worker that is lost ends the run; what the others
     * measured is kept.
     *
     * @param plan of all of them together, whichever part it says it is
     * @param samplesFile the merged samples; created
     * @param parts a directory for the workers' files, which exists; they are deleted when they are merged
     * @param notes is told sentences for the user
     * @return how the merged run ended
     * @throws PlanException if a worker cannot take its part
     * @throws IOException if a worker was lost before the load began, no worker's samples are there, or they cannot be written
     */
    public RunInfo.End run(LoadPlan plan, Path samplesFile, Path parts, Consumer<String> notes)
            throws IOException, PlanException {
        List<RemoteWorker> workers = new ArrayList<>();
        ScheduledExecutorService beats = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "plog-load-beat");
            thread.setDaemon(true);
            return thread;
        });
        try {
            // A worker that hears nothing gives up.
            var unused =
                    beats.scheduleAtFixedRate(() -> beat(workers), BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
            awaitWorkers(plan, workers, notes);
            for (RemoteWorker worker : workers) {
                worker.begin(plan, parts.resolve("worker-" + (worker.part() + 1) + ".plog"));
            }
            awaitReady(workers);
            long start = System.nanoTime() + HEAD_START_NANOS;
            for (RemoteWorker worker : workers) {
                worker.start(start);
            }
            awaitEnd(workers, notes);
            return merge(plan, workers, samplesFile);
        } finally {
            beats.shutdownNow();
            List<RemoteWorker> all;
            synchronized (workers) {
                all = List.copyOf(workers);
            }
            all.forEach(RemoteWorker::close);
        }
    }

    private static void beat(List<RemoteWorker> workers) {
        synchronized (workers) {
            workers.forEach(RemoteWorker::beat);
        }
    }

    private void awaitWorkers(LoadPlan plan, List<RemoteWorker> workers, Consumer<String> notes)
            throws IOException, PlanException {
        while (workers.size() < plan.parts()) {
            checkStop();
            ControlConnection control;
            try {
                control = new ControlConnection(listening.accept());
            } catch (SocketTimeoutException e) {
                continue;
            }
            try {
                ControlConnection.Message message = control.receive();
                String objection = message.type() == ControlConnection.JOIN
                        ? PlanJson.objection(message.text(), MachineFacts.version())
                        : "the process that wants to join is no plog load";
                if (objection.isEmpty()) {
                    synchronized (workers) {
                        workers.add(new RemoteWorker(control, workers.size()));
                    }
                    notes.accept("worker " + workers.size() + " of " + plan.parts() + " joined from " + control.peer());
                } else {
                    control.send(ControlConnection.REFUSED, objection);
                    control.close();
                    notes.accept("refused " + control.peer() + ": " + objection);
                }
            } catch (IOException e) {
                control.close();
                notes.accept("refused " + control.peer() + ": " + ConnectionFailures.reason(e));
            }
        }
    }

    private void awaitReady(List<RemoteWorker> workers) throws IOException, PlanException {
        while (true) {
            checkStop();
            boolean all = true;
            for (RemoteWorker worker : workers) {
                if (!worker.problem().isEmpty()) {
                    throw new PlanException("the load did not begin: " + worker.name() + ": " + worker.problem());
                }
                all &= worker.isReady();
            }
            if (all) {
                return;
            }
            pause();
        }
    }

    private void awaitEnd(List<RemoteWorker> workers, Consumer<String> notes) {
        boolean told = false;
        while (!workers.stream().allMatch(RemoteWorker::isOver)) {
            boolean lost = workers.stream().anyMatch(worker -> !worker.problem().isEmpty());
            if ((lost || stopAsked) && !told) {
                told = true;
                notes.accept(lost ? "a worker was lost: the others end, too" : "interrupted: the workers end");
                workers.forEach(RemoteWorker::stop);
            }
            pause();
        }
    }

    private void checkStop() throws PlanException {
        if (stopAsked) {
            throw new PlanException("interrupted before the load began");
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the coordinating thread was interrupted; use stop() instead", e);
        }
    }

    private static RunInfo.End merge(LoadPlan plan, List<RemoteWorker> workers, Path samplesFile) throws IOException {
        List<SampleMerge.Part> parts = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        RunInfo info = null;
        int connections = 0;
        for (RemoteWorker worker : workers) {
            int own = plan.toBuilder().part(worker.part(), plan.parts()).build().ownConnections();
            if (!worker.problem().isEmpty()) {
                reasons.add(worker.name() + " was lost: " + worker.problem());
            } else {
                try (SampleFileReader reader = SampleFileReader.open(worker.file())) {
                    info = info == null ? reader.info() : info;
                    reader.end()
                            .filter(RunInfo.End::partial)
                            .ifPresent(end -> reasons.add(worker.name() + ": " + end.reason()));
                }
                // All began at the same moment, so their times need no shift.
                parts.add(SampleMerge.Part.ofClient(worker.file(), 0, connections, own));
            }
            connections += own;
        }
        if (info == null) {
            throw new IOException("no samples are there: " + String.join("; ", reasons));
        }
        RunInfo.End end = SampleMerge.write(parts, merged(info, workers), String.join("; ", reasons), samplesFile);
        for (SampleMerge.Part part : parts) {
            Files.delete(part.file());
        }
        return end;
    }

    private static RunInfo merged(RunInfo first, List<RemoteWorker> workers) {
        Map<String, String> facts = new LinkedHashMap<>(first.client());
        facts.put("mergedFrom", workers.size() + " clients");
        facts.put(
                "startsAgreeWithinMicros",
                String.valueOf(workers.stream()
                                .mapToLong(RemoteWorker::uncertaintyNanos)
                                .max()
                                .orElse(0)
                        / 1000));
        return new RunInfo(
                first.plogVersion(),
                first.startedAt(),
                first.command(),
                first.plan(),
                facts,
                first.server(),
                first.targets());
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
