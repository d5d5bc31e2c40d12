package io.plog.e2e.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Puts a test's temporary directory on the disk that the build is on: the system's own may be memory. */
public final class DiskDirectory implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        return create();
    }

    /** The root of the source tree. */
    public static Path root() {
        return Path.of(System.getProperty("plog.root"));
    }

    public static Path create() throws IOException {
        Path parent = root().resolve("src/test/target/e2e");
        return Files.createTempDirectory(Files.createDirectories(parent), "");
    }
}
