package io.plog.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("sets properties of the JVM")
final class BookKeeperJarsTest {
    private static final String LIB = "plog.bookkeeper.lib";
    private static final String FETCH = "plog.bookkeeper.fetch";

    @TempDir
    Path directory;

    @BeforeEach
    void jarsAreNotThere() {
        System.setProperty(LIB, directory.resolve("lib").toString());
    }

    @AfterEach
    void forget() {
        System.clearProperty(LIB);
        System.clearProperty(FETCH);
    }

    private void launcher(String script) throws Exception {
        Path launcher = Files.createFile(
                directory.resolve("launcher"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(launcher, "#!/bin/sh\n" + script + "\n");
        System.setProperty(FETCH, launcher.toString());
    }

    /** As its own pom names it: what the launcher fetches is named so. */
    private static String artifact() throws Exception {
        Matcher name = Pattern.compile("<artifactId>(\\S*logging-bookkeeper)</artifactId>")
                .matcher(Files.readString(Path.of("../logging-bookkeeper/pom.xml")));
        assertThat(name.find()).isTrue();
        return name.group(1);
    }

    @Test
    void theLauncherIsAskedOnceForWhatIsNotThere() throws Exception {
        launcher("echo \"$@\" >> " + directory + "/asked; mkdir -p " + directory + "/lib; touch " + directory + "/lib/"
                + artifact() + "-0.1.0.jar");
        assertThat(BookKeeperJars.directory()).isEqualTo(directory.resolve("lib"));
        assertThat(BookKeeperJars.directory()).isEqualTo(directory.resolve("lib"));
        assertThat(directory.resolve("asked")).content().isEqualTo("--fetch-bookkeeper\n");
    }

    @Test
    void whatCannotBeFetchedIsOneSentence() throws Exception {
        launcher("exit 1");
        assertThatThrownBy(BookKeeperJars::directory)
                .isInstanceOf(IOException.class)
                .hasMessage("BookKeeper is needed here and could not be fetched");
    }

    @Test
    void withoutALauncherItSaysWhereTheyAreExpected() {
        assertThatThrownBy(BookKeeperJars::directory)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected its jars in " + directory.resolve("lib"));
    }
}
