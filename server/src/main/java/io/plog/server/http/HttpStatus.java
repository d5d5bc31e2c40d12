package io.plog.server.http;

import io.plog.protocol.Status;

/** The statuses that the HTTP port and the admin port answer with. */
public enum HttpStatus {
    OK(200, "OK"),
    BAD_REQUEST(400, "Bad Request"),
    UNAUTHORIZED(401, "Unauthorized"),
    FORBIDDEN(403, "Forbidden"),
    NOT_FOUND(404, "Not Found"),
    METHOD_NOT_ALLOWED(405, "Method Not Allowed"),
    REQUEST_TIMEOUT(408, "Request Timeout"),
    CONFLICT(409, "Conflict"),
    LENGTH_REQUIRED(411, "Length Required"),
    CONTENT_TOO_LARGE(413, "Content Too Large"),
    URI_TOO_LONG(414, "URI Too Long"),
    UNSUPPORTED_MEDIA_TYPE(415, "Unsupported Media Type"),
    EXPECTATION_FAILED(417, "Expectation Failed"),
    MISDIRECTED_REQUEST(421, "Misdirected Request"),
    UNPROCESSABLE_CONTENT(422, "Unprocessable Content"),
    HEADERS_TOO_LARGE(431, "Request Header Fields Too Large"),
    INTERNAL_SERVER_ERROR(500, "Internal Server Error"),
    NOT_IMPLEMENTED(501, "Not Implemented"),
    SERVICE_UNAVAILABLE(503, "Service Unavailable"),
    VERSION_NOT_SUPPORTED(505, "HTTP Version Not Supported");

    private final int code;

    private final String line;

    HttpStatus(int code, String reason) {
        this.code = code;
        this.line = "HTTP/1.1 " + code + " " + reason + "\r\n";
    }

    public int code() {
        return code;
    }

    /** The status line with its end. */
    String line() {
        return line;
    }

    /** The HTTP status of a refusal. 503 is used only for requests that were certainly not executed. */
    static HttpStatus of(Status status) {
        return switch (status) {
            case OK -> OK;
            case UNKNOWN_TARGET -> NOT_FOUND;
            case OVERLOADED, LOG_FULL, SHUTTING_DOWN, LOG_UNAVAILABLE, NOT_SERVING, NO_QUORUM -> SERVICE_UNAVAILABLE;
            case NOT_ALLOWED -> FORBIDDEN;
            case TOO_LARGE -> CONTENT_TOO_LARGE;
            case UNSUPPORTED -> NOT_IMPLEMENTED;
            case OUTDATED -> CONFLICT;
            case CONFLICT -> UNPROCESSABLE_CONTENT;
            case LOG_FAILED, FAILED -> INTERNAL_SERVER_ERROR;
        };
    }
}
