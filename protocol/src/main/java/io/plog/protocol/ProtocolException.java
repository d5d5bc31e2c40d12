package io.plog.protocol;

/**
 * The other side sent something that the protocol does not allow. It costs the connection: a server says why with a
 * {@link Goodbye} of this {@link #code} and closes; a client closes.
 *
 * <p>Carries no stack trace: a sender of random bytes must not make us walk stacks.
 */
public final class ProtocolException extends Exception {
    private final GoodbyeCode code;

    /** @param sentence for people: what was found and what was expected */
    public ProtocolException(GoodbyeCode code, String sentence) {
        super(sentence, null, false, false);
        this.code = code;
    }

    /** The kind of violation, as a GOODBYE names it. */
    public GoodbyeCode code() {
        return code;
    }

    /** The sentence for people; never {@code null}. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    static ProtocolException malformed(String sentence) {
        return new ProtocolException(GoodbyeCode.MALFORMED, sentence);
    }
}
