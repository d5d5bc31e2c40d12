package io.plog.measure;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.client.WrongReplyException;
import io.plog.protocol.Printable;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The replies that come over one connection of HTTP/1.1, one at a time: finds the end of each, and makes it a frame, as a plog server
 * would have answered. Of a body only the beginning is kept, to be shown if the reply is a refusal.
 *
 * <p>For one thread. A reply without a refusal allocates nothing.
 */
public final class HttpReply {
    /** The longest line, and the most lines: no service that means well has more. */
    private static final int LONGEST_LINE = 16 << 10;

    private static final int MOST_LINES = 256;
    private static final int KEPT_BYTES = 300;
    private static final long UNTIL_CLOSE = -1;

    private enum Part {
        STATUS,
        HEADERS,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS,
        WHOLE
    }

    private final ByteBuf request = Unpooled.buffer(RequestHeader.BYTES);
    private final ByteBuf line = Unpooled.buffer(256);
    private final ByteBuf kept = Unpooled.buffer(KEPT_BYTES);
    private Part part = Part.WHOLE;
    private int payloadBytes;
    private int lines;
    private int code;
    private String reason = "";
    private String location = "";
    private Duration retryAfter = Duration.ofSeconds(1);
    private boolean last;
    private boolean chunked;
    private long left;

    /** A request is sent: what comes next is its reply. */
    public void begin(ByteBuf frame, int withPayloadBytes) {
        frame.getBytes(frame.readerIndex(), request.clear(), RequestHeader.BYTES);
        payloadBytes = withPayloadBytes;
        kept.clear();
        location = "";
        retryAfter = Duration.ofSeconds(1);
        last = false;
        lines = 0;
        beginStatus();
    }

    private void beginStatus() {
        line.clear();
        chunked = false;
        left = UNTIL_CLOSE;
        part = Part.STATUS;
    }

    /** Whether no reply is expected now. */
    public boolean isWhole() {
        return part == Part.WHOLE;
    }

    /** Whether the service closes the connection after this reply. */
    public boolean isLast() {
        return last;
    }

    /**
     * Takes what has come.
     *
     * @throws WrongReplyException if it is no reply in HTTP
     */
    public void read(ByteBuf from) throws WrongReplyException {
        while (from.isReadable() && part != Part.WHOLE) {
            switch (part) {
                case BODY, CHUNK -> body(from);
                default -> {
                    int end = from.bytesBefore((byte) '\n');
                    int bytes = end < 0 ? from.readableBytes() : end + 1;
                    if (line.readableBytes() + bytes > LONGEST_LINE || lines > MOST_LINES) {
                        throw notHttp("a line of more than " + LONGEST_LINE + " bytes, or too many lines");
                    }
                    line.writeBytes(from, bytes);
                    if (part == Part.STATUS && line.getByte(0) != 'H') {
                        throw notHttp(text());
                    }
                    if (end >= 0) {
                        lines++;
                        line();
                        line.clear();
                    }
                }
            }
        }
        if (from.isReadable()) {
            throw notHttp("more than one reply to one request");
        }
    }

    /** Whether the reply is whole now that the service has closed the connection. */
    public boolean isWholeAtClose() {
        last = true;
        boolean whole = part == Part.WHOLE || (part == Part.BODY && left == UNTIL_CLOSE);
        part = whole ? Part.WHOLE : part;
        return whole;
    }

    private void body(ByteBuf from) {
        int bytes = left == UNTIL_CLOSE ? from.readableBytes() : (int) Math.min(left, from.readableBytes());
        if (!isOk() && kept.readableBytes() < KEPT_BYTES) {
            from.getBytes(from.readerIndex(), kept, Math.min(bytes, KEPT_BYTES - kept.readableBytes()));
        }
        from.skipBytes(bytes);
        if (left != UNTIL_CLOSE) {
            left -= bytes;
            if (left == 0) {
                part = part == Part.CHUNK ? Part.CHUNK_END : Part.WHOLE;
            }
        }
    }

    private void line() throws WrongReplyException {
        int end = line.readableBytes() - 1;
        boolean empty = end == 0 || (end == 1 && line.getByte(0) == '\r');
        switch (part) {
            case STATUS -> status();
            case HEADERS -> {
                if (empty) {
                    endOfHeaders();
                } else {
                    header();
                }
            }
            case CHUNK_SIZE -> {
                left = number(0, 16);
                part = left == 0 ? Part.TRAILERS : Part.CHUNK;
            }
            case CHUNK_END -> part = Part.CHUNK_SIZE;
            default -> part = empty ? Part.WHOLE : part;
        }
    }

