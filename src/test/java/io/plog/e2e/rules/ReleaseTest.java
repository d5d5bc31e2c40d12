package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A version is said in one way wherever it stands, also in the commits that {@code tools/release} makes. */
class ReleaseTest {
    private static final Path ROOT = DiskDirectory.root();
    private static final String SNAPSHOT = "-SNAPSHOT";

    @TempDir
    private Path directory;

    private static String first(Path file, String pattern) throws IOException {
        Matcher found = Pattern.compile(pattern, Pattern.MULTILINE).matcher(Files.readString(file));
        assertThat(found.find()).as(pattern + " in " + file).isTrue();
        return found.group(1);
    }

    /** The citation is of the last release; before the first one of that. */
    private static void assertAgrees(Path root) throws IOException {
        String version = first(root.resolve("pom.xml"), "<version>(.*)</version>");
        assertThat(first(root.resolve("CHANGELOG.md"), "^## ([0-9.]+), ")).isEqualTo(version.replace(SNAPSHOT, ""));
        String released = first(root.resolve("CHANGELOG.md"), "^## ([0-9.]+, [-0-9]{10})\\b");
        Path citation = root.resolve("CITATION.cff");
        assertThat(first(citation, "^version: (.*)") + ", " + first(citation, "^date-released: (.*)"))
                .isEqualTo(released);
        for (String file : new String[] {"server", "disk", "replicated"}) {
            assertThat(first(root.resolve("ops/kubernetes/" + file + ".yaml"), "image: plog:(.*)"))
                    .isEqualTo(version);
        }
        if (!version.endsWith(SNAPSHOT)) {
            assertThat(first(root.resolve("pom.xml"), "outputTimestamp>(.{10})"))
                    .isEqualTo(released.split(", ")[1]);
        }
    }

    @Test
    void versionChangelogCitationAndImagesAgree() throws IOException {
        assertAgrees(ROOT);
    }

    @Test
    void aReleaseAndWhatFollowsItAgreeAndOnlyTheReleaseHasItsTag() throws Exception {
        Path copy = directory.resolve("copy");
        run(ROOT, "mkdir", copy.toString());
        run(
                ROOT,
                "sh",
                "-c",
                "tar -cf - pom.xml */pom.xml src/*/pom.xml CHANGELOG.md CITATION.cff ops tools/release"
                        + " | tar -xf - -C '" + copy + "'");
        run(copy, "git", "init", "-q");
        for (String each : new String[] {"user.name=t", "user.email=t@example.org", "commit.gpgsign=false"}) {
            run(copy, "git", "config", each.split("=")[0], each.split("=")[1]);
        }
        run(copy, "git", "add", "-A");
        run(copy, "git", "commit", "-qm", "before");
        String version =
                first(ROOT.resolve("pom.xml"), "<version>(.*)</version>").replace(SNAPSHOT, "");
        run(copy, "tools/release", "987.6.5");
        assertThat(first(copy.resolve("pom.xml"), "<version>(.*)</version>")).isEqualTo("987.6.5" + SNAPSHOT);
        assertAgrees(copy);
        run(copy, "git", "checkout", "-q", "v" + version);
        assertThat(first(copy.resolve("logging-core/pom.xml"), "<version>(.*)</version>"))
                .isEqualTo(version);
        assertAgrees(copy);
        assertThat(run(copy, "git", "grep", "-c", "SNAPSHOT", "--", "*pom.xml", "ops"))
                .isEmpty();
    }

    /** Returns what it printed; one that fails must not have. */
    private static String run(Path where, String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            assertThat(said).as(String.join(" ", command)).isEmpty();
        }
        return said;
    }
}
