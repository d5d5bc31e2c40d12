package io.plog.app;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar's manifest. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"plog " + text(), "Java " + Runtime.version() + ", " + System.getProperty("os.name")};
    }

    /** The version alone; says so where the classes do not come from a jar. */
    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(not from a jar)" : version;
    }
}
