package io.plog.server.http;

import io.netty.buffer.ByteBuf;
import io.plog.protocol.ReplyHeader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes the heads of responses, and whole ones that are text. */
public final class HttpResponses {
    /** Every head is shorter than this. */
    public static final int MAX_HEAD_BYTES = 640;

    /** Most are not longer than this. */
    static final int USUAL_HEAD_BYTES = 384;

    private static final String END = "\r\n";

    private static final DateTimeFormatter DATE_FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** A second and how a response says it. */
    private record Date(long second, String text) {}

    private static volatile Date date = new Date(0, "");

    private HttpResponses() {}

    static void writeContinue(ByteBuf out) {
        write(out, "HTTP/1.1 100 Continue\r\n\r\n");
    }

    /**
     * Writes the head of the answer that a reply gives; its payload is to follow.
     *
     * @param reply a frame of status OK
     * @param totalNanos from the request's last byte until now; the reply's own residence ends before its turn has come
     * @param memory how long clients are remembered
     */
    static void writeHead(ByteBuf out, HttpExchange exchange, ByteBuf reply, long totalNanos, String memory) {
        StringBuilder head = begin(exchange, HttpStatus.OK);
        field(head, "Content-Type", "application/octet-stream");
        field(head, "Content-Length", reply.readableBytes() - ReplyHeader.BYTES);
        long index = ReplyHeader.logIndex(reply);
        head.append("Server-Timing: ");
        if (index != 0) {
            millis(head, "waiting", ReplyHeader.waitingNanos(reply)).append(", ");
            millis(head, "batch", ReplyHeader.batchWaitNanos(reply)).append(", ");
            millis(head, "write", ReplyHeader.writeNanos(reply)).append(", ");
            millis(head, "force", ReplyHeader.forceNanos(reply)).append(", ");
        }
        millis(head, "exec", ReplyHeader.executionNanos(reply)).append(", ");
        millis(head, "total", totalNanos).append(END);
        if (index != 0) {
            field(head, "Plog-Index", index);
            field(head, "Plog-Batch", ReplyHeader.batchRecords(reply));
        }
        if (exchange.isIdentified) {
            // A record that was made durable shared its force with one record at least: itself.
            field(head, "Idempotency-Replayed", ReplyHeader.batchRecords(reply) == 0 ? "true" : "false");
            field(head, "Plog-Memory", memory);
        }
        write(out, head.append(END));
    }

    public static void writeText(ByteBuf out, HttpExchange exchange, HttpStatus status) {
        byte[] body = exchange.text.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = begin(exchange, status);
        field(head, "Content-Type", exchange.contentType);
        field(head, "Content-Length", body.length);
        if (status == HttpStatus.UNAUTHORIZED) {
            field(head, "WWW-Authenticate", "Bearer");
        }
        if (exchange.allow != null) {
            field(head, "Allow", exchange.allow);
        }
        if (exchange.retryAfterSeconds > 0) {
            field(head, "Retry-After", exchange.retryAfterSeconds);
        }
        if (exchange.serverStatus != null) {
            field(head, "Plog-Status", exchange.serverStatus);
        }
        write(out, head.append(exchange.fields).append(END));
        if (!exchange.isHead) {
            out.writeBytes(body);
        }
    }

    /** Writes a refusal that ends the connection, to a client that speaks without TLS, or with it and should not. */
    public static void writeRefusal(ByteBuf out, String sentence) {
        HttpExchange refused = new HttpExchange(0, 0, false, false, false);
        refused.closes = true;
        refused.say(HttpStatus.BAD_REQUEST, sentence);
        writeText(out, refused, HttpStatus.BAD_REQUEST);
    }

    private static StringBuilder begin(HttpExchange exchange, HttpStatus status) {
        StringBuilder head = new StringBuilder(USUAL_HEAD_BYTES).append(status.line());
        field(head, "Date", now());
        if (exchange.closes) {
            field(head, "Connection", "close");
        } else if (exchange.isVersion10) {
            field(head, "Connection", "keep-alive");
        }
        return head;
    }

    private static String now() {
        long second = System.currentTimeMillis() / 1_000;
        Date current = date;
        if (current.second != second) {
            current = new Date(second, DATE_FORMAT.format(Instant.ofEpochSecond(second)));
            date = current;
        }
        return current.text;
    }

    private static void field(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append(END);
    }

    private static void field(StringBuilder head, String name, long value) {
        head.append(name).append(": ").append(value).append(END);
    }

    /** Milliseconds to the nanosecond. */
    private static StringBuilder millis(StringBuilder head, String name, long nanos) {
        head.append(name).append(";dur=").append(nanos / 1_000_000).append('.');
        long fraction = nanos % 1_000_000;
        for (long unit = 100_000; unit > fraction && unit > 1; unit /= 10) {
            head.append('0');
        }
        return head.append(fraction);
    }

    private static void write(ByteBuf out, CharSequence head) {
        out.writeCharSequence(head, StandardCharsets.US_ASCII);
    }
}
