package io.plog.server.service;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The services that come with the server. {@code docs/protocol.md} says what they do. */
public enum BuiltInService implements Supplier<Service> {
    /** Inverts each byte. Stateless. */
    INVERT(InvertService.NAME, InvertService::new),
    /** Each answer depends on every request before it. */
    CHAIN(ChainService.NAME, ChainService::new);

    private final String label;

    @SuppressWarnings("ImmutableEnumChecker") // a reference to a constructor
    private final Supplier<Service> maker;

    BuiltInService(String label, Supplier<Service> maker) {
        this.label = label;
        this.maker = maker;
    }

    /** A new one, in its first state. */
    @Override
    public Service get() {
        return maker.get();
    }

    /** Its name in options and facts. */
    public String label() {
        return label;
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
        throw new IllegalArgumentException("unknown service '" + label + "': expected "
                + Arrays.stream(values()).map(BuiltInService::label).collect(Collectors.joining(" or ")));
    }
}
