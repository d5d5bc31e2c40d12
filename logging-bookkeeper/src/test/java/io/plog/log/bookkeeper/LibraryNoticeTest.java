package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The notice next to the jars of {@code lib/bookkeeper} names each of them, and no others. */
class LibraryNoticeTest {
    private static final Path NOTICE = Path.of("src", "main", "lib", "NOTICE");

    /** A row: a jar without its version, its licence, and where it comes from. */
    private static final Pattern ROW = Pattern.compile("^ {2}([\\w.-]+) {2,}(\\S.*?) {2,}\\S+.*$", Pattern.MULTILINE);

    private static final Pattern JAR = Pattern.compile("(.+?)-[0-9].*\\.jar");

    /** The jars that the build puts there, but for plog's own. */
    private static Set<Path> jars() throws IOException {
        String classPath = Files.readString(Path.of("target", "library-class-path"));
        Set<Path> jars = Stream.of(classPath.strip().split(File.pathSeparator))
                .map(Path::of)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(jars).hasSizeGreaterThan(40);
        return jars;
    }

    private static String nameOf(Path jar) {
        Matcher name = JAR.matcher(jar.getFileName().toString());
        assertThat(name.matches()).as("%s", jar).isTrue();
        return name.group(1);
    }

    @Test
    void everyJarIsNamedWithItsLicence() throws Exception {
        Set<String> there =
                jars().stream().map(LibraryNoticeTest::nameOf).collect(Collectors.toCollection(TreeSet::new));
        there.add("logging-bookkeeper");
        Set<String> named = ROW.matcher(Files.readString(NOTICE))
                .results()
                .map((MatchResult row) -> row.group(1))
                .filter(name -> !name.equals("jar"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).as("the jars in %s", NOTICE).isEqualTo(there);
    }

    /** A licence that is not Apache's must come with its text, in the jar or next to it. */
    @Test
    void theTextsOfTheMitLicencesAreInTheirJars() throws Exception {
        Set<String> mit = ROW.matcher(Files.readString(NOTICE))
                .results()
                .filter(row -> row.group(2).equals("MIT"))
                .map((MatchResult row) -> row.group(1))
                .collect(Collectors.toSet());
        assertThat(mit).isNotEmpty();
        for (Path jar : jars()) {
            if (mit.contains(nameOf(jar))) {
                try (JarFile file = new JarFile(jar.toFile())) {
                    assertThat(file.getEntry("META-INF/LICENSE.txt"))
                            .as("%s", jar)
                            .isNotNull();
                }
            }
        }
    }
}
