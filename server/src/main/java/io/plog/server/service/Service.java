package io.plog.server.service;

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
     * Whether a logged request is executed only when it is durable. Always the same. A service with state must say so; a
     * stateless one is as a rule executed while the log writes and forces.
     */
    default boolean executesAfterForce() {
        return !isStateless();
    }

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
     * Whether there are requests that may be executed without being logged: see {@link #mayRead}. Always the same.
     */
    default boolean takesReads() {
        return isStateless();
    }

    /**
     * Whether this request, which its client flagged as <em>read-only</em>, may be executed without being logged, because it
     * changes nothing. A function of the request alone: any thread may ask, several at once, and none holds a lock. Moves no
     * index, changes nothing, keeps nothing.
     *
     * @param request holds the payload at {@code from}
     * @param length 0 or more
     */
    default boolean mayRead(ByteBuf request, int from, int length) {
        return takesReads();
    }

    /**
     * Executes a request that {@link #mayRead}, as {@link #execute} does, but changes no state: it is not logged, not
     * executed again after a restart, and executed again when it is repeated. A stateless service may be asked by several
     * threads at once. One with state is asked under the lock under which requests are executed, so it sees the state
     * between two of them, in which everything is durable; it must be brief, since they wait meanwhile.
     *
     * <p>What stands here is right for a stateless service only; one with state that {@link #takesReads} writes its own.
     */
    default void read(ByteBuf request, int from, ByteBuf reply, int to, int length) {
        execute(request, from, reply, to, length);
    }

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

    @FunctionalInterface
    interface Snapshot {
        /** The state as bytes, from the buffer's position to its limit. */
        ByteBuffer encode();
    }
}
