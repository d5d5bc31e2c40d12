package io.plog.measure.load;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * The servers of a load, mostly one. Of several, one serves, and the others stand by: the load stays with one until that cannot be
 * reached, ends a connection or says that it does not serve, and then goes to the next in the list. For the driving thread.
 */
final class LoadServers {
    private final List<InetSocketAddress> addresses;
    private int current;

    /**
     * @param addresses resolved; at least one
     * @param first the place of the one to begin with
     */
    LoadServers(List<InetSocketAddress> addresses, int first) {
        this.addresses = List.copyOf(addresses);
        this.current = first;
    }

    /** The place of the one that serves, as far as is known. */
    int current() {
        return current;
    }

    InetSocketAddress address(int server) {
        return addresses.get(server);
    }

    int count() {
        return addresses.size();
    }

    boolean hasOthers() {
        return addresses.size() > 1;
    }

    /** One does not serve: unless others were tried already, it is the next one's turn. */
    void leave(int server) {
        if (server == current) {
            current = (server + 1) % addresses.size();
        }
    }
}
