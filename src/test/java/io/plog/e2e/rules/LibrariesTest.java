package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The bom has no parent, and says by itself what it would have from it. */
final class LibrariesTest {
    private static final Path ROOT = DiskDirectory.root();

    private static final Pattern VERSION =
            Pattern.compile("<artifactId>plog-(?:parent|bom)</artifactId>\\s*<version>([^<$]+)<");
    private static final Pattern PLUGIN =
            Pattern.compile("<artifactId>[a-z-]+-plugin</artifactId>\\s*<version>[^<]+</version>");
    private static final Pattern LIBRARY = Pattern.compile(
            "<artifactId>plog-([a-z-]+)</artifactId>\\s*<version>\\$\\{project\\.version}</version>\\s*</dependency>");

    private static String pom(String module) throws IOException {
        return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
    }

    private static Set<String> all(Pattern pattern, String pom, int group) {
        return pattern.matcher(pom)
                .results()
                .map(found -> found.group(group).replaceAll("\\s+", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Its users would get the versions of everything else that the parent manages. */
    @Test
    void theBomHasNoParentButItsVersions() throws Exception {
        String bom = pom("bom");
        String parent = pom("");
        assertThat(bom).doesNotContain("<parent>").doesNotContain("<scope>");
        assertThat(all(VERSION, bom, 1)).hasSize(1).isEqualTo(all(VERSION, parent, 1));
        assertThat(all(PLUGIN, parent, 0)).containsAll(all(PLUGIN, bom, 0));
    }

    @Test
    void theBomListsEachLibraryThatIsPublishedAndNothingElse() throws Exception {
        Set<String> published = new TreeSet<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(each -> Files.exists(each.resolve("pom.xml")))
                    .toList()) {
                if (Files.readString(module.resolve("pom.xml")).contains("<maven.javadoc.skip>false<")) {
                    published.add(module.getFileName().toString());
                }
            }
        }
        assertThat(published).contains("logging-core", "server");
        assertThat(all(LIBRARY, pom("bom"), 1)).isEqualTo(published);
        assertThat(pom("bom").split("<dependency>", -1)).hasSize(published.size() + 1);
    }
}
