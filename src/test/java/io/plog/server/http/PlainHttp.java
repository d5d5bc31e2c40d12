package io.plog.server.http;

import io.plog.server.state.RequestId;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 as docs/http.md says that a server takes it, read slowly and plainly: from the whole stream at once, line by line, with a
 * pattern for each kind of line. What {@link HttpParser} makes of the same bytes is held against it.
 */
@NullMarked
final class PlainHttp {
    private static final String TOKEN = "([!#$%&'*+.^_`|~0-9A-Za-z-]+)";
    private static final String VALUE = "[\\t\\x20-\\x7e\\x80-\\xff]*";
    private static final Pattern REQUEST = Pattern.compile(TOKEN + " ([!-~]+) (.*)", Pattern.DOTALL);
    private static final Pattern FIELD = Pattern.compile(TOKEN + ":[ \\t]*(" + VALUE + "?)[ \\t]*");
    private static final Pattern CHUNK = Pattern.compile("([0-9a-fA-F]{1,15})(;" + VALUE + ")?");
    private static final int MAX_CHUNK_LINE_BYTES = 256;

    private final String stream;
    private final int limit;
    private final boolean heedsClose;
    private final List<String> events = new ArrayList<>();
    private int at;
    private int fields;
    private int fieldsBytes;

    // Of the request at hand.
    private final Map<String, String> once = new HashMap<>();
    private @Nullable String length;
    private boolean chunked;
    private boolean saysClose;
    private boolean saysKeepAlive;
    private boolean expects;
    private boolean json;
    private @Nullable String key;

    /**
     * @param limit bytes of the longest body
     * @param heedsClose whether nothing is read behind a request that closes the connection
     */
    PlainHttp(byte[] stream, int limit, boolean heedsClose) {
        this.stream = new String(stream, StandardCharsets.ISO_8859_1);
        this.limit = limit;
        this.heedsClose = heedsClose;
    }

    /** How a stream may end before its end. */
    private static final class End extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient @Nullable HttpStatus refusal;
        private final boolean midRequest;

