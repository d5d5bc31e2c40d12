package io.plog.server.state;

import io.plog.log.Append;
import io.plog.log.storage.LogException;
import io.plog.protocol.Status;
import io.plog.server.service.Service;
import org.jspecify.annotations.Nullable;

/**
 * A client's request on its way through a target's log, as its state machine sees it. One object is the log's node,
 * the node of what is in flight, and the outcome.
 *
 * <p>After it was admitted its outcome is reported once, by one of {@link #answered}, {@link #repeated} and
 * {@link #refused}: on the log's thread, or on the caller's.
 */
public abstract class LoggedRequest extends Append {
    private final TargetState owner;
    private final long client;
    private final long number;

    // Guarded by the session's monitor while this is in flight.
    @Nullable
    LoggedRequest nextInBucket;

    @Nullable
    LoggedRequest repeats; // of this request, the newest first, linked by nextRepeat

    @Nullable
    LoggedRequest nextRepeat;

    /** Set when this is admitted or attached. */
    @Nullable
    Session session;

    /** Of a repeat only, computed when it was found to be one; the log knows that of the others. */
    int repeatCrc;

    public LoggedRequest(TargetState owner, long client, long number) {
        this.owner = owner;
        this.client = client;
        this.number = number;
    }

    final long client() {
        return client;
    }

    final long number() {
        return number;
    }

    protected abstract int payloadBytes();

    /** Computes the CRC-32C of the record, for a request that is not logged itself. */
    protected abstract int recordCrc();

    /** Executes the request into its reply. Asked of a service with state, on the log's thread, before {@link #answered}. */
    protected abstract void execute(Service service);

    /** A copy of the answer in its reply. */
    protected abstract byte[] copyOfAnswer();

    /** It is durable, and executed unless the service is stateless. */
    protected abstract void answered();

    /** It was logged before, with this answer. */
    protected abstract void repeated(RecordedAnswer answer);

    /** It was not acknowledged, for this reason. */
    protected abstract void refused(Status status, String sentence);

    @Override
    protected final void onDurable() {
        owner.durable(this);
    }

    @Override
    protected final void onFailed(LogException cause) {
        owner.failed(this, cause);
    }
}
