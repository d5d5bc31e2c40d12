package io.plog.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.server.state.RequestId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Bytes from a connection of the HTTP port, cut into arbitrary pieces.
 *
 * <pre>
 *  0              1              2
 * +--------------+--------------+----------------
 * | limit, close | how to cut   | the stream
 * +--------------+--------------+----------------
 * </pre>
 *
 * In the stream, {@code FF n b} stands for 100 n times the byte b, so that a short case can go beyond every limit.
 *
 * <p>Whatever comes, the requests, their bodies and the refusal, if there is one, are what {@link PlainHttp} makes of the stream;
 * the pieces make no difference; and no more is read for a request than the limits allow. It stands in this package because
 * the parser is seen here only.
 */
@NullMarked
public final class HttpFuzz {
    private static final int[] LIMITS = {0, 1, 16, 1_000, 1 << 20};
    private static final int MAX_STREAM_BYTES = 64 * 1024;

    /** Before its body, with the empty line that may precede it. */
    private static final int MAX_HEAD_BYTES = 2 + HttpParser.MAX_REQUEST_LINE_BYTES + HttpParser.MAX_FIELDS_BYTES;

    private HttpFuzz() {}

    /** Runs one case. */
    public static void fuzzerTestOneInput(byte[] data) {
        byte[] stream = expand(data);
        Outcome plain = plain(data);
        Outcome whole = new Reader(limit(data), heedsClose(data)).read(stream, -1);
        Outcome cutUp = new Reader(limit(data), heedsClose(data)).read(stream, data.length > 1 ? data[1] & 0xFF : 0);
        check(whole.equals(plain), "in one piece: " + whole + "\nexpected:     " + plain);
        check(cutUp.equals(plain), "in pieces: " + cutUp + "\nexpected:  " + plain);
    }

    /** What should come of a case. */
    static Outcome plain(byte[] data) {
        return new PlainHttp(expand(data), limit(data), heedsClose(data)).read();
    }

    private static int limit(byte[] data) {
        return data.length == 0 ? 0 : LIMITS[((data[0] & 0xFF) >> 1) % LIMITS.length];
    }

    private static boolean heedsClose(byte[] data) {
        return data.length > 0 && (data[0] & 1) != 0;
    }

    /**
     * What became of a stream.
     *
     * @param events heads, bodies and ends, in order; a body is one, however it was cut
     * @param refusal how it ended; null if it did not
     * @param midRequest whether it ended in the middle of a request
     */
    record Outcome(List<String> events, @Nullable HttpStatus refusal, boolean midRequest) {}

    /** What a head says, as both parsers read it. */
    static String head(
            String method,
            String target,
            boolean isVersion10,
            long contentLength,
            boolean isChunked,
            boolean closes,
            boolean expectsContinue,
            boolean acceptsJson,
            @Nullable RequestId identity,
            @Nullable String host,
            @Nullable String origin,
            @Nullable String fetchSite,
            @Nullable String contentType) {
        return method + " " + target + (isVersion10 ? " 1.0 " : " 1.1 ") + contentLength + (isChunked ? " chunked" : "")
                + (closes ? " close" : "") + (expectsContinue ? " expect" : "") + (acceptsJson ? " json" : "")
                + (identity == null ? "" : " by " + identity) + " for " + host + " from " + origin + " " + fetchSite
                + " of type "
                + contentType;
    }

    private static byte[] expand(byte[] data) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int at = 2; at < data.length; at++) {
            if (data[at] != (byte) 0xFF || at + 2 >= data.length) {
                stream.write(data[at]);
            } else {
                int count = Math.min(100 * (data[at + 1] & 0xFF), Math.max(0, MAX_STREAM_BYTES - stream.size()));
                for (int i = 0; i < count; i++) {
                    stream.write(data[at + 2]);
                }
                at += 2;
            }
        }
        return stream.toByteArray();
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /** Reads a stream with the parser, as the server does. */
    private static final class Reader implements HttpParser.Receiver {
        private final int limit;
        private final boolean heedsClose;
        private final HttpParser parser = new HttpParser(this);
        private final List<String> events = new ArrayList<>();
        private final StringBuilder body = new StringBuilder();
        private ByteBuf in = Unpooled.EMPTY_BUFFER;
        private int pieceStart;
        private int requestStart;
        private int ends;
        private boolean hasHead;
        private boolean closes;
        private boolean stopped;

        private Reader(int limit, boolean heedsClose) {
            this.limit = limit;
            this.heedsClose = heedsClose;
        }

        /** In one piece ({@code cut} -1) or in pieces of a few lengths that {@code cut} chooses. */
        private Outcome read(byte[] stream, int cut) {
            HttpStatus refusal = null;
            int lengths = cut;
            for (pieceStart = 0; pieceStart < stream.length; ) {
                lengths = lengths * 1_103_515_245 + 12_345;
                int most = cut < 16 ? 1 : cut < 128 ? 7 : 300;
                int length = cut < 0 ? stream.length : 1 + (lengths >>> 16) % most;
                int to = Math.min(stream.length, pieceStart + length);
                in = Unpooled.wrappedBuffer(stream, pieceStart, to - pieceStart);
                try {
                    parser.parse(in);
                    check(stopped || !in.isReadable(), in.readableBytes() + " bytes are left over");
                } catch (HttpException e) {
                    check(refusal == null && !stopped, "a refusal after the end");
                    refusal = e.status();
                    stopped = true;
                    check(!e.getMessage().isEmpty(), "a refusal without a sentence");
                }
                check(
                        stopped || hasHead || to - requestStart <= MAX_HEAD_BYTES,
                        (to - requestStart) + " bytes without a head or a refusal");
                pieceStart = to;
            }
            endBody();
            check(parser.requests() == ends, parser.requests() + " requests counted, " + ends + " ended");
            return new Outcome(events, refusal, parser.isMidRequest());
        }

        private int position() {
            return pieceStart + in.readerIndex();
        }

        @Override
        public int head(HttpHead head) throws HttpException {
            check(!stopped && !hasHead, "a head out of turn");
            check(position() - requestStart <= MAX_HEAD_BYTES, "a head of " + (position() - requestStart) + " bytes");
            hasHead = true;
            closes = head.closes();
            events.add(HttpFuzz.head(
                    head.method(),
                    head.target(),
                    head.isVersion10(),
                    head.contentLength(),
                    head.isChunked(),
                    closes,
                    head.expectsContinue(),
                    head.acceptsJson(),
                    head.identity(),
                    head.value(HttpField.HOST),
                    head.value(HttpField.ORIGIN),
                    head.value(HttpField.SEC_FETCH_SITE),
                    head.value(HttpField.CONTENT_TYPE)));
            if (head.contentLength() > limit) {
                throw new HttpException(HttpStatus.CONTENT_TOO_LARGE, "too long");
            }
            return limit;
        }

        @Override
        public void body(ByteBuf from, int bytes) {
            check(!stopped && hasHead, "a body out of turn");
            check(bytes > 0 && bytes <= from.readableBytes(), bytes + " of " + from.readableBytes() + " bytes");
            body.append(from.readCharSequence(bytes, StandardCharsets.ISO_8859_1));
            check(body.length() <= limit, "a body of " + body.length() + " bytes, over " + limit);
        }

        @Override
        public void end() {
            check(!stopped && hasHead, "an end out of turn");
            endBody();
            events.add("end");
            ends++;
            hasHead = false;
            requestStart = position();
            if (heedsClose && closes) {
                stopped = true;
                parser.stop();
            }
        }

        private void endBody() {
            if (body.length() > 0) {
                events.add("body " + body);
                body.setLength(0);
            }
        }
    }
}