        private End(@Nullable HttpStatus refusal, boolean midRequest) {
            super(null, null, false, false);
            this.refusal = refusal;
            this.midRequest = midRequest;
        }
    }

    HttpFuzz.Outcome read() {
        try {
            while (true) {
                request();
            }
        } catch (End end) {
            return new HttpFuzz.Outcome(events, end.refusal, end.midRequest);
        }
    }

    private void request() throws End {
        String first = line(HttpParser.MAX_REQUEST_LINE_BYTES, HttpStatus.URI_TOO_LONG, true);
        if (first.isEmpty()) { // one may stand before a request
            first = line(HttpParser.MAX_REQUEST_LINE_BYTES, HttpStatus.URI_TOO_LONG, true);
        }
        Matcher request = REQUEST.matcher(first);
        demand(request.matches(), HttpStatus.BAD_REQUEST);
        String version = request.group(3);
        boolean old = version.equals("HTTP/1.0");
        if (!old && !version.equals("HTTP/1.1")) {
            throw refused(
                    version.matches("HTTP/[0-9]\\.[0-9]") ? HttpStatus.VERSION_NOT_SUPPORTED : HttpStatus.BAD_REQUEST);
        }
        begin();
        fields(true);
        demand(old || once.containsKey("host"), HttpStatus.BAD_REQUEST);
        demand(!chunked || (length == null && !old), HttpStatus.BAD_REQUEST);
        long bytes = length == null ? -1 : Long.parseLong(length);
        boolean closes = saysClose || (old && !saysKeepAlive);
        events.add(HttpFuzz.head(
                request.group(1),
                request.group(2),
                old,
                bytes,
                chunked,
                closes,
                expects && !old && (chunked || bytes > 0),
                json,
                identity(),
                once.get("host"),
                once.get("origin"),
                once.get("sec-fetch-site"),
                once.get("content-type")));
        demand(bytes <= limit, HttpStatus.CONTENT_TOO_LARGE);
        StringBuilder body = new StringBuilder();
        try {
            if (chunked) {
                chunks(body);
            } else {
                take(body, Math.max(0, bytes));
            }
        } finally {
            if (!body.isEmpty()) {
                events.add("body " + body);
            }
        }
        events.add("end");
        if (closes && heedsClose) {
            throw new End(null, false);
        }
    }

    private @Nullable RequestId identity() throws End {
        String client = once.get("plog-client");
        String request = once.get("plog-request");
        demand((client == null) == (request == null) && (client == null || key == null), HttpStatus.BAD_REQUEST);
        if (client == null || request == null) {
            return key == null ? null : RequestId.ofKey(key);
        }
        long id = u64(client);
        demand(id >>> 32 != 0x4854_5450 && id >>> 32 != 0x4854_5443, HttpStatus.BAD_REQUEST);
        return new RequestId(id, u64(request));
    }

    private static long u64(String digits) throws End {
        demand(digits.matches("[0-9]{1,20}"), HttpStatus.BAD_REQUEST);
        BigInteger value = new BigInteger(digits);
        demand(value.bitLength() <= 64, HttpStatus.BAD_REQUEST);
        return value.longValue();
    }

    private void begin() {
        fields = 0;
        fieldsBytes = 0;
        once.clear();
        length = null;
        chunked = false;
        saysClose = false;
        saysKeepAlive = false;
        expects = false;
        json = false;
        key = null;
    }

    private void fields(boolean count) throws End {
        while (true) {
            int from = at;
            String line = line(HttpParser.MAX_FIELDS_BYTES - fieldsBytes, HttpStatus.HEADERS_TOO_LARGE, false);
            fieldsBytes += at - from;
            if (line.isEmpty()) {
                return;
            }
            demand(++fields <= HttpHead.MAX_FIELDS, HttpStatus.HEADERS_TOO_LARGE);
            Matcher field = FIELD.matcher(line);
            demand(field.matches(), HttpStatus.BAD_REQUEST);
            if (count) {
                field(field.group(1).toLowerCase(Locale.ROOT), field.group(2));
            }
        }
    }

    private void field(String name, String value) throws End {
        switch (name) {
            case "host", "origin", "sec-fetch-site", "content-type", "plog-client", "plog-request" ->
                demand(once.put(name, value) == null, HttpStatus.BAD_REQUEST);
            case "content-length" -> {
                demand(length == null && value.matches("[0-9]{1,18}"), HttpStatus.BAD_REQUEST);
                length = value;
            }
            case "transfer-encoding" -> {
                demand(!chunked, HttpStatus.BAD_REQUEST);
                demand(value.equalsIgnoreCase("chunked"), HttpStatus.NOT_IMPLEMENTED);
                chunked = true;
            }
            case "expect" -> {
                demand(value.equalsIgnoreCase("100-continue"), HttpStatus.EXPECTATION_FAILED);
                expects = true;
            }
            case "connection" -> {
                List<String> options = List.of(value.toLowerCase(Locale.ROOT).split("[ \\t]*,[ \\t]*", -1));
                saysClose |= options.contains("close");
                saysKeepAlive |= options.contains("keep-alive");
            }
            case "accept" -> json |= value.contains("application/json");
            case "idempotency-key" -> {
                demand(
                        key == null && value.matches("[ -~]{1," + RequestId.MAX_KEY_BYTES + "}"),
                        HttpStatus.BAD_REQUEST);
                key = value;
            }
            default -> {}
        }
    }

    private void chunks(StringBuilder body) throws End {
        while (true) {
            Matcher chunk = CHUNK.matcher(line(MAX_CHUNK_LINE_BYTES, HttpStatus.BAD_REQUEST, false));
            demand(chunk.matches(), HttpStatus.BAD_REQUEST);
            long size = Long.parseLong(chunk.group(1), 16);
            demand(size <= limit - body.length(), HttpStatus.CONTENT_TOO_LARGE);
            if (size == 0) {
                fields(false);
                return;
            }
            take(body, size);
            demand(line(2, HttpStatus.BAD_REQUEST, false).isEmpty(), HttpStatus.BAD_REQUEST);
        }
    }

    private void take(StringBuilder body, long bytes) throws End {
        int to = (int) Math.min(stream.length(), at + bytes);
        boolean whole = to == at + bytes;
        body.append(stream, at, to);
        at = to;
        if (!whole) {
            throw new End(null, true);
        }
    }

    /**
     * The next line, without its end.
     *
     * @param tooLong how a longer one is refused
     * @param between whether nothing of a request has come yet, so that the stream may end here
     */
    private String line(int most, HttpStatus tooLong, boolean between) throws End {
        int end = stream.indexOf('\n', at);
        int bytes = end < 0 ? stream.length() - at : end + 1 - at;
        demand(bytes <= most, tooLong);
        if (end < 0) {
            throw new End(null, !between || bytes > 0);
        }
        String line = stream.substring(at, end);
        at = end + 1;
        demand(line.endsWith("\r"), HttpStatus.BAD_REQUEST);
        return line.substring(0, line.length() - 1);
    }

    private static void demand(boolean holds, HttpStatus otherwise) throws End {
        if (!holds) {
            throw refused(otherwise);
        }
    }

    private static End refused(HttpStatus status) {
        return new End(status, false);
    }
}
