package io.plog.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelPromise;
import org.jspecify.annotations.Nullable;

/** A request of the HTTP or the admin port and its answer, from the end of its head until the answer is written. Event loop only. */
public final class HttpExchange {
    public static final String TEXT = "text/plain; charset=utf-8";
    public static final String JSON = "application/json";

    /** After how many seconds a refused request may be tried again; 0 for no such header field. */
    public int retryAfterSeconds;

    /** As client and number in the log. */
    final long client;

    final long number;

    /** Whether its header fields say client and number, so that it may be sent again. */
    final boolean isIdentified;

    final boolean isHead;
    final boolean isVersion10;

    /** Whether the connection ends after the answer. */
    public boolean closes;

    /** Whether its body is still to come. */
    boolean isReceiving = true;

    /** When its last byte was read. */
    long receivedNanos;

    /** Whether the client waits for leave to send the body. */
    boolean awaitsContinue;

    /** The request's frame: being filled, or held back until the one before with the same identity is answered. */
    @Nullable
    ByteBuf frame;

    boolean isParked;

    /** Handed over, and its reply is to come. */
    boolean isWaiting;

    /** The answer: its status, and either the reply's frame or a text. */
    public @Nullable HttpStatus status;

    @Nullable
    ByteBuf reply;

    public String text = "";
    public String contentType = TEXT;

    /** Further header fields of an answer that is text, each line with its end. */
    public String fields = "";

    /** The methods that would have been allowed, for the answer that says so. */
    public @Nullable String allow;

    /** The name of the server's own status, if it refused the request. */
    @Nullable
    String serverStatus;

    /** Called when the answer is written, if set. */
    @Nullable
    ChannelPromise written;

    public HttpExchange(long client, long number, boolean isIdentified, boolean isHead, boolean isVersion10) {
        this.client = client;
        this.number = number;
        this.isIdentified = isIdentified;
        this.isHead = isHead;
        this.isVersion10 = isVersion10;
    }

    public void say(HttpStatus how, String sentence) {
        status = how;
        text = sentence + "\n";
    }

    /** Bytes of buffers that it holds. */
    int bytes() {
        return (frame == null ? 0 : frame.readableBytes()) + (reply == null ? 0 : reply.readableBytes());
    }

    void release() {
        if (frame != null) {
            frame.release();
            frame = null;
        }
        if (reply != null) {
            reply.release();
            reply = null;
        }
    }
}
