package io.plog.server.targets;

import io.plog.log.Append;
import io.plog.log.DurableLog;
import io.plog.log.Outcomes;
import io.plog.log.storage.LogException;
import io.plog.server.monitoring.ServerNotices;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A log that makes records durable when a test says so, on the test's thread, which plays the log's thread. It keeps what
 * the buffers hold at that moment, since that is what a device would have got.
 */
public class FakeLog implements RecordLog {
    /** @param reported let go once the outcome was reported */
    private record Waiting(Append append, List<ByteBuffer> record, CountDownLatch reported) {}

    private final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();
    private final List<byte[]> durable = new ArrayList<>();
    private volatile @Nullable LogException refusal;
    private volatile @Nullable IOException checkpointFailure;
    private volatile boolean closed;
    private volatile boolean over;
    private volatile long stalledNanos;
    private volatile long callbackNanos;
    private volatile @Nullable String tooLongWait;
    private volatile boolean healthy = true;
    private final LogSpace space = new LogSpace(
            "disk", "/srv/disk", false, new ServerNotices(OutputStream.nullOutputStream(), () -> 0), () -> 0);

    /** From now on every append is refused at once, on the caller's thread; with {@code null}, none is any more. */
    public void refuse(@Nullable LogException cause) {
        refusal = cause;
    }

    public void fail() {
        healthy = false;
    }

    /** Whether it has space for the next segment. */
    public LogSpace space() {
        return space;
    }

    /** Of a log only what appends; nothing else is asked of it. */
    @Override
    public DurableLog records() {
        Class<?>[] type = {DurableLog.class};
        return (DurableLog) Proxy.newProxyInstance(
                type[0].getClassLoader(),
                type,
                (proxy, method, arguments) -> FakeLog.class
                        .getMethod(method.getName(), method.getParameterTypes())
                        .invoke(this, arguments));
    }

    public void append(Append append, ByteBuffer... record) {
        take(append, record);
    }

    /** Waits until a test has reported the outcome, as a real log's caller is with the disk until then. */
    public void appendAndWait(Append append, ByteBuffer... record) throws InterruptedException {
        if (over) {
            Outcomes.failed(append, Outcomes.closed());
            return;
        }
        take(append, record).await();
    }

    private CountDownLatch take(Append append, ByteBuffer... record) {
        LogException cause = refusal;
        if (cause != null) {
            Outcomes.failed(append, cause);
            return new CountDownLatch(0);
        }
        Outcomes.taken(append, record);
        Waiting appended = new Waiting(append, List.of(record), new CountDownLatch(1));
        synchronized (waiting) {
            waiting.add(appended);
            waiting.notifyAll();
        }
        return appended.reported;
    }

    /** Waits until so many records were appended and wait for what becomes of them. */
    public void awaitAppended(int records) throws InterruptedException {
        synchronized (waiting) {
            while (waiting.size() < records) {
                waiting.wait();
            }
        }
    }

    /** Waits until this many records were appended, and makes them durable as one batch. */
    public void makeDurable(int records) throws InterruptedException {
        List<Waiting> batch = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            batch.add(take());
        }
        for (Waiting each : batch) {
            durable.add(bytes(each.record));
            Outcomes.durable(each.append, durable.size(), records);
            each.reported.countDown();
        }
    }

    /** Waits for one record, and lets it fail. */
    public void fail(LogException cause) throws InterruptedException {
        Waiting each = take();
        Outcomes.failed(each.append, cause);
        each.reported.countDown();
    }

    private Waiting take() throws InterruptedException {
        Waiting next = waiting.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was appended");
        }
        return next;
    }

    /** What a reader of the log would find. */
    public List<byte[]> durable() {
        return durable;
    }

    public boolean isClosed() {
        return closed;
    }

    public int queuedRecords() {
        return waiting.size();
    }

    /** Pretends that a force has been under way for so long. */
    public void stall(long nanos) {
        stalledNanos = nanos;
    }

    @Override
    public @Nullable String tooLongWait() {
        return tooLongWait;
    }

    /** From now on it says that a record had to wait too long; with {@code null}, no more. */
    public void tellTooLongWait(@Nullable String sentence) {
        tooLongWait = sentence;
    }

    /** Pretends that the service has been executing a record for so long. */
    public void executeFor(long nanos) {
        callbackNanos = nanos;
    }

    @Override
    public long stalledNanos() {
        return stalledNanos;
    }

    @Override
    public long callbackNanos() {
        return callbackNanos;
    }

    @Override
    public void refusedForSpace() {
        space.refused();
    }

    @Override
    public @Nullable String problem() {
        return healthy ? space.problem() : "the log of target disk failed; restart the server";
    }

    /** Makes the next checkpoints fail, or not. */
    public void failCheckpoints(@Nullable IOException cause) {
        checkpointFailure = cause;
    }

    @Override
    public CheckpointReport checkpoint() throws IOException {
        IOException cause = checkpointFailure;
        if (cause != null) {
            throw cause;
        }
        return new CheckpointReport(durable.size(), 12, 1);
    }

    /** Closes it for good: threads that wait for what no test makes durable any more go on. */
    public void end() {
        over = true;
        close();
    }

    @Override
    public void close() {
        closed = true;
        for (Waiting each = waiting.poll(); each != null; each = waiting.poll()) {
            durable.add(bytes(each.record));
            Outcomes.durable(each.append, durable.size(), 1);
            each.reported.countDown();
        }
    }

    private static byte[] bytes(List<ByteBuffer> parts) {
        int length = 0;
        for (ByteBuffer part : parts) {
            length += part.remaining();
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (ByteBuffer part : parts) {
            all.put(part.duplicate());
        }
        return all.array();
    }
}
