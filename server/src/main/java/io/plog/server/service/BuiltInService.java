package io.plog.server.service;

import io.plog.protocol.ServiceKind;
import java.util.function.Supplier;

/** The services that come with the server. {@code docs/protocol.md} says what they do. */
public enum BuiltInService implements Supplier<Service> {
    /** Inverts each byte. Stateless. */
    INVERT(ServiceKind.INVERT, InvertService::new),
    /** Each answer depends on every request before it. */
    CHAIN(ServiceKind.CHAIN, ChainService::new);

    private final ServiceKind kind;

    @SuppressWarnings("ImmutableEnumChecker") // a reference to a constructor
    private final Supplier<Service> maker;

    BuiltInService(ServiceKind kind, Supplier<Service> maker) {
        this.kind = kind;
        this.maker = maker;
    }

    @Override
    public Service get() {
        return maker.get();
    }

    public String label() {
        return kind.label();
    }

    /**
     * The service with this label.
     *
     * @throws IllegalArgumentException if there is none; the message lists what there is
     */
    public static BuiltInService ofLabel(String label) {
        for (BuiltInService service : values()) {
            if (service.label().equals(label)) {
                return service;
            }
        }
        throw new IllegalArgumentException("unknown service '" + label + "': expected " + ServiceKind.labels(" or "));
    }
}
