package io.plog.server.http;

/**
 * A client sent what ends its connection: the answer to this request is the last one, since where the next one begins cannot be
 * known, or is not worth reading for. Carries no stack trace, as a {@link io.plog.protocol.ProtocolException} carries none.
 */
public final class HttpException extends Exception {
    private final HttpStatus status;

    /** @param sentence for people: what was found and what was expected */
    public HttpException(HttpStatus status, String sentence) {
        super(sentence, null, false, false);
        this.status = status;
    }

    public HttpStatus status() {
        return status;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    static HttpException malformed(String sentence) {
        return new HttpException(HttpStatus.BAD_REQUEST, sentence);
    }
}
