package io.plog.app;

import io.plog.host.MachineFacts;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar's manifest. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"plog " + text(), "Java " + Runtime.version() + ", " + System.getProperty("os.name")};
    }

    /** The version alone. */
    static String text() {
        return MachineFacts.version();
    }
}
