package io.plog.server.http;

import io.plog.server.state.ClientKind;
import io.plog.server.state.RequestId;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request says before its body: the request line, and of the header fields those that matter here. The others are checked for
 * their form and dropped.
 *
 * <p>A connection's parser fills the same one for each request, so it must not be kept. Event loop only.
 */
public final class HttpHead {
    /** The most header fields of a request, trailers included. */
    static final int MAX_FIELDS = 100;

    private static final String SCHEME = "http://";
    private static final String BEARER = "Bearer ";
    private static final int MOST_LENGTH_DIGITS = 18;

    /** Whether a character may stand in a token (RFC 9110, section 5.6.2): each character of a head is looked up. */
    private static final boolean[] TOKEN = new boolean[256];

    static {
        for (char c = '!'; c < 0x7F; c++) {
            TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
        }
    }

    private final Map<HttpField, String> values = new EnumMap<>(HttpField.class);
    private String method = "";
    private String target = "";
    private boolean oldVersion;
    private long contentLength;
    private int fields;
    private @Nullable RequestId identity;

    // ---- As its parser fills it ----

    /** Begins with the next request's first line, without its end. */
    void requestLine(String line) throws HttpException {
        values.clear();
        fields = 0;
        contentLength = -1;
        identity = null;
        int methodEnd = tokenEnd(line);
        int targetEnd = methodEnd + 1;
        while (targetEnd < line.length() && line.charAt(targetEnd) > ' ' && line.charAt(targetEnd) < 0x7F) {
            targetEnd++;
        }
        boolean formed = methodEnd > 0
                && line.startsWith(" ", methodEnd)
                && targetEnd > methodEnd + 1
                && line.startsWith(" ", targetEnd);
        if (!formed) {
            throw HttpException.malformed("a first line that is no request line: expected METHOD TARGET HTTP/1.1");
        }
        version(line.substring(targetEnd + 1));
        method = line.substring(0, methodEnd);
        target = line.substring(methodEnd + 1, targetEnd);
    }

    private void version(String found) throws HttpException {
        oldVersion = found.equals("HTTP/1.0");
        if (oldVersion || found.equals("HTTP/1.1")) {
            return;
        }
        if (found.matches("HTTP/[0-9]\\.[0-9]")) {
            throw new HttpException(
                    HttpStatus.VERSION_NOT_SUPPORTED, "version " + found + ": expected HTTP/1.1 or HTTP/1.0");
        }
        throw HttpException.malformed("a request line that does not end with a version: expected HTTP/1.1");
    }

    /** Takes a header field, or with {@code trailer} only checks it. */
    void field(String line, boolean trailer) throws HttpException {
        if (++fields > MAX_FIELDS) {
            throw new HttpException(
                    HttpStatus.HEADERS_TOO_LARGE, "more than " + MAX_FIELDS + " header fields: expected at most that");
        }
        if (line.charAt(0) == ' ' || line.charAt(0) == '\t') {
            throw HttpException.malformed("a header line that begins with a space: expected each field on one line");
        }
        int nameEnd = tokenEnd(line);
        if (nameEnd == 0 || !line.startsWith(":", nameEnd)) {
            throw HttpException.malformed("a header line without a name and a colon right behind it");
        }
        String name = line.substring(0, nameEnd);
        String value = line.substring(nameEnd + 1);
        if (!isFieldValue(value)) {
            throw HttpException.malformed("a control character in the header field '"
                    + name.substring(0, Math.min(nameEnd, 40)).toLowerCase(Locale.ROOT)
                    + "': expected visible characters");
        }
        HttpField field = trailer ? null : HttpField.named(name);
        if (field != null) {
            take(field, value.strip()); // of spaces and tabs, since there is no other white space in it
        }
    }

    /** Where the token ends that a line begins with; 0 if it begins with none. */
    private static int tokenEnd(String line) {
        int end = 0;
        while (end < line.length() && TOKEN[line.charAt(end)]) {
            end++;
        }
        return end;
    }

    /** Whether these may stand in a field's value: visible characters, blanks, and bytes beyond ASCII. */
    static boolean isFieldValue(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7F) {
                return false;
            }
        }
        return true;
    }

    private void take(HttpField field, String value) throws HttpException {
        String before = values.get(field);
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
            case IDEMPOTENCY_KEY -> checkKey(value);
            default -> {}
        }
        values.put(field, before == null ? value : before + "," + value);
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

    /** Checks the fields against each other. */
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
        identity = idOf(value(HttpField.IDEMPOTENCY_KEY), value(HttpField.PLOG_CLIENT), value(HttpField.PLOG_REQUEST));
    }

    /** What the header fields say; {@code null} if there are none of them. */
    private static @Nullable RequestId idOf(@Nullable String key, @Nullable String client, @Nullable String request)
            throws HttpException {
        if (client == null && request == null) {
            return key == null ? null : RequestId.ofKey(key);
        }
        if (client == null || request == null || key != null) {
            throw HttpException.malformed("an Idempotency-Key with Plog-Client or Plog-Request, or one of these two"
                    + " alone: expected the key, or both of the others");
        }
        RequestId identity = new RequestId(number("Plog-Client", client), number("Plog-Request", request));
        if (ClientKind.of(identity.client()) != ClientKind.BINARY) {
            throw HttpException.malformed("Plog-Client: " + client
                    + ": is one of the ids that the server makes up for its HTTP port: choose another");
        }
        return identity;
    }

    /** Checks that this can be a key. */
    private static void checkKey(String key) throws HttpException {
        boolean visible = key.chars().allMatch(c -> c >= ' ' && c < 0x7F);
        if (key.isEmpty() || key.length() > RequestId.MAX_KEY_BYTES || !visible) {
            throw HttpException.malformed("an Idempotency-Key of " + key.length() + " characters: expected 1 to "
                    + RequestId.MAX_KEY_BYTES + " of ASCII, none of them a control character");
        }
    }

    private static long number(String field, String value) throws HttpException {
        try {
            if (value.matches("[0-9]{1,20}")) {
                return Long.parseUnsignedLong(value);
            }
        } catch (NumberFormatException e) {
            // beyond 64 bits
        }
        throw HttpException.malformed(field + " of " + value.length()
                + " characters: expected a whole number from 0 to 18446744073709551615 in decimal digits");
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

    @Nullable
    String value(HttpField field) {
        return values.get(field);
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

    public boolean closes() {
        return saysOfConnection("close") || (oldVersion && !saysOfConnection("keep-alive"));
    }

    private boolean saysOfConnection(String option) {
        String said = value(HttpField.CONNECTION);
        return said != null
                && Arrays.stream(said.toLowerCase(Locale.ROOT).split(",", -1))
                        .anyMatch(each -> each.strip().equals(option));
    }

    /** Whether the client waits with its body until the server says to continue. */
    public boolean expectsContinue() {
        return value(HttpField.EXPECT) != null && !oldVersion && (isChunked() || contentLength > 0);
    }

    boolean acceptsJson() {
        return accepts("application/json");
    }

    public boolean acceptsOpenMetrics() {
        return accepts("application/openmetrics-text");
    }

    private boolean accepts(String type) {
        String accepted = value(HttpField.ACCEPT);
        return accepted != null && accepted.contains(type);
    }

    /** Who asks, and which of its requests this is; {@code null} if it does not say, so that it cannot ask again. */
    @Nullable
    RequestId identity() {
        return identity;
    }
}
