package io.plog.app;

import io.plog.host.Build;
import picocli.CommandLine.IVersionProvider;

/** Which build of plog runs, and on what. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "plog " + Build.current().text(), "Java " + Runtime.version() + ", " + System.getProperty("os.name")
        };
    }
}
