package io.plog.log.spi;

import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/**
 * Opens the logs of one kind of address. {@link ServiceLoader} finds it, so it needs a public constructor without parameters.
 */
public interface DurableLogProvider {
    /** The scheme of the addresses that it opens, in lower case. */
    String scheme();

    /**
     * Opens the log at an address, as {@link DurableLog#open} says.
     *
     * @throws IOException if it cannot be opened; a {@link LogException} says why in a sentence for people
     * @throws IllegalArgumentException if the address or an option is not right
     */
    DurableLog open(URI address, LogOptions options) throws IOException;

    /**
     * Opens the log at an address for looking into it, as {@link StoredLog#open} says: without a change, and without disturbing a
     * writer.
     *
     * @throws IOException if it cannot be opened; a {@link LogException} says why in a sentence for people
     * @throws IllegalArgumentException if the address is not right
     */
    default StoredLog openStored(URI address) throws IOException {
        throw new LogException(
                "the log at " + address + " cannot be looked into: logs of its kind, " + scheme()
                        + ", are read by their writer only",
                null);
    }

    /**
     * Looks what can be done about the damage of the log at an address, and changes nothing.
     *
     * @return what can be done; empty if nothing is to be done of what this kind of log can
     * @throws LogException if it is damaged and nothing can be done, or this kind of log knows no repair
     * @throws IOException if it cannot be determined
     * @throws IllegalArgumentException if the address is not right
     */
    default Optional<StoredRepair> planRepair(URI address) throws IOException {
        throw new LogException(
                "the log at " + address + " cannot be repaired: logs of its kind, " + scheme() + ", know no repair",
                null);
    }

    /**
     * The queue of those who want to hold the log at an address. Does not block.
     *
     * @throws LogException if this kind of log knows no standby
     * @throws IllegalArgumentException if the address is not right
     */
    default HolderElection election(URI address) throws IOException {
        throw new LogException(
                "the log at " + address + " knows no standby: a log of the kind " + scheme()
                        + " has one server; leave the standby out, or keep the log on several machines",
                null);
    }

    /**
     * A reader that follows the log at an address while another server writes it; empty if this kind of log cannot be followed. Does
     * not block.
     *
     * @throws IllegalArgumentException if the address is not right
     */
    default Optional<LogFollower> follower(URI address) {
        return Optional.empty();
    }

    /**
     * The provider for an address, as the thread's context class loader finds it.
     *
     * @throws LogException if there is none
     * @throws IllegalArgumentException if the address names no kind of log
     */
    static DurableLogProvider of(URI address) throws LogException {
        String scheme = address.getScheme();
        if (scheme == null) {
            throw new IllegalArgumentException(
                    "the address of a log, " + address + ", has no scheme: expected one like file:///DIR");
        }
        Set<String> known = new TreeSet<>();
        try {
            for (DurableLogProvider each : ServiceLoader.load(DurableLogProvider.class)) {
                if (each.scheme().equalsIgnoreCase(scheme)) {
                    return each;
                }
                known.add(each.scheme());
            }
        } catch (ServiceConfigurationError e) {
            throw new LogException("the kinds of log on the class path cannot be loaded: " + e.getMessage(), e);
        }
        throw new LogException(
                "no log can be opened at " + address + ": the class path has logs for " + String.join(", ", known)
                        + "; for " + scheme + " put the jars of that log on it",
                null);
    }
}
