package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The map in {@code docs/design.md} shows the house as it is. */
final class MapTest {
    private static final Path ROOT = DiskDirectory.root();

    /** A row of the map: a package in code, or a module in bold. */
    private static final Pattern PACKAGE = Pattern.compile("^\\| `(io\\.plog[a-z0-9.]*)` \\| \\S", Pattern.MULTILINE);

    private static final Pattern MODULE = Pattern.compile("^\\| \\*\\*([a-z/-]+)\\*\\* \\| \\S", Pattern.MULTILINE);

    private static String map() throws IOException {
        return Files.readString(ROOT.resolve("docs/design.md"));
    }

    private static Set<String> rows(Pattern pattern) throws IOException {
        return pattern.matcher(map())
                .results()
                .map((MatchResult row) -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> modules() throws IOException {
        return Pattern.compile("<module>([^<]+)</module>")
                .matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(module -> module.group(1))
                .toList();
    }

    /** And not what measures and tests it. */
    private static boolean isOfTheProgram(String module) {
        return !module.startsWith("src/")
                && !Set.of("benchmarks", "examples", "bom", "packaging").contains(module);
    }

    /** The packages of a module's program, as its directories say. */
    private static Set<String> packages(String module) throws IOException {
        Path sources = ROOT.resolve(module).resolve("src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> Objects.requireNonNull(sources.relativize(file).getParent())
                            .toString()
                            .replace('/', '.'))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void everyModuleHasARow() throws Exception {
        assertThat(rows(MODULE)).containsExactlyInAnyOrderElementsOf(modules());
    }

    @Test
    void everyPackageHasARowAndNoRowIsOfAPackageThatIsGone() throws Exception {
        Set<String> there = new TreeSet<>();
        for (String module : modules()) {
            if (isOfTheProgram(module)) {
                there.addAll(packages(module));
            }
        }
        assertThat(there).hasSizeGreaterThan(20);
        Set<String> drawn = rows(PACKAGE);
        drawn.removeAll(Set.of("io.plog.e2e", "io.plog.fuzz"));
        assertThat(drawn).isEqualTo(there);
    }

    /** Lines of the program; what measures and tests it does not count. */
    @Test
    void noModuleIsMoreThanAQuarterOfTheProgram() throws Exception {
        Map<String, Long> lines = new TreeMap<>();
        for (String module : modules()) {
            if (isOfTheProgram(module)) {
                lines.put(module, linesOf(module));
            }
        }
        long all = lines.values().stream().mapToLong(Long::longValue).sum();
        assertThat(lines)
                .hasSizeGreaterThan(8)
                .allSatisfy((module, own) ->
                        assertThat(own).as("lines of %s, of %s", module, all).isLessThanOrEqualTo(all / 4));
    }

    private static long linesOf(String module) throws IOException {
        long lines = 0;
        try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                try (Stream<String> each = Files.lines(file)) {
                    lines += each.count();
                }
            }
        }
        return lines;
    }

    @Test
    void everyPackageThatIsDocumentedSaysWhatIsInIt() throws Exception {
        for (String module : modules()) {
            String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"));
            if (!pom.contains("<maven.javadoc.skip>false<")) {
                continue; // the map alone says it
            }
            for (String name : packages(module)) {
                Path info = ROOT.resolve(module)
                        .resolve("src/main/java")
                        .resolve(name.replace('.', '/'))
                        .resolve("package-info.java");
                assertThat(info).exists();
                assertThat(Files.readString(info)).as("%s", info).startsWith("/**");
            }
        }
    }

    @Test
    void everyModuleIsInThePicture() throws Exception {
        String picture = Files.readString(ROOT.resolve("docs/modules.svg"));
        for (String module : modules()) {
            if (isOfTheProgram(module)) {
                assertThat(picture).contains(">" + module + "</text>");
            }
        }
    }
}
