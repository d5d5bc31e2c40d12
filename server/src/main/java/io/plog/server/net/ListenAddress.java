package io.plog.server.net;

import io.netty.util.NetUtil;
import io.plog.server.options.ServerStartException;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Addresses to listen on, and what to say when that fails. */
public final class ListenAddress {
    private ListenAddress() {}

    /**
     * The address of a name and a port.
     *
     * @throws ServerStartException if there is no such name
     */
    public static InetSocketAddress of(String bind, int port) throws ServerStartException {
        InetSocketAddress address = new InetSocketAddress(bind, port);
        if (address.isUnresolved()) {
            throw new ServerStartException("address " + bind + " is unknown: expected one of this machine's addresses");
        }
        return address;
    }

    /** Words why a port cannot be listened on; {@code option} chooses another. */
    public static ServerStartException failed(String what, String bind, int port, String option, Throwable cause) {
        if (cause instanceof ServerStartException known) {
            return known;
        }
        String message = String.valueOf(cause.getMessage());
        // By the system's words: the JDK has one type, BindException, for this and for an address of another machine.
        boolean inUse = message.contains("in use");
        return new ServerStartException(
                what + " " + NetUtil.toSocketAddressString(bind, port)
                        + (inUse
                                ? " is in use: stop what listens there, or choose another with " + option
                                : " cannot be listened on: " + message),
                cause instanceof IOException ? cause : null);
    }
}
