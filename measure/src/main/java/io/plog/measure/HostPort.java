package io.plog.measure;

import java.net.IDN;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A server's address as people write it: {@code HOST:PORT}, {@code HOST} for the default port, {@code [::1]:PORT} for an
 * IPv6 address.
 *
 * @param host name or address
 * @param port 1 to 65535
 */
public record HostPort(String host, int port) {
    /** The port that a plog server listens on unless another is chosen. */
    public static final int DEFAULT_PORT = 7411;

    /** How {@code --server} is given when it is not. */
    public static final String DEFAULT = "127.0.0.1:" + DEFAULT_PORT;

    /**
     * Checks the port.
     *
     * @throws IllegalArgumentException if there is no such port
     */
    public HostPort {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port is " + port + ": expected 1 to 65535");
        }
    }

    /**
     * Reads an address, as {@code --server} has it. Letters beyond ASCII in a name become those that name servers know (IDNA).
     *
     * @throws IllegalArgumentException if it is not written as above
     */
    public static HostPort parse(String text) {
        return parse(text, DEFAULT_PORT);
    }

    static HostPort parse(String text, int defaultPort) {
        if (text.indexOf(',') >= 0) {
            throw new IllegalArgumentException("--server is '" + text
                    + "': expected one server; plog call and plog load take several, and follow the one that serves");
        }
        int bracket = text.lastIndexOf(']');
        int colon = text.indexOf(':', Math.max(0, bracket));
        String host = colon < 0 ? text : text.substring(0, colon);
        if (bracket > 0 && host.startsWith("[")) {
            host = host.substring(1, bracket);
        }
        if (host.isBlank()) {
            throw malformed(text);
        }
        try {
            return new HostPort(
                    IDN.toASCII(host, IDN.ALLOW_UNASSIGNED),
                    colon < 0 ? defaultPort : Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw malformed(text);
        }
    }

    /**
     * Reads several addresses, with commas between them: servers of which one serves.
     *
     * @throws IllegalArgumentException if one is not written as above, or stands there twice
     */
    public static List<HostPort> parseAll(String text) {
        List<HostPort> all = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            HostPort address = parse(each);
            if (all.contains(address)) {
                throw new IllegalArgumentException("--server is '" + text + "': " + address + " stands there twice");
            }
            all.add(address);
        }
        return all;
    }

    /**
     * All its addresses, in the order in which they are to be tried.
     *
     * @throws UnknownHostException if the host has none
     */
    public List<InetSocketAddress> resolved() throws UnknownHostException {
        return Stream.of(InetAddress.getAllByName(host))
                .map(each -> new InetSocketAddress(each, port))
                .toList();
    }

    /** As the client library takes it. */
    public InetSocketAddress unresolved() {
        return InetSocketAddress.createUnresolved(host, port);
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "--server is '" + text + "': expected HOST:PORT with a port of 1 to 65535, or HOST alone");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
