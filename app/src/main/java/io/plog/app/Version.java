package io.plog.app;

import io.plog.host.Build;
import picocli.CommandLine.IVersionProvider;

/** Which build of plog runs, and on what. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        Build build = Build.current();
        return new String[] {
            "plog " + build.version() + ", commit " + build.commit(),
            "Java " + Runtime.version() + ", " + System.getProperty("os.name")
        };
    }
}
