package io.plog.client;

import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request on its way to its acknowledgement, with what its transmissions came to so far. For the client's thread. */
final class Call {
    final long number;
    final ByteBuffer payload;
    final long deadlineNanos;
    final CompletableFuture<Reply> reply = new CompletableFuture<>();

    final String targetName;

    /** How long the payloads of all earlier calls of the client are. */
    long bytesBefore;

    /** How often it was sent. Distinguishes the outcome of the current transmission from that of one that was given up. */
    int transmissions;

    /** How many transmissions in a row came to nothing. */
    int fruitless;

    /** Whether one of the transmissions that are over may have been executed. */
    boolean unknown;

    /** When the current transmission left. */
    long sentNanos;

    @Nullable
    RpcException lastFailure;

    Runnable deadlineTimer = () -> {};
    Runnable pauseTimer = () -> {};

    Call(String targetName, long number, ByteBuffer payload, long deadlineNanos) {
        this.targetName = targetName;
        this.number = number;
        this.payload = payload;
        this.deadlineNanos = deadlineNanos;
    }

    /** The target's id on this server, or -1 if it has no target of the name. Ids may be others after a restart. */
    int targetOn(Welcome welcome) {
        for (TargetDescription target : welcome.targets()) {
            if (target.name().equals(targetName)) {
                return target.id();
            }
        }
        return -1;
    }
}
