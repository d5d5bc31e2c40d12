package io.plog.app.measure;

import java.io.IOException;

/** Where each trial of a run finds its server. Used by one thread, a trial at a time. */
public interface TrialServers {
    /**
     * A server that runs already, the same for all trials.
     *
     * @param host its name or address
     * @param port its port
     */
    static TrialServers always(String host, int port) {
        return new TrialServers() {
            @Override
            public Address start(int trial) {
                return new Address(host, port);
            }

            @Override
            public String stop() {
                return "";
            }
        };
    }

    /**
     * Makes a server ready for a trial.
     *
     * @param trial from 0
     * @throws IOException if it cannot be started; the message says why
     */
    Address start(int trial) throws IOException, InterruptedException;

    /**
     * The trial is over.
     *
     * @return a note for the user, such as that the server ended during the trial; empty if there is none
     * @throws IOException if it did not end in order
     */
    String stop() throws IOException, InterruptedException;

    /** Where a server listens. */
    record Address(String host, int port) {}
}
