package io.plog.host.events;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JVM's own event stream: pauses for collections, other safepoints, long compilations. Without stack traces and
 * with thresholds, so that it costs next to nothing. The JVM hands its events over once a second.
 *
 * <p>The JVM keeps the stream in files, and removes them when it ends; killed, it leaves them. <strong>If their disk is full when
 * the JVM writes to them, it ends itself.</strong> So they are where somebody said, only as long as there is plenty of room.
 */
final class JvmEvents implements AutoCloseable {
    private static final Duration SHORTEST_PAUSE = Duration.ofNanos(100_000);
    private static final Duration SHORTEST_COMPILATION = Duration.ofMillis(10);

    /** More than the conversion to our clock may be wrong by; only the first mark may be worse, for lack of another. */
    private static final long MOST_UNCERTAINTY_NANOS = 20_000;

    /** So much must be free in their directory: the files take a few hundred kilobytes. */
    private static final long LEAST_FREE_BYTES = 64L << 20;

    private static final long MOST_BYTES = 16L << 20;

    private final EventStore store;
    private final Path directory;
    private final RecordingStream stream = new RecordingStream();

    // Of the stream's thread.
    private Instant markInstant = Instant.EPOCH;
    private long markNanos;
    private long pauseStart;
    private long pauseEnd;

    private long marksMade; // under the lock of this
    private long marksSeen; // under the lock of this

    private JvmEvents(EventStore store, Path directory) {
        this.store = store;
        this.directory = directory;
    }

    /**
     * Starts to read; takes some hundred milliseconds and a few safepoints.
     *
     * @param directory where the JVM is to keep its files
     * @throws IllegalStateException if this JVM has no such stream; the message says why
     */
    static JvmEvents start(EventStore store, Path directory) {
        try {
            if (!FlightRecorder.isAvailable()) {
                throw new IllegalStateException("this JVM has no flight recorder");
            }
            String lack = lackOfSpace(directory);
            if (lack != null) {
                throw new IllegalStateException(lack);
            }
            keepFilesIn(directory);
            JvmEvents events = new JvmEvents(store, directory);
            events.open();
            return events;
        } catch (LinkageError | RuntimeException e) {
            throw new IllegalStateException(
                    e instanceof LinkageError ? "this JVM lacks the module jdk.jfr" : e.getMessage(), e);
        }
    }

    /** Why the JVM's files are not safe there, in a sentence; {@code null} if they are. */
    private static @Nullable String lackOfSpace(Path directory) {
        try {
            long free = Files.getFileStore(directory).getUsableSpace();
            return free >= LEAST_FREE_BYTES
                    ? null
                    : "only " + (free >> 20) + " MiB are free in " + directory
                            + ", and the JVM ends when it finds none: expected" + " at least "
                            + (LEAST_FREE_BYTES >> 20);
        } catch (IOException e) {
            return "the directory " + directory + " cannot be used (" + e + ")";
        }
    }

    /** Why it should end now, in a sentence; {@code null} if it may go on. */
    @Nullable
    String reasonToEnd() {
        return lackOfSpace(directory);
    }

    /** What {@code jcmd PID JFR.configure repositorypath=DIR} does. */
    private static void keepFilesIn(Path directory) {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "jfrConfigure",
                            new Object[] {new String[] {"repositorypath=\"" + directory.toAbsolutePath() + "\""}},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException("the JVM does not let its files be placed (" + e.getMessage() + ")", e);
        }
    }

    private void open() {
        stream.setMaxSize(MOST_BYTES);
        stream.setMaxAge(Duration.ofSeconds(10));
        stream.onError(error -> {
            // Events may be missing then; a recording that is not complete is better than a measurement that ends.
        });
        stream.enable(ClockMark.class).withoutStackTrace().withoutThreshold();
        stream.onEvent("plog.ClockMark", this::marked);
        on("jdk.GCPhasePause", SHORTEST_PAUSE, this::collected);
        on("jdk.ExecuteVMOperation", SHORTEST_PAUSE, this::stopped);
        on("jdk.SafepointBegin", SHORTEST_PAUSE, this::reached);
        on("jdk.Compilation", SHORTEST_COMPILATION, this::compiled);
        markInstant = Instant.now();
        markNanos = System.nanoTime();
        stream.startAsync();
        mark();
    }

    private void on(String name, Duration threshold, java.util.function.Consumer<RecordedEvent> action) {
        stream.enable(name).withoutStackTrace().withThreshold(threshold);
        stream.onEvent(name, action);
    }

    /** Puts a mark into the stream; now and then is often enough. */
    synchronized void mark() {
        ClockMark mark = new ClockMark();
        long before = System.nanoTime();
        mark.begin();
        mark.nanos = System.nanoTime();
        mark.uncertaintyNanos = mark.nanos - before;
        mark.number = ++marksMade;
        mark.commit();
    }

    /** Waits until everything so far has arrived, or the time is over. */
    synchronized boolean awaitArrived(Duration patience) {
        mark();
        long wanted = marksMade;
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            for (long left = patience.toMillis(); marksSeen < wanted && left > 0; ) {
                wait(left);
                left = (deadline - System.nanoTime()) / 1_000_000;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return marksSeen >= wanted;
    }

    private void marked(RecordedEvent event) {
        if (event.getLong("uncertaintyNanos") <= MOST_UNCERTAINTY_NANOS) {
            markInstant = event.getStartTime();
            markNanos = event.getLong("nanos");
        }
        synchronized (this) {
            marksSeen = event.getLong("number");
            notifyAll();
        }
    }

    private long startNanos(RecordedEvent event) {
        return markNanos + Duration.between(markInstant, event.getStartTime()).toNanos();
    }

    private void collected(RecordedEvent event) {
        pauseStart = startNanos(event);
        long nanos = event.getDuration().toNanos();
        pauseEnd = pauseStart + nanos;
        add(EventKind.GC, pauseStart, nanos, event.getString("name"));
    }

    /** A collection is done within such an operation, and is not told twice. */
    private void stopped(RecordedEvent event) {
        long start = startNanos(event);
        long nanos = event.getDuration().toNanos();
        boolean collection = start <= pauseStart && pauseEnd <= start + nanos && pauseEnd > pauseStart;
        if (event.getBoolean("safepoint") && !collection) {
            add(EventKind.SAFEPOINT, start, nanos, event.getString("operation"));
        }
    }

    private void reached(RecordedEvent event) {
        add(EventKind.SAFEPOINT, startNanos(event), event.getDuration().toNanos(), "until all threads had stopped");
    }

    private void compiled(RecordedEvent event) {
        RecordedMethod method = event.getValue("method");
        String name = method == null ? "" : method.getType().getName() + "." + method.getName();
        add(EventKind.COMPILATION, startNanos(event), event.getDuration().toNanos(), name);
    }

    private void add(EventKind kind, long start, long nanos, @Nullable String detail) {
        store.add(Event.of(kind, start, nanos, detail == null ? "" : detail));
    }

    @Override
    public void close() {
        stream.close();
        removeEmptyDirectory();
    }

    /** The JVM's own shutdown hook removes it too, unless the process is halted before it comes to that. */
    private void removeEmptyDirectory() {
        String ownEnd = "_" + ProcessHandle.current().pid();
        try (DirectoryStream<Path> ours = Files.newDirectoryStream(directory, "20??_??_??_??_??_??" + ownEnd)) {
            for (Path empty : ours) {
                Files.delete(empty); // fails if it is not empty, as it must
            }
        } catch (IOException e) {
            // Someone else still records, or it is gone already.
        }
    }
}
