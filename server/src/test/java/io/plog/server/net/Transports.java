package io.plog.server.net;

import io.plog.server.options.TransportOption;

/** Which transports the machine of a test offers. */
public final class Transports {
    private Transports() {}

    /** Whether a server can be asked to use it here. */
    public static boolean isOffered(TransportOption option) {
        return option == TransportOption.AUTO
                || Transport.all().stream()
                        .anyMatch(each ->
                                each.option() == option && each.unavailable().get() == null);
    }
}
