package io.plog.log.bookkeeper;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where a log is: {@code bookkeeper://zk1:2181,zk2:2181/NAME?ensemble=3&write=3&ack=2}.
 *
 * @param servers of ZooKeeper, with commas between
 * @param name letters, digits, dots, hyphens and underscores
 * @param quorum null if the address says nothing about it
 */
record BookKeeperAddress(
        String servers, String name, @Nullable Quorum quorum) {
    static final String SCHEME = "bookkeeper";
    private static final String FORM = "bookkeeper://HOST:PORT[,HOST:PORT...]/NAME[?ensemble=3&write=3&ack=2]";
    private static final int MOST_PORT = 65_535;
    private static final Set<String> PARAMETERS = new TreeSet<>(Set.of("ensemble", "write", "ack"));

    /** Takes an address apart, or says what is wrong with it. */
    static BookKeeperAddress parse(URI address) {
        String servers = address.getRawAuthority();
        if (servers == null || !servers.matches("[^,:@]+:[0-9]{1,5}(,[^,:@]+:[0-9]{1,5})*")) {
            throw wrong(address, "it names no servers of ZooKeeper");
        }
        for (String server : servers.split(",", -1)) {
            String port = server.substring(server.indexOf(':') + 1);
            if (Integer.parseInt(port) < 1 || Integer.parseInt(port) > MOST_PORT) {
                throw wrong(address, "its port is " + port + ", not one of 1 to " + MOST_PORT);
            }
        }
        String path = address.getRawPath();
        if (path == null || !path.matches("/[A-Za-z0-9._-]{1,100}") || path.matches("/\\.+")) {
            throw wrong(address, "its name of a log is '" + path + "'");
        }
        return new BookKeeperAddress(servers, path.substring(1), quorum(address));
    }

    /** What an address says about the quorum; null if nothing. */
    static @Nullable Quorum quorum(URI address) {
        String query = address.getRawQuery();
        if (query == null) {
            return null;
        }
        Map<String, Integer> values = new HashMap<>();
        for (String each : query.split("&", -1)) {
            String[] parts = each.split("=", 2);
            if (!PARAMETERS.contains(parts[0])) {
                throw wrong(address, "it has the unknown parameter '" + parts[0] + "'; there are " + PARAMETERS);
            }
            if (parts.length < 2 || !parts[1].matches("[0-9]{1,3}") || values.containsKey(parts[0])) {
                throw wrong(address, "'" + each + "' is not one number for " + parts[0]);
            }
            values.put(parts[0], Integer.valueOf(parts[1]));
        }
        Quorum usual = Quorum.DEFAULT;
        int ensemble = values.getOrDefault("ensemble", usual.ensemble());
        int write = values.getOrDefault("write", ensemble);
        try {
            return new Quorum(ensemble, write, values.getOrDefault("ack", write / 2 + 1));
        } catch (IllegalArgumentException e) {
            throw wrong(address, e.getMessage());
        }
    }

    private static IllegalArgumentException wrong(URI address, @Nullable String why) {
        return new IllegalArgumentException("not the address of a log, " + address + ": " + why + "; expected " + FORM);
    }
}
