package io.plog.server.http;

import io.netty.buffer.ByteBuf;
import io.plog.protocol.ReplyHeader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes the heads of responses, and whole ones that are text. Writes bytes only: no strings are made for an answer. */
public final class HttpResponses {
    /** Every head is shorter than this. */
    public static final int MAX_HEAD_BYTES = 640;

    /** Most are not longer than this. */
    static final int USUAL_HEAD_BYTES = 384;

    private static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");
    private static final byte[] DATE = ascii("Date: ");
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n");
    private static final byte[] CONTENT_TYPE = ascii("Content-Type: ");
    private static final byte[] BYTES = ascii("Content-Type: application/octet-stream\r\n");
    private static final byte[] CONTENT_LENGTH = ascii("Content-Length: ");
    private static final byte[] INDEX = ascii("Plog-Index: ");
    private static final byte[] BATCH = ascii("Plog-Batch: ");
    private static final byte[] STATUS = ascii("Plog-Status: ");
    private static final byte[] REPLAYED = ascii("Idempotency-Replayed: true\r\n");
    private static final byte[] NOT_REPLAYED = ascii("Idempotency-Replayed: false\r\n");
    private static final byte[] RETRY_AFTER = ascii("Retry-After: ");
    private static final byte[] BEARER = ascii("WWW-Authenticate: Bearer\r\n");
    private static final byte[] ALLOW = ascii("Allow: ");
    private static final byte[] SERVER_TIMING = ascii("Server-Timing: ");
    private static final byte[] WAITING = ascii("waiting;dur=");
    private static final byte[] BATCH_WAIT = ascii(", batch;dur=");
    private static final byte[] WRITE = ascii(", write;dur=");
    private static final byte[] FORCE = ascii(", force;dur=");
    private static final byte[] EXECUTION = ascii(", exec;dur=");
    private static final byte[] ONLY_EXECUTION = ascii("exec;dur=");
    private static final byte[] TOTAL = ascii(", total;dur=");

    private static final DateTimeFormatter DATE_FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final int NANOS_PER_MILLI_DIGITS = 6;

    /** A second and how a response says it. */
    private static final class Date {
        final long second;
        final byte[] text;

        Date(long second) {
            this.second = second;
            this.text = ascii(DATE_FORMAT.format(Instant.ofEpochSecond(second)));
        }
    }

    private static volatile Date date = new Date(0);

    private HttpResponses() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static void writeContinue(ByteBuf out) {
        out.writeBytes(CONTINUE);
    }

    /**
     * Writes the head of the answer that a reply gives; its payload is to follow.
     *
     * @param reply a frame of status OK
     * @param totalNanos from the request's last byte until now; the reply's own residence ends before its turn has come
     * @param memory what {@link #memory} made
     */
    static void writeHead(ByteBuf out, HttpExchange exchange, ByteBuf reply, long totalNanos, byte[] memory) {
        begin(out, exchange, HttpStatus.OK);
        out.writeBytes(BYTES).writeBytes(CONTENT_LENGTH);
        number(out, reply.readableBytes() - ReplyHeader.BYTES);
        endLine(out);
        out.writeBytes(SERVER_TIMING);
        long index = ReplyHeader.logIndex(reply);
        if (index != 0) {
            millis(out, WAITING, ReplyHeader.waitingNanos(reply));
            millis(out, BATCH_WAIT, ReplyHeader.batchWaitNanos(reply));
            millis(out, WRITE, ReplyHeader.writeNanos(reply));
            millis(out, FORCE, ReplyHeader.forceNanos(reply));
        }
        millis(out, index != 0 ? EXECUTION : ONLY_EXECUTION, ReplyHeader.executionNanos(reply));
        millis(out, TOTAL, totalNanos);
        endLine(out);
        if (index != 0) {
            out.writeBytes(INDEX);
            number(out, index);
            endLine(out);
            out.writeBytes(BATCH);
            number(out, ReplyHeader.batchRecords(reply));
            endLine(out);
        }
        if (exchange.isIdentified) {
            // A record that was made durable shared its force with one record at least: itself.
            out.writeBytes(ReplyHeader.batchRecords(reply) == 0 ? REPLAYED : NOT_REPLAYED);
            out.writeBytes(memory);
        }
        endLine(out);
    }

    /** The field that says how many clients are remembered, and how many seconds each at least. */
    static byte[] memory(int clients, String seconds) {
        return ascii("Plog-Memory: clients=" + clients + ", seconds=" + seconds + "\r\n");
    }

    /** Writes an answer that is text. */
    public static void writeText(ByteBuf out, HttpExchange exchange, HttpStatus status) {
        byte[] body = exchange.text.getBytes(StandardCharsets.UTF_8);
        begin(out, exchange, status);
        out.writeBytes(CONTENT_TYPE);
        text(out, exchange.contentType);
        out.writeBytes(CONTENT_LENGTH);
        number(out, body.length);
        endLine(out);
        if (status == HttpStatus.UNAUTHORIZED) {
            out.writeBytes(BEARER);
        }
        if (exchange.allow != null) {
            out.writeBytes(ALLOW);
            text(out, exchange.allow);
        }
        if (exchange.retryAfterSeconds > 0) {
            out.writeBytes(RETRY_AFTER);
            number(out, exchange.retryAfterSeconds);
            endLine(out);
        }
        if (exchange.serverStatus != null) {
            out.writeBytes(STATUS);
            text(out, exchange.serverStatus);
        }
        endLine(out);
        if (!exchange.isHead) {
            out.writeBytes(body);
        }
    }

    /** Writes a refusal that ends the connection, to a client that speaks without TLS, or with it and should not. */
    public static void writeRefusal(ByteBuf out, String sentence) {
        HttpExchange refused = new HttpExchange(0, 0, false, false, false);
        refused.closes = true;
        refused.refuse(HttpStatus.BAD_REQUEST, sentence);
        writeText(out, refused, HttpStatus.BAD_REQUEST);
    }

    private static void begin(ByteBuf out, HttpExchange exchange, HttpStatus status) {
        out.writeBytes(status.line()).writeBytes(DATE).writeBytes(now());
        endLine(out);
        if (exchange.closes) {
            out.writeBytes(CLOSE);
        } else if (exchange.isVersion10) {
            out.writeBytes(KEEP_ALIVE);
        }
    }

    private static byte[] now() {
        long second = System.currentTimeMillis() / 1_000;
        Date current = date;
        if (current.second != second) {
            current = new Date(second);
            date = current;
        }
        return current.text;
    }

    private static void endLine(ByteBuf out) {
        out.writeByte('\r').writeByte('\n');
    }

    /** A word of our own, and the end of its line. */
    private static void text(ByteBuf out, String word) {
        out.writeCharSequence(word, StandardCharsets.US_ASCII);
        endLine(out);
    }

    /** Milliseconds to the nanosecond. */
    private static void millis(ByteBuf out, byte[] name, long nanos) {
        out.writeBytes(name);
        number(out, nanos / 1_000_000);
        out.writeByte('.');
        digits(out, nanos % 1_000_000, NANOS_PER_MILLI_DIGITS);
    }

    private static void number(ByteBuf out, long value) {
        int digits = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            digits++;
        }
        digits(out, value, digits);
    }

    private static void digits(ByteBuf out, long value, int digits) {
        int end = out.writerIndex() + digits;
        out.ensureWritable(digits);
        long rest = value;
        for (int at = end - 1; at >= end - digits; at--) {
            out.setByte(at, (int) ('0' + rest % 10));
            rest /= 10;
        }
        out.writerIndex(end);
    }
}
