package io.plog.server.options;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks names and addresses of hosts by their form; asks no name server. */
public final class HostNames {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,253}");

    private HostNames() {}

    /** Whether this is the name or the address of a host, and nothing else. */
    static boolean isHost(String text) {
        return NAME.matcher(text).matches() || addressOf(text) != null;
    }

    /** The address that this is, in brackets or not; {@code null} if it is a name. */
    public static @Nullable InetAddress addressOf(String host) {
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        byte[] bytes =
                NetUtil.createByteArrayFromIpAddressString(bracketed ? host.substring(1, host.length() - 1) : host);
        if (bytes == null) {
            return null;
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }
}
