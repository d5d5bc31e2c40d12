package io.plog.app.measure;

import io.plog.measure.HostPort;
import java.io.IOException;

/** Where each trial of a run finds its server. Used by one thread, a trial at a time. */
public interface TrialServers {
    /**
     * A server that runs already, the same for all trials.
     *
     * @param server its address
     */
    static TrialServers always(HostPort server) {
        return new TrialServers() {
            @Override
            public HostPort start(int trial) {
                return server;
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
    HostPort start(int trial) throws IOException, InterruptedException;

    /**
     * The trial is over.
     *
     * @return a note for the user, such as that the server ended during the trial; empty if there is none
     * @throws IOException if it did not end in order
     */
    String stop() throws IOException, InterruptedException;
}
