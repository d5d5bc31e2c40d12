package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Directories;
import io.plog.e2e.support.DiskDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The form of the documents: each says for whom it is, lines fit a screen, and links lead somewhere. */
final class DocumentsTest {
    private static final Path ROOT = DiskDirectory.root();
    private static final int MOST_COLUMNS = 120;
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

    private static List<Path> documents() throws IOException {
        return Directories.files(ROOT.resolve("docs")).stream()
                .filter(file -> file.toString().endsWith(".md"))
                .toList();
    }

    private static List<Path> documentsAndReadme() throws IOException {
        List<Path> all = new ArrayList<>(documents());
        all.addAll(Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
                .map(ROOT::resolve)
                .toList());
        all.addAll(Directories.files(ROOT.resolve("docs/upstream")));
        return all;
    }

    /** A document's lines without what stands in fences. */
    private static List<String> text(Path document) throws IOException {
        List<String> text = new ArrayList<>();
        boolean fenced = false;
        for (String line : Files.readAllLines(document)) {
            if (line.strip().startsWith("```")) {
                fenced = !fenced;
            } else if (!fenced) {
                text.add(line);
            }
        }
        return text;
    }

    @Test
    void eachDocumentBeginsWithWhoItIsForAndWhatItAnswers() throws Exception {
        assertThat(documents()).hasSizeGreaterThan(10);
        for (Path document : documents()) {
            List<String> lines = Files.readAllLines(document);
            assertThat(lines.get(0)).as("%s", document).startsWith("# ");
            assertThat(lines.get(2)).as("%s", document).startsWith("For people who ");
        }
    }

    /** But for tables, headings and links, which have no place to be broken at. */
    @Test
    void linesFitAScreen() throws Exception {
        List<String> tooLong = new ArrayList<>();
        for (Path document : documentsAndReadme()) {
            for (String line : text(document)) {
                if (line.length() > MOST_COLUMNS
                        && !line.startsWith("|")
                        && !line.startsWith("#")
                        && !LINK.matcher(line).find()) {
                    tooLong.add(document.getFileName() + ": " + line);
                }
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void theReadmeHasTheCommandThatChecksEachChange() throws Exception {
        String command = "mvn -B -ntp verify";
        assertThat(ROOT.resolve("README.md")).content().contains("$ " + command);
        assertThat(ROOT.resolve(".ci/run")).content().contains("exec " + command);
    }

    @Test
    void linksLeadSomewhere() throws Exception {
        List<String> broken = new ArrayList<>();
        for (Path document : documentsAndReadme()) {
            for (String line : text(document)) {
                Matcher link = LINK.matcher(line);
                while (link.find()) {
                    if (!leadsSomewhere(document, link.group(1))) {
                        broken.add(document.getFileName() + ": " + link.group(1));
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private static boolean leadsSomewhere(Path document, String target) throws IOException {
        if (target.startsWith("http")) {
            return true;
        }
        int anchor = target.indexOf('#');
        String file = anchor < 0 ? target : target.substring(0, anchor);
        Path other = file.isEmpty() ? document : document.resolveSibling(file);
        return Files.exists(other) && (anchor < 0 || anchors(other).contains(target.substring(anchor + 1)));
    }

    /** The names that the usual hosts give to headings. */
    private static Set<String> anchors(Path document) throws IOException {
        Set<String> anchors = new HashSet<>();
        for (String line : text(document)) {
            if (line.startsWith("#")) {
                String heading = line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT);
                anchors.add(heading.replaceAll("[^\\p{L}\\p{N}\\- _]", "").replace(' ', '-'));
            }
        }
        return anchors;
    }
}