    private void status() throws WrongReplyException {
        boolean modern = startsWith("http/1.1 ");
        if (!modern && !startsWith("http/1.0 ")) {
            throw notHttp(text());
        }
        code = (int) number("HTTP/1.1 ".length(), 10);
        last = !modern;
        reason = isOk() ? "" : text().substring("HTTP/1.1 ".length());
        part = Part.HEADERS;
    }

    private void header() throws WrongReplyException {
        if (startsWith("content-length:")) {
            left = number("content-length:".length(), 10);
        } else if (startsWith("transfer-encoding:")) {
            chunked = text().toLowerCase(Locale.ROOT).endsWith("chunked");
        } else if (startsWith("connection:")) {
            String value = text().toLowerCase(Locale.ROOT);
            last = value.contains("close") || (last && !value.contains("keep-alive"));
        } else if (!isOk() && startsWith("location:")) {
            location = text().substring("location:".length()).strip();
        } else if (!isOk() && startsWith("retry-after:")) {
            String seconds = text().substring("retry-after:".length()).strip(); // or a date
            retryAfter = Duration.ofSeconds(seconds.matches("[1-9][0-9]{0,5}") ? Integer.parseInt(seconds) : 1);
        }
    }

    private void endOfHeaders() {
        if (code < 200) {
            beginStatus(); // an interim reply, such as 100 Continue
        } else if (code == 204 || code == 304 || (left == 0 && !chunked)) {
            part = Part.WHOLE;
        } else {
            part = chunked ? Part.CHUNK_SIZE : Part.BODY;
        }
    }

    private boolean startsWith(String lowerCase) {
        if (line.readableBytes() < lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            byte found = line.getByte(i);
            if (found != lowerCase.charAt(i) && (found < 'A' || found > 'Z' || found + 32 != lowerCase.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private long number(int at, int radix) throws WrongReplyException {
        int i = at;
        while (line.getByte(i) == ' ' || line.getByte(i) == '\t') {
            i++;
        }
        long number = 0;
        int first = i;
        for (int digit = digit(i, radix); digit >= 0 && number <= Integer.MAX_VALUE; digit = digit(++i, radix)) {
            number = number * radix + digit;
        }
        if (i == first || number > Integer.MAX_VALUE) {
            throw notHttp(text());
        }
        return number;
    }

    private int digit(int at, int radix) {
        return Character.digit(line.getByte(at), radix);
    }

    private String text() {
        return Printable.of(
                line.toString(StandardCharsets.ISO_8859_1).replace('\t', ' ').strip());
    }

    private static WrongReplyException notHttp(String found) {
        return new WrongReplyException("expected a reply in HTTP/1.1, found '" + found + "'");
    }

    private boolean isOk() {
        return code / 100 == 2;
    }

    /**
     * The reply as a frame. Its durations are 0, since the service tells none. Of one that is no refusal, only the header is written:
     * the bytes behind it mean nothing. A 429 and a 503 count as {@link Status#OVERLOADED}; other refusals keep their number.
     *
     * @param to taken over if it is a refusal
     * @return the same, or the frame of a refusal
     */
    public ByteBuf write(ByteBuf to) {
        ReplyHeader.begin(to, request);
        if (isOk()) {
            return to;
        }
        ByteBuf refusal = ReplyHeader.refusal(to, Status.OVERLOADED, sentence());
        return code == 429 || code == 503 ? refusal : ReplyHeader.setStatus(refusal, code);
    }

    /** After what time to try again, as a refusal says it; a second if it says nothing. */
    Duration retryAfter() {
        return retryAfter;
    }

    /** How long the payload of the request was. */
    public int payloadBytes() {
        return payloadBytes;
    }

    private String sentence() {
        String body = kept.toString(StandardCharsets.UTF_8).strip();
        @Nullable
        String first = body.startsWith("<") ? null : body.lines().findFirst().orElse(null);
        return reason
                + (location.isEmpty() ? "" : ", a redirection to " + location + ": name that URL")
                + (first == null ? "" : ": " + first);
    }
}
