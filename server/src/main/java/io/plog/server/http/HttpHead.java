package io.plog.server.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a request says before its body: the request line, and of the header fields those that matter here. The others are checked for
 * their form and dropped, so that nothing is allocated for them; nor for a field that the request before had, too.
 *
 * <p>A connection's parser fills the same one for each request, so it must not be kept. Event loop only.
 */
@SuppressWarnings("EnumOrdinal") // values lie side by side in memory only
public final class HttpHead {
    /** The most header fields of a request, trailers included. */
    static final int MAX_FIELDS = 100;

    private static final String SCHEME = "http://";
    private static final String BEARER = "Bearer ";
    private static final int MOST_LENGTH_DIGITS = 18;
    private static final byte[] VERSION_1_1 = "HTTP/1.1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VERSION_1_0 = "HTTP/1.0".getBytes(StandardCharsets.US_ASCII);

    private final @Nullable String[] values = new @Nullable String[HttpField.values().length];
    private final String[] lastValues = new String[values.length]; // of any request
    private String method = "";
    private String target = "";
    private boolean oldVersion;
    private long contentLength;
    private int fields;
    private @Nullable RequestIdentity identity;

    HttpHead() {
        Arrays.fill(lastValues, "");
    }

    // ---- As its parser fills it ----

    /** Begins with the next request's first line, without its end. */
    void requestLine(byte[] line, int length) throws HttpException {
        Arrays.fill(values, null);
        fields = 0;
        contentLength = -1;
        identity = null;
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
        method = HttpSyntax.text(line, 0, methodEnd);
        target = HttpSyntax.text(line, methodEnd + 1, targetEnd);
    }

    private void version(byte[] line, int from, int to) throws HttpException {
        oldVersion = HttpSyntax.equals(line, from, to, VERSION_1_0);
        if (oldVersion || HttpSyntax.equals(line, from, to, VERSION_1_1)) {
            return;
        }
        String found = HttpSyntax.text(line, from, to);
        if (found.matches("HTTP/[0-9]\\.[0-9]")) {
            throw new HttpException(
                    HttpStatus.VERSION_NOT_SUPPORTED, "version " + found + ": expected HTTP/1.1 or HTTP/1.0");
        }
        throw HttpException.malformed("a request line that does not end with a version: expected HTTP/1.1");
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
        HttpField field = trailer ? null : HttpField.named(line, nameEnd);
        if (field != null) {
            String last = lastValues[field.ordinal()];
            take(field, HttpSyntax.equals(line, from, to, last) ? last : HttpSyntax.text(line, from, to));
        }
    }

    private void take(HttpField field, String value) throws HttpException {
        String before = values[field.ordinal()];
        if (before != null && !field.mayRepeat) {
            throw HttpException.malformed("a second " + field.label + ": expected one");
        }
        switch (field) {
            case CONTENT_LENGTH -> contentLength = length(value);
            case TRANSFER_ENCODING -> {
                if (!value.equalsIgnoreCase("chunked")) {
                    throw new HttpException(
                            HttpStatus.NOT_IMPLEMENTED,
                            "a Transfer-Encoding other than chunked: expected chunked, or a Content-Length");
                }
            }
            case EXPECT -> {
                if (!value.equalsIgnoreCase("100-continue")) {
                    throw new HttpException(
                            HttpStatus.EXPECTATION_FAILED, "an Expect that is not 100-continue: expected that or none");
                }
            }
            case IDEMPOTENCY_KEY -> RequestIdentity.checkKey(value);
            default -> {}
        }
        lastValues[field.ordinal()] = value;
        values[field.ordinal()] = before == null ? value : before + "," + value;
    }

    /** Accepts digits only. Where two parsers could disagree, requests can be smuggled past one of them. */
    private static long length(String value) throws HttpException {
        if (value.isEmpty() || value.length() > MOST_LENGTH_DIGITS) {
            throw HttpException.malformed(
                    "a Content-Length of " + value.length() + " characters: expected a number of bytes");
        }
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) < '0' || value.charAt(i) > '9') {
                throw HttpException.malformed("Content-Length: " + value + ": expected a number of bytes");
            }
        }
        return Long.parseLong(value);
    }

    /** Checks what only all fields together tell. */
    void end() throws HttpException {
        if (value(HttpField.HOST) == null && !oldVersion) {
            throw HttpException.malformed("no Host: HTTP/1.1 expects one");
        }
        if (isChunked() && contentLength >= 0) {
            throw HttpException.malformed("both Content-Length and Transfer-Encoding: expected one of them");
        }
        if (isChunked() && oldVersion) {
            throw HttpException.malformed("Transfer-Encoding in HTTP/1.0: expected a Content-Length");
        }
        identity = RequestIdentity.of(
                value(HttpField.IDEMPOTENCY_KEY), value(HttpField.PLOG_CLIENT), value(HttpField.PLOG_REQUEST));
    }

    // ---- As it is read ----

    /** As it came, in upper case for the methods of HTTP. */
    public String method() {
        return method;
    }

    /** The request target as it came. */
    String target() {
        return target;
    }

    /** The server that the request target itself names; {@code null} if it names none, as usual. */
    @Nullable
    String authority() {
        if (!target.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        int slash = target.indexOf('/', SCHEME.length());
        return target.substring(SCHEME.length(), slash < 0 ? target.length() : slash);
    }

    /** The path, with its query if there is one, also of a target that names its server. */
    public String path() {
        String authority = authority();
        if (authority == null) {
            return target;
        }
        String path = target.substring(SCHEME.length() + authority.length());
        return path.isEmpty() ? "/" : path;
    }

    /** What the field says; {@code null} if it is not there. */
    @Nullable
    String value(HttpField field) {
        return values[field.ordinal()];
    }

    /** By which the server may know the caller; null if it shows none. One of another scheme is as good as none. */
    public @Nullable String token() {
        String shown = value(HttpField.AUTHORIZATION);
        if (shown == null) {
            return null;
        }
        return shown.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? shown.substring(BEARER.length()).strip()
                : "";
    }

    /** Whether the client speaks HTTP/1.0. */
    public boolean isVersion10() {
        return oldVersion;
    }

    /** Bytes of the body as announced; -1 if they are not. */
    public long contentLength() {
        return contentLength;
    }

    boolean isChunked() {
        return value(HttpField.TRANSFER_ENCODING) != null;
    }

    /** Whether the connection ends after the answer. */
    public boolean closes() {
        return saysOfConnection("close") || (oldVersion && !saysOfConnection("keep-alive"));
    }

    private boolean saysOfConnection(String option) {
        String said = value(HttpField.CONNECTION);
        return said != null
                && Arrays.stream(said.toLowerCase(Locale.ROOT).split(",", -1))
                        .anyMatch(each -> each.strip().equals(option));
    }

    /** Whether the client waits with its body until it is told to continue. */
    public boolean expectsContinue() {
        return value(HttpField.EXPECT) != null && !oldVersion && (isChunked() || contentLength > 0);
    }

    boolean acceptsJson() {
        return accepts("application/json");
    }

    /** Whether the Accept names OpenMetrics. */
    public boolean acceptsOpenMetrics() {
        return accepts("application/openmetrics-text");
    }

    private boolean accepts(String type) {
        String accepted = value(HttpField.ACCEPT);
        return accepted != null && accepted.contains(type);
    }

    /** Who asks, and which of its requests this is; {@code null} if it does not say, so that it cannot ask again. */
    @Nullable
    RequestIdentity identity() {
        return identity;
    }
}
