package io.plog.server;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * What a target does with its requests. It must be <em>deterministic</em>: the answers and the state follow from the
 * requests and their order alone, not from the time, chance, or anything else outside, because after a restart the state
 * is made again by executing the log's records once more.
 *
 * <p>A service with state is used by one thread at a time, in log order, and sees a request only when it is durable: its state
 * never holds what is not in the log. A stateless one may be executed by several threads at once, before or after the
 * request is durable, and again when it is repeated.
 */
public interface Service {
    /**
     * Names the service in the WELCOME and in its checkpoints: one that was made by a service of another name is refused.
     */
    String name();

    /** Whether an answer is a function of its request alone. Always the same. */
    boolean isStateless();

    /**
     * Executes a request: writes an answer of {@code length} bytes. Moves no index, changes nothing else of either buffer,
     * keeps neither.
     *
     * <p>Whatever it throws fails the target for good, since the state may be half changed; so a request that makes no sense
     * needs an answer that says so.
     *
     * @param request holds the payload at {@code from}
     * @param reply takes the answer at {@code to}; what stands there before is undefined
     * @param length of both, 0 or more
     */
    void execute(ByteBuf request, int from, ByteBuf reply, int to, int length);

    /**
     * The state as it is now. Requests wait meanwhile, so this takes no more than what must not change any more (a shallow
     * copy); the snapshot is encoded on another thread, while requests are executed.
     */
    Snapshot snapshot();

    /**
     * Replaces the state by one that {@link Snapshot#encode} gave, maybe in another process. Called before any request.
     *
     * @throws IllegalArgumentException if it is not such a state
     */
    void restore(ByteBuffer state);

    /** A state that does not change any more. */
    @FunctionalInterface
    interface Snapshot {
        /** The state as bytes, from the buffer's position to its limit. */
        ByteBuffer encode();
    }
}
