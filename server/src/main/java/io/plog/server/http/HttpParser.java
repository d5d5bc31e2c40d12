package io.plog.server.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Cuts a stream of bytes into HTTP/1.1 requests. It takes what RFC 9112 says a client sends, and nothing that it says a server
 * might put up with: of two ways to read a request, one is an attack.
 *
 * <p>A body's bytes are passed on where they lie; only lines are copied, into a buffer that grows up to a line's limit. Event
 * loop only. After an {@link HttpException}, or after {@link #stop}, everything that follows is ignored.
 */
public final class HttpParser {
    /** Bytes of the longest request line, with its end. */
    static final int MAX_REQUEST_LINE_BYTES = 8_192;

    /** Bytes of all header fields of a request, trailers included, with their ends. */
    static final int MAX_FIELDS_BYTES = 16_384;

    private static final int MAX_CHUNK_LINE_BYTES = 256;
    private static final int MAX_CHUNK_DIGITS = 15;
    private static final int USUAL_LINE_BYTES = 256;

    /** Gets the requests, part by part. What it throws ends the stream. */
    public interface Receiver {
        /**
         * A request begins.
         *
         * @return how long its body may be if it comes in chunks; other lengths are the receiver's to check
         */
        int head(HttpHead head) throws HttpException;

        /** Takes {@code bytes} of the body from the reader index, and moves the index past them. */
        void body(ByteBuf in, int bytes) throws HttpException;

        void end() throws HttpException;
    }

    private enum State {
        REQUEST_LINE,
        FIELDS,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS
    }

    private final Receiver receiver;
    private final HttpHead head = new HttpHead();
    private State state = State.REQUEST_LINE;
    private byte[] line = new byte[USUAL_LINE_BYTES];
    private int lineBytes;
    private int fieldsBytes;
    private long bodyBytes; // of the body or the chunk, yet to come
    private long room; // for further chunks
    private boolean skippedLine;
    private boolean stopped;
    private long requests;

    public HttpParser(Receiver receiver) {
        this.receiver = receiver;
    }

    /** Whether a request has begun and not ended. */
    public boolean isMidRequest() {
        return !stopped && (state != State.REQUEST_LINE || lineBytes > 0);
    }

    /** How many whole requests there have been. */
    long requests() {
        return requests;
    }

    /** Ignores everything from here on. */
    public void stop() {
        stopped = true;
    }

    /** Takes all bytes of a read, and calls the receiver for each part of a request that they complete. */
    public void parse(ByteBuf in) throws HttpException {
        try {
            while (in.isReadable() && !stopped) {
                if (state == State.BODY || state == State.CHUNK) {
                    body(in);
                } else if (readLine(in)) {
                    String text = new String(line, 0, lineBytes, StandardCharsets.ISO_8859_1);
                    lineBytes = 0;
                    line(text);
                }
            }
        } catch (HttpException e) {
            stopped = true;
            throw e;
        }
    }

    private void body(ByteBuf in) throws HttpException {
        int bytes = (int) Math.min(bodyBytes, in.readableBytes());
        bodyBytes -= bytes;
        receiver.body(in, bytes);
        if (bodyBytes == 0 && state == State.BODY) {
            end();
        } else if (bodyBytes == 0) {
            state = State.CHUNK_END;
        }
    }

    /** Says whether a whole line is there; its end is cut off then. */
    private boolean readLine(ByteBuf in) throws HttpException {
        int end = in.indexOf(in.readerIndex(), in.writerIndex(), (byte) '\n');
        int bytes = end < 0 ? in.readableBytes() : end + 1 - in.readerIndex();
        if (bytes > limit() - lineBytes) {
            throw tooLong();
        }
        if (lineBytes + bytes > line.length) {
            byte[] larger = new byte[Math.max(2 * line.length, lineBytes + bytes)];
            System.arraycopy(line, 0, larger, 0, lineBytes);
            line = larger;
        }
        in.readBytes(line, lineBytes, bytes);
        lineBytes += bytes;
        if (end < 0) {
            return false;
        }
        if (state == State.FIELDS || state == State.TRAILERS) {
            fieldsBytes += lineBytes;
        }
        lineBytes -= 2;
        if (lineBytes < 0 || line[lineBytes] != '\r') {
            throw HttpException.malformed("a line that ends with LF alone: expected CR LF");
        }
        return true;
    }

    private int limit() {
        return switch (state) {
            case REQUEST_LINE -> MAX_REQUEST_LINE_BYTES;
            case FIELDS, TRAILERS -> MAX_FIELDS_BYTES - fieldsBytes;
            case CHUNK_SIZE -> MAX_CHUNK_LINE_BYTES;
            default -> 2;
        };
    }

    private HttpException tooLong() {
        return switch (state) {
            case REQUEST_LINE ->
                new HttpException(
                        HttpStatus.URI_TOO_LONG,
                        "a request line of more than " + MAX_REQUEST_LINE_BYTES + " bytes: expected at most that");
            case FIELDS, TRAILERS ->
                new HttpException(
                        HttpStatus.HEADERS_TOO_LARGE,
                        "header fields of more than " + MAX_FIELDS_BYTES + " bytes: expected at most that");
            case CHUNK_SIZE ->
                HttpException.malformed(
                        "a chunk's line of more than " + MAX_CHUNK_LINE_BYTES + " bytes: expected at most that");
            default -> HttpException.malformed("a chunk that is longer than its size says: expected CR LF behind it");
        };
    }

    private void line(String text) throws HttpException {
        switch (state) {
            case REQUEST_LINE -> requestLine(text);
            case FIELDS -> {
                if (text.isEmpty()) {
                    headIsWhole();
                } else {
                    head.field(text, false);
                }
            }
            case CHUNK_SIZE -> chunkSize(text);
            case CHUNK_END -> {
                if (!text.isEmpty()) {
                    throw tooLong();
                }
                state = State.CHUNK_SIZE;
            }
            case TRAILERS -> {
                if (text.isEmpty()) {
                    end();
                } else {
                    head.field(text, true);
                }
            }
            default -> throw new IllegalStateException("no line is expected in " + state);
        }
    }

    private void requestLine(String text) throws HttpException {
        if (text.isEmpty() && !skippedLine) {
            skippedLine = true; // some clients end a body with one more CR LF; RFC 9112, section 2.2
            return;
        }
        head.requestLine(text);
        skippedLine = false;
        fieldsBytes = 0;
        state = State.FIELDS;
    }

    private void headIsWhole() throws HttpException {
        head.end();
        room = receiver.head(head);
        if (head.isChunked()) {
            state = State.CHUNK_SIZE;
        } else if (head.contentLength() > 0) {
            bodyBytes = head.contentLength();
            state = State.BODY;
        } else {
            end();
        }
    }

    /** Hexadecimal digits, and extensions that are ignored. */
    private void chunkSize(String text) throws HttpException {
        int digits = 0;
        while (digits < text.length() && HexFormat.isHexDigit(text.charAt(digits))) {
            digits++;
        }
        boolean formed = digits > 0
                && digits <= MAX_CHUNK_DIGITS
                && (digits == text.length() || text.charAt(digits) == ';')
                && HttpHead.isFieldValue(text);
        if (!formed) {
            throw HttpException.malformed("a chunk without a size: expected 1 to " + MAX_CHUNK_DIGITS
                    + " hexadecimal digits, then CR LF or ';'");
        }
        long size = HexFormat.fromHexDigitsToLong(text, 0, digits);
        if (size > room) {
            throw new HttpException(
                    HttpStatus.CONTENT_TOO_LARGE,
                    "chunks that go beyond the limit: expected fewer bytes, as GET / says");
        }
        room -= size;
        bodyBytes = size;
        state = size == 0 ? State.TRAILERS : State.CHUNK;
    }

    private void end() throws HttpException {
        requests++;
        state = State.REQUEST_LINE;
        if (line.length > 4 * USUAL_LINE_BYTES) {
            line = new byte[USUAL_LINE_BYTES]; // ten thousand connections that are idle should cost little
        }
        receiver.end();
    }
}
