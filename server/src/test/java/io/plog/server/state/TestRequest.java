package io.plog.server.state;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.log.Outcomes;
import io.plog.protocol.RequestRecord;
import io.plog.protocol.Status;
import io.plog.server.service.Service;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A request without a connection, which notes what is reported to it. The outcome may be read once it {@link #isOver}. */
public class TestRequest extends LoggedRequest {
    private final TargetState state;
    private final byte[] record;
    private final byte[] reply;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable Status status;
    private @Nullable String sentence;
    private long answerIndex;
    private boolean repeat;

    public TestRequest(TargetState state, long client, long number, byte[] payload) {
        super(state, client, number);
        this.state = state;
        record = record(client, number, payload);
        reply = new byte[payload.length];
    }

    public static byte[] record(long client, long number, byte[] payload) {
        return ByteBuffer.allocate(RequestRecord.ENVELOPE_BYTES + payload.length)
                .put(0, (byte) RequestRecord.KIND)
                .putLong(8, client)
                .putLong(16, number)
                .put(24, payload)
                .array();
    }

    public ByteBuffer record() {
        return ByteBuffer.wrap(record);
    }

    /** Admits this, and makes it durable at this index if it is new. Says whether it was. */
    public boolean run(TargetState state, long index) {
        if (!state.admit(this)) {
            return false;
        }
        Outcomes.taken(this, record());
        Outcomes.durable(this, index, 1);
        return true;
    }

    /** Not to be asked once the outcome is reported: a request's buffer belongs to another one then. */
    @Override
    protected int payloadBytes() {
        reported();
        return reply.length;
    }

    @Override
    protected int recordCrc() {
        CRC32C crc = new CRC32C();
        crc.update(record);
        return (int) crc.getValue();
    }

    @Override
    protected void execute(Service service) {
        ByteBuf request = Unpooled.wrappedBuffer(record);
        service.execute(request, RequestRecord.ENVELOPE_BYTES, Unpooled.wrappedBuffer(reply), 0, reply.length);
    }

    @Override
    protected byte[] copyOfAnswer() {
        return reply.clone();
    }

    @Override
    protected void answered() {
        reported();
        if (state.isStateless()) {
            execute(state.service());
        }
        answerIndex = index();
        over(Status.OK);
    }

    @Override
    protected void repeated(RecordedAnswer answer) {
        reported();
        repeat = true;
        answerIndex = answer.index();
        byte[] bytes = answer.answer();
        if (bytes == null) {
            execute(state.service());
        } else {
            System.arraycopy(bytes, 0, reply, 0, bytes.length);
        }
        over(Status.OK);
    }

    @Override
    protected void refused(Status why, String text) {
        reported();
        sentence = text;
        over(why);
    }

    private void over(Status outcome) {
        status = outcome;
        over.countDown();
    }

    /** Waits until the outcome is reported. */
    public Status await() throws InterruptedException {
        if (!over.await(60, TimeUnit.SECONDS)) {
            throw new AssertionError("no outcome of request " + number() + " of client " + client());
        }
        return Objects.requireNonNull(status);
    }

    private void reported() {
        if (status != null) {
            throw new AssertionError("its outcome was reported");
        }
    }

    boolean isOver() {
        return status != null;
    }

    public @Nullable Status status() {
        return status;
    }

    public @Nullable String sentence() {
        return sentence;
    }

    /** The index in the log that its reply names. */
    public long answerIndex() {
        return answerIndex;
    }

    public boolean isRepeat() {
        return repeat;
    }

    public byte[] reply() {
        return reply;
    }
}
