package io.plog.server.http;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Fills the {@link HttpHead} of each request of a connection from its lines. Fields that do not matter here are checked for
 * their form and dropped, so that nothing is allocated for them. Event loop only.
 */
final class HttpHeadParser {
    /** The most header fields of a request, trailers included. */
    static final int MAX_FIELDS = 100;

    private static final byte[] VERSION_1_1 = ascii("HTTP/1.1");
    private static final byte[] VERSION_1_0 = ascii("HTTP/1.0");
    private static final byte[] HOST = ascii("host");
    private static final byte[] ORIGIN = ascii("origin");
    private static final byte[] CONTENT_TYPE = ascii("content-type");
    private static final byte[] SEC_FETCH_SITE = ascii("sec-fetch-site");
    private static final byte[] CONTENT_LENGTH = ascii("content-length");
    private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");
    private static final byte[] CONNECTION = ascii("connection");
    private static final byte[] EXPECT = ascii("expect");
    private static final byte[] ACCEPT = ascii("accept");
    private static final byte[] AUTHORIZATION = ascii("authorization");
    private static final String BEARER = "Bearer ";
    private static final byte[] IDEMPOTENCY_KEY = ascii("idempotency-key");
    private static final byte[] PLOG_CLIENT = ascii("plog-client");
    private static final byte[] PLOG_REQUEST = ascii("plog-request");

    private final HttpHead head = new HttpHead();
    private int fields;
    private String lastHost = "";

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** What was read so far; the same object for each request. */
    HttpHead head() {
        return head;
    }

    /** Begins with the next request's first line, without its end. */
    void requestLine(byte[] line, int length) throws HttpException {
        fields = 0;
        head.host = null;
        head.origin = null;
        head.fetchSite = null;
        head.contentType = null;
        head.contentLength = -1;
        head.chunked = false;
        head.saysClose = false;
        head.saysKeepAlive = false;
        head.expectsContinue = false;
        head.acceptsJson = false;
        head.acceptsOpenMetrics = false;
        head.key = null;
        head.client = null;
        head.request = null;
        head.identity = null;
        head.token = null;
        int methodEnd = HttpSyntax.tokenEnd(line, 0, length);
        int targetEnd = methodEnd + 1;
        while (targetEnd < length && line[targetEnd] > ' ' && line[targetEnd] < 0x7F) {
            targetEnd++;
        }
        boolean formed = methodEnd > 0
                && methodEnd < length
                && line[methodEnd] == ' '
                && targetEnd > methodEnd + 1
                && targetEnd < length
                && line[targetEnd] == ' ';
        if (!formed) {
            throw HttpException.malformed("a first line that is no request line: expected METHOD TARGET HTTP/1.1");
        }
        version(line, targetEnd + 1, length);
        head.method = HttpSyntax.text(line, 0, methodEnd);
        head.target = HttpSyntax.text(line, methodEnd + 1, targetEnd);
    }

    private void version(byte[] line, int from, int to) throws HttpException {
        if (HttpSyntax.equals(line, from, to, VERSION_1_1)) {
            head.oldVersion = false;
        } else if (HttpSyntax.equals(line, from, to, VERSION_1_0)) {
            head.oldVersion = true;
        } else if (to - from == VERSION_1_1.length
                && HttpSyntax.text(line, from, to).matches("HTTP/[0-9]\\.[0-9]")) {
            throw new HttpException(
                    HttpStatus.VERSION_NOT_SUPPORTED,
                    "version " + HttpSyntax.text(line, from, to) + ": expected HTTP/1.1 or HTTP/1.0");
        } else {
            throw HttpException.malformed("a request line that does not end with a version: expected HTTP/1.1");
        }
    }

    /** Takes a header field, or with {@code trailer} only checks it. The name in the line is changed to lower case. */
    void field(byte[] line, int length, boolean trailer) throws HttpException {
        if (++fields > MAX_FIELDS) {
            throw new HttpException(
                    HttpStatus.HEADERS_TOO_LARGE, "more than " + MAX_FIELDS + " header fields: expected at most that");
        }
        if (line[0] == ' ' || line[0] == '\t') {
            throw HttpException.malformed("a header line that begins with a space: expected each field on one line");
        }
        int nameEnd = HttpSyntax.tokenEnd(line, 0, length);
        if (nameEnd == 0 || nameEnd == length || line[nameEnd] != ':') {
            throw HttpException.malformed("a header line without a name and a colon right behind it");
        }
        int from = nameEnd + 1;
        int to = length;
        while (from < to && HttpSyntax.isBlank(line[from])) {
            from++;
        }
        while (to > from && HttpSyntax.isBlank(line[to - 1])) {
            to--;
        }
        HttpSyntax.toLowerCase(line, nameEnd);
        if (!HttpSyntax.isFieldValue(line, from, to)) {
            throw HttpException.malformed("a control character in the header field '"
                    + HttpSyntax.text(line, 0, Math.min(nameEnd, 40)) + "': expected visible characters");
        }
        if (!trailer) {
            take(line, nameEnd, from, to);
        }
    }

