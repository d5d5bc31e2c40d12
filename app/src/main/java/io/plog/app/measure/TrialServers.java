package io.plog.app.measure;

import io.plog.measure.HostPort;
import java.io.IOException;
import java.util.Collections;
import java.util.List;

/** Where each trial of a run finds its server. Used by one thread. */
public interface TrialServers {
    /**
     * A server that runs already, the same for all trials.
     *
     * @param server its address
     */
    static TrialServers always(HostPort server) {
        return trials -> Collections.nCopies(trials.size(), server);
    }

    /**
     * Makes a server ready for each of some trials.
     *
     * @param trials from 0; no more than {@link #atOnce}
     * @return where they are, in the same order
     * @throws IOException if it cannot be started; the message says why
     */
    List<HostPort> start(List<Integer> trials) throws IOException, InterruptedException;

    /** What the command line of a trial's client begins with, such as a network namespace; empty for this process's own. */
    default List<String> clientWithin() {
        return List.of();
    }

    /**
     * How many trials may warm up at the same time before they are counted one after the other, at least 1: of one server one, since
     * a client that waits would be a second connection for the one that counts.
     */
    default int atOnce() {
        return 1;
    }

    /**
     * The trials that were started are over.
     *
     * @throws IOException if a server did not end in order
     */
    default void stop() throws IOException, InterruptedException {}
}
