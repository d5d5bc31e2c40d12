package io.plog.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code NOTICE} names whatever the program file contains of others, and their licences are in it. */
final class NoticeTest {
    private static final Path ROOT =
            Path.of(Objects.requireNonNull(System.getProperty("plog.root"), "plog.root is set by the build"));

    /** A row: a name, two spaces or more, and the package. */
    private static final Pattern ROW =
            Pattern.compile("^ {2,4}\\S.*? {2,}([a-zA-Z]+(?:\\.\\w+)*) {2,}\\S", Pattern.MULTILINE);

    /** Where libraries keep what they contain of others. */
    private static final Set<String> OF_OTHERS =
            Set.of("shaded", "external", "repackaged", "relocated", "thirdparty", "vendor");

    private static final Pattern END_OF_APACHE =
            Pattern.compile("limitations under the License\\.|END OF TERMS AND CONDITIONS");

    private static final Pattern APACHE_ELSEWHERE = Pattern.compile(
            "This copy of .{1,60} is licensed under the Apache \\(Software\\) License, version 2\\.0 .*LICENSE-2\\.0");

    /** The jars that the program is made of but for plog's own, as the build resolved them. */
    private static List<Path> jars() throws IOException {
        String classPath = Files.readString(ROOT.resolve("app/target/program-class-path"));
        List<Path> jars = Stream.of(classPath.strip().split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> !path.startsWith(ROOT) && path.toString().endsWith(".jar"))
                .toList();
        assertThat(jars).hasSizeGreaterThan(10);
        return jars;
    }

    private static List<JarEntry> entries(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream().filter(entry -> !entry.isDirectory()).toList();
        }
    }

    private static String text(Path jar, String entry) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return new String(
                    file.getInputStream(Objects.requireNonNull(file.getEntry(entry), entry))
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
        }
    }

    private static Set<String> packagesNamed() throws IOException {
        return ROW.matcher(Files.readString(ROOT.resolve("NOTICE")))
                .results()
                .map((MatchResult row) -> row.group(1))
                .filter(name -> !name.equals("package"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> packages(Path jar) throws IOException {
        return entries(jar).stream()
                .map(entry -> entry.getName().replaceFirst("^META-INF/versions/\\d+/", ""))
                .filter(name -> name.endsWith(".class") && name.contains("/"))
                .map(name -> name.substring(0, name.lastIndexOf('/')).replace('/', '.'))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The row that a package belongs to: the longest. */
    private static String owner(String name, Set<String> rows) {
        return rows.stream()
                .filter(row -> name.equals(row) || name.startsWith(row + "."))
                .max(Comparator.comparingInt(String::length))
                .orElse("");
    }

    /** Whether a part of the name that says "of others" comes after what a row names. */
    private static boolean isOfOthers(String name, String row) {
        return !row.isEmpty()
                && Stream.of(name.substring(row.length()).split("\\.")).anyMatch(OF_OTHERS::contains);
    }

    @Test
    void everyPackageOfTheProgramIsNamed() throws Exception {
        Set<String> rows = packagesNamed();
        List<String> missing = new ArrayList<>();
        Set<String> stale = new TreeSet<>(rows);
        for (Path jar : jars()) {
            for (String name : packages(jar)) {
                String row = owner(name, rows);
                stale.remove(row);
                if (row.isEmpty() || isOfOthers(name, row)) {
                    missing.add(name + " of " + jar.getFileName());
                }
            }
        }
        assertThat(missing).as("packages that NOTICE does not name").isEmpty();
        assertThat(stale)
                .as("packages that NOTICE names and the program does not have")
                .isEmpty();
    }

    @Test
    void whatALicenceSaysBesidesApachesIsInTheProgram() throws Exception {
        String kept = "";
        try (Stream<Path> files = Files.list(ROOT.resolve("app/src/main/resources/META-INF/licenses"))) {
            for (Path file : files.toList()) {
                kept += words(Files.readString(file));
            }
        }
        for (Path jar : jars()) {
            for (JarEntry entry : entries(jar)) {
                if (entry.getName().equals("META-INF/LICENSE")) {
                    String rest = besidesApache(text(jar, entry.getName()));
                    assertThat(kept.contains(rest))
                            .as("META-INF/licenses has what the licence of %s says: %s", jar.getFileName(), rest)
                            .isTrue();
                }
            }
        }
    }

    /** What follows Apache's terms; nothing if the text only refers to them. */
    private static String besidesApache(String licence) {
        String[] parts = END_OF_APACHE.split(licence, -1);
        boolean refers =
                parts.length == 1 && APACHE_ELSEWHERE.matcher(words(licence)).matches();
        return refers ? "" : words(parts[parts.length - 1]);
    }

    /** Of two files of the same name only one would be in the program. */
    @Test
    void noLicenceIsOverwrittenByAnother() throws Exception {
        Map<String, List<String>> jarsByName = new TreeMap<>();
        for (Path jar : jars()) {
            for (JarEntry entry : entries(jar)) {
                String name = entry.getName();
                if (name.matches("(?i)META-INF/.*licen[sc]e[^/]*") && !name.equals("META-INF/LICENSE")) {
                    jarsByName
                            .computeIfAbsent(name, any -> new ArrayList<>())
                            .add(jar.getFileName().toString());
                }
            }
        }
        assertThat(jarsByName).isNotEmpty();
        String notice = Files.readString(ROOT.resolve("NOTICE"));
        jarsByName.forEach((name, jars) -> {
            assertThat(jars).as(name).hasSize(1);
            assertThat(notice).contains(name.substring("META-INF/".length()));
        });
    }

    /** The page's tests see to it that what it holds besides is plog's own. */
    @Test
    void theLibraryThatDrawsIsNamedWithItsVersion() throws Exception {
        assertThat(jars().stream().map(jar -> jar.getFileName().toString()).filter(name -> name.startsWith("d3-")))
                .containsExactly("d3-7.9.0.jar");
        assertThat(Files.readString(ROOT.resolve("NOTICE"))).contains("D3 7.9.0 (ISC");
    }

    private static String words(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }
}