    private void take(byte[] line, int nameEnd, int from, int to) throws HttpException {
        switch (nameEnd) { // most fields are not among these, and their length says so
            case 4 -> {
                if (HttpSyntax.equals(line, 0, nameEnd, HOST)) {
                    host(line, from, to);
                }
            }
            case 6 -> {
                if (HttpSyntax.equals(line, 0, nameEnd, EXPECT)) {
                    expect(HttpSyntax.text(line, from, to));
                } else if (HttpSyntax.equals(line, 0, nameEnd, ACCEPT)) {
                    accept(HttpSyntax.text(line, from, to));
                } else if (HttpSyntax.equals(line, 0, nameEnd, ORIGIN)) {
                    head.origin = once(head.origin, "Origin", HttpSyntax.text(line, from, to));
                }
            }
            case 10 -> {
                if (HttpSyntax.equals(line, 0, nameEnd, CONNECTION)) {
                    connection(HttpSyntax.text(line, from, to));
                }
            }
            case 11 -> {
                if (HttpSyntax.equals(line, 0, nameEnd, PLOG_CLIENT)) {
                    head.client = once(head.client, "Plog-Client", HttpSyntax.text(line, from, to));
                }
            }
            case 12 -> {
                if (HttpSyntax.equals(line, 0, nameEnd, CONTENT_TYPE)) {
                    head.contentType = once(head.contentType, "Content-Type", HttpSyntax.text(line, from, to));
                } else if (HttpSyntax.equals(line, 0, nameEnd, PLOG_REQUEST)) {
                    head.request = once(head.request, "Plog-Request", HttpSyntax.text(line, from, to));
                }
            }
            case 13 -> {
                if (HttpSyntax.equals(line, 0, nameEnd, AUTHORIZATION)) {
                    head.token = once(head.token, "Authorization", token(HttpSyntax.text(line, from, to)));
                }
            }
            case 14 -> {
                if (HttpSyntax.equals(line, 0, nameEnd, CONTENT_LENGTH)) {
                    contentLength(line, from, to);
                } else if (HttpSyntax.equals(line, 0, nameEnd, SEC_FETCH_SITE)) {
                    head.fetchSite = once(head.fetchSite, "Sec-Fetch-Site", HttpSyntax.text(line, from, to));
                }
            }
            case 15 -> {
                if (HttpSyntax.equals(line, 0, nameEnd, IDEMPOTENCY_KEY)) {
                    head.key = once(
                            head.key, "Idempotency-Key", RequestIdentity.checkedKey(HttpSyntax.text(line, from, to)));
                }
            }
            case 17 -> {
                if (HttpSyntax.equals(line, 0, nameEnd, TRANSFER_ENCODING)) {
                    transferEncoding(HttpSyntax.text(line, from, to));
                }
            }
            default -> {}
        }
    }

    /** Requests of one connection name the same host, so that its string is made once. */
    private void host(byte[] line, int from, int to) throws HttpException {
        if (head.host != null) {
            throw HttpException.malformed("a second Host: expected one");
        }
        if (!HttpSyntax.equals(line, from, to, lastHost)) {
            lastHost = HttpSyntax.text(line, from, to);
        }
        head.host = lastHost;
    }

    /** Of another scheme none is known: it is as good as no token. */
    private static String token(String value) {
        return value.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? value.substring(BEARER.length()).strip()
                : "";
    }

    private static String once(@Nullable String before, String name, String value) throws HttpException {
        if (before != null) {
            throw HttpException.malformed("a second " + name + ": expected one");
        }
        return value;
    }

    private void accept(String value) {
        head.acceptsJson |= value.contains("application/json");
        head.acceptsOpenMetrics |= value.contains("application/openmetrics-text");
    }

    private void expect(String value) throws HttpException {
        if (!value.equalsIgnoreCase("100-continue")) {
            throw new HttpException(
                    HttpStatus.EXPECTATION_FAILED, "an Expect that is not 100-continue: expected that or none");
        }
        head.expectsContinue = true;
    }

    private void connection(String value) {
        for (String option : value.split(",", -1)) {
            switch (option.strip().toLowerCase(Locale.ROOT)) {
                case "close" -> head.saysClose = true;
                case "keep-alive" -> head.saysKeepAlive = true;
                default -> {}
            }
        }
    }

    /** Accepts one length of digits only. Where two parsers could disagree, requests can be smuggled past one of them. */
    private void contentLength(byte[] line, int from, int to) throws HttpException {
        if (head.contentLength >= 0) {
            throw HttpException.malformed("a second Content-Length: expected one");
        }
        if (from == to || to - from > 18) {
            throw HttpException.malformed(
                    "a Content-Length of " + (to - from) + " characters: expected a number of bytes");
        }
        long value = 0;
        for (int at = from; at < to; at++) {
            int digit = line[at] - '0';
            if (digit < 0 || digit > 9) {
                throw HttpException.malformed(
                        "Content-Length: " + HttpSyntax.text(line, from, to) + ": expected a number of bytes");
            }
            value = 10 * value + digit;
        }
        head.contentLength = value;
    }

    private void transferEncoding(String value) throws HttpException {
        if (head.chunked) {
            throw HttpException.malformed("a second Transfer-Encoding: expected one");
        }
        if (!value.equalsIgnoreCase("chunked")) {
            throw new HttpException(
                    HttpStatus.NOT_IMPLEMENTED,
                    "a Transfer-Encoding other than chunked: expected chunked, or a Content-Length");
        }
        head.chunked = true;
    }

    /** Checks what only all fields together tell. */
    void end() throws HttpException {
        if (head.host == null && !head.oldVersion) {
            throw HttpException.malformed("no Host: HTTP/1.1 expects one");
        }
        if (head.chunked && head.contentLength >= 0) {
            throw HttpException.malformed("both Content-Length and Transfer-Encoding: expected one of them");
        }
        if (head.chunked && head.oldVersion) {
            throw HttpException.malformed("Transfer-Encoding in HTTP/1.0: expected a Content-Length");
        }
        head.identity = RequestIdentity.of(head.key, head.client, head.request);
    }
}
