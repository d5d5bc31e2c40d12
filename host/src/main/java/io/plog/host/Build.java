package io.plog.host;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
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

    private static Build read() {
        try {
            CodeSource source = Build.class.getProtectionDomain().getCodeSource();
            Path jar = Path.of(source.getLocation().toURI());
            if (Files.isRegularFile(jar)) {
                try (JarFile file = new JarFile(jar.toFile())) {
                    return of(file.getManifest());
                }
            }
        } catch (IOException | URISyntaxException | RuntimeException e) {
            // Its classes come from somewhere else.
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
