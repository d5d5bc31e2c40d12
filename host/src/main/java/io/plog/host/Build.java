package io.plog.host;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Which build of plog runs, as its jar's manifest says.
 *
 * @param version {@code development} if it does not run from a jar
 * @param commit the source's, twelve digits of it, with {@code -dirty} behind it if files were changed since; {@link
 *     LinuxFiles#UNKNOWN} if it was not built from a git repository
 */
public record Build(String version, String commit) {
    private static final Build CURRENT = read();

    public static Build current() {
        return CURRENT;
    }

    /** Both, for people. */
    public String text() {
        return version + ", commit " + commit;
    }

    private static Build read() {
        // Not by the code source: a class of a class-data archive has that of the place where the archive was made.
        URL here = Build.class.getResource("Build.class");
        try {
            if (here != null && here.openConnection() instanceof JarURLConnection connection) {
                connection.setUseCaches(false);
                try (JarFile jar = connection.getJarFile()) {
                    return of(jar.getManifest());
                }
            }
        } catch (IOException e) {
            // Its jar was replaced while it runs.
        }
        return of(null);
    }

    static Build of(@Nullable Manifest manifest) {
        Attributes said = manifest == null ? new Attributes() : manifest.getMainAttributes();
        String version = said.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
        String commit = said.getValue("Implementation-Commit");
        // Maven leaves the name of a property that nobody has set, as in a build without git.
        return new Build(
                version == null ? "development" : version,
                commit == null || commit.startsWith("$") ? LinuxFiles.UNKNOWN : commit);
    }
}
