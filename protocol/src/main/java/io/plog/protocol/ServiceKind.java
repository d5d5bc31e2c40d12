package io.plog.protocol;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The services that come with the server, and what a client may expect of their replies. {@code docs/protocol.md} says what they do.
 * To add one, add it here and say in the server how it is made.
 */
public enum ServiceKind {
    /** Each byte of the payload inverted. Stateless. */
    INVERT(true, false),
    /** An answer that depends on every request before it, made when the record is durable. */
    CHAIN(false, true);

    private final boolean inverts;
    private final boolean ordered;

    ServiceKind(boolean inverts, boolean ordered) {
        this.inverts = inverts;
        this.ordered = ordered;
    }

    /** Its name in options and in the fact {@code service}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a reply is the request's payload, inverted, so that a client can check every byte; else only its length. */
    public boolean inverts() {
        return inverts;
    }

    /** Whether answers depend on the order of requests, so that it executes when the record is durable. */
    public boolean isOrdered() {
        return ordered;
    }

    /** The service of this name; empty if it is not known, so that its replies cannot be checked. */
    public static Optional<ServiceKind> ofLabel(String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label().equals(label))
                .findFirst();
    }

    /** Their names, with something between them. */
    public static String labels(String between) {
        return Arrays.stream(values()).map(ServiceKind::label).collect(Collectors.joining(between));
    }
}
