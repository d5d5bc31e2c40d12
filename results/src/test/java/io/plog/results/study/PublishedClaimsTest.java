package io.plog.results.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.results.verdict.Claims;
import io.plog.results.verdict.PublishedClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A developer who adds a claim to the list learns here which places do not have it yet. */
final class PublishedClaimsTest {
    private static final Path ROOT =
            Path.of(Objects.requireNonNull(System.getProperty("plog.root"), "plog.root is set by the build"));

    private static String text(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    private static List<String> ids(List<? extends PublishedClaim<?>> rows) {
        return rows.stream().map(PublishedClaim::id).toList();
    }

    private static List<String> schemaIds() throws IOException {
        List<String> ids = new ArrayList<>();
        JsonNode schema = new ObjectMapper().readTree(text("docs/results.schema.json"));
        schema.at("/properties/claims/items/properties/id/enum").forEach(id -> ids.add(id.textValue()));
        return ids;
    }

    @Test
    void noTwoClaimsHaveOneId() {
        assertThat(ids(StudyClaims.ALL)).doesNotHaveDuplicates();
    }

    @Test
    void theSchemaAllowsTheClaimsOfTheList() throws IOException {
        assertThat(schemaIds()).isEqualTo(ids(StudyClaims.ALL));
    }

    @Test
    void theDocumentsTableHasEachClaimWithItsPublishedFigure() throws IOException {
        List<String> lines = text("docs/measurement.md").lines().toList();
        for (PublishedClaim<?> claim : StudyClaims.ALL) {
            assertThat(lines.stream().filter(line -> line.startsWith("| " + claim.id() + " | ")))
                    .as("the row of %s in docs/measurement.md", claim.id())
                    .hasSize(1)
                    .allSatisfy(line -> assertThat(line).contains(claim.published() + " | "));
        }
    }

    @Test
    void theSecondImplementationHasEachClaimOfARunOrSaysThatItHasNot() throws IOException {
        String python = text("tools/recompute/claims.py");
        for (String id : ids(Claims.ROWS)) {
            assertThat(python)
                    .as("%s in tools/recompute/claims.py", id)
                    .containsPattern("def " + id.toLowerCase(Locale.ROOT) + "\\(|NOT_RECOMPUTED = .*\"" + id + "\"");
        }
    }

    @Test
    void aTestNamesTheRuleOfEachClaim() throws IOException {
        String tests = text("results/src/test/java/io/plog/results/verdict/ClaimsTest.java")
                + text("results/src/test/java/io/plog/results/study/StudyTest.java");
        for (String id : ids(StudyClaims.ALL)) {
            assertThat(tests).as("a test of %s", id).contains('"' + id + '"');
        }
    }

    @Test
    void eachClaimIsASentenceWithASource() {
        assertThat(StudyClaims.ALL).allSatisfy(claim -> {
            assertThat(claim.source()).isNotBlank();
            assertThat(claim.text()).endsWith(".");
            assertThat(claim.published()).isNotBlank();
        });
    }
}
