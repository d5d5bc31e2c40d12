package io.plog.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.log.storage.Force;
import io.plog.protocol.ServiceKind;
import io.plog.results.cells.LatencyPart;
import io.plog.results.verdict.CheckRule;
import io.plog.stats.Percentile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is listed once in the code and shown elsewhere: a developer who adds to a list learns here which places do not have it yet. */
final class ListsTest {
    private static final Path ROOT =
            Path.of(Objects.requireNonNull(System.getProperty("plog.root"), "plog.root is set by the build"));

    private static String text(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    private static JsonNode schema(String file) throws IOException {
        return new ObjectMapper().readTree(text("docs/" + file));
    }

    @Test
    void theSchemaAllowsTheChecksOfTheList() throws IOException {
        String ids = Stream.of(CheckRule.values()).map(CheckRule::id).collect(Collectors.joining("|"));
        assertThat(schema("results.schema.json")
                        .at("/properties/validity/items/properties/id/pattern")
                        .textValue())
                .isEqualTo("^(" + ids + ")(:.*)?$");
    }

    @Test
    void theDocumentsSayWhatEachCheckMeansInTheOrderOfTheList() throws IOException {
        List<String> rows = text("docs/measurement.md")
                .lines()
                .dropWhile(line -> !line.equals("| id | severity | what is checked |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.replaceFirst("^\\| ([a-z-]+)(:[A-Z]+)? \\| [^|]+ \\| [^|]+ \\|$", "$1"))
                .toList();
        assertThat(rows)
                .isEqualTo(Stream.of(CheckRule.values()).map(CheckRule::id).toList());
    }

    @Test
    void theDocumentsAndTheSecondImplementationHaveEachPartOfTheLatency() throws IOException {
        List<String> parts =
                Arrays.stream(LatencyPart.values()).map(LatencyPart::label).toList();
        assertThat(text("docs/measurement.md")).contains("latency = " + String.join(" + ", parts) + "\n");
        assertThat(text("tools/recompute/figures.py")).contains("PARTS = [\"" + String.join("\", \"", parts) + "\"]");
    }

    @Test
    void thePageHasAColourForEachPartOfTheLatencyAndForEachGroup() throws IOException {
        String palette = text("page/src/main/resources/io/plog/page/palette.js");
        List<String> names = new ArrayList<>(List.of(LatencyPart.UNREAD_OR_NETWORK));
        Stream.of(LatencyPart.values()).map(LatencyPart::label).forEach(names::add);
        Stream.of(LatencyPart.OF_A_LOAD, LatencyPart.OF_A_WORKLOAD)
                .flatMap(List::stream)
                .map(LatencyPart.Group::name)
                .forEach(names::add);
        assertThat(names).allSatisfy(name -> assertThat(palette).containsPattern("\n  \"?" + name + "\"?: \\["));
    }

    @Test
    void theSchemaHasEachComponentOfAWorkload() throws IOException {
        List<String> found = new ArrayList<>();
        schema("results.schema.json")
                .at("/$defs/workloadPart/properties/name/enum")
                .forEach(name -> found.add(name.textValue()));
        assertThat(LatencyPart.OF_A_WORKLOAD.stream().flatMap(group -> Stream.of(group.name(false), group.name(true))))
                .isSubsetOf(found);
    }

    @Test
    void everyGroupingHasEachPartFromTheSendingOnOnce() {
        List<LatencyPart> fromSending = List.of(LatencyPart.values()).subList(1, LatencyPart.values().length);
        for (List<LatencyPart.Group> groups : List.of(LatencyPart.OF_A_LOAD, LatencyPart.OF_A_WORKLOAD)) {
            assertThat(groups.stream().flatMap(group -> group.parts().stream()))
                    .containsExactlyInAnyOrderElementsOf(fromSending);
        }
    }

    @Test
    void schemasSecondImplementationAndTheGrammarOfGatesHaveEachPercentile() throws IOException {
        List<String> labels =
                Stream.of(Percentile.values()).map(Percentile::label).toList();
        List<String> fields = new ArrayList<>();
        schema("results.schema.json")
                .at("/$defs/distribution/properties")
                .fieldNames()
                .forEachRemaining(fields::add);
        assertThat(fields.stream().filter(field -> field.matches("p\\d+"))).isEqualTo(labels);
        List<String> statistics = Stream.of(Stream.of("mean"), labels.stream(), Stream.of("max"))
                .flatMap(each -> each)
                .toList();
        assertThat(schema("comparison.schema.json").findValues("figure"))
                .extracting(figure -> figure.path("enum").toString())
                .contains("[\"" + String.join("\",\"", statistics) + "\"]");
        assertThat(text("docs/measurement.md"))
                .contains("statistic = \"" + String.join("\" | \"", statistics) + "\"\n");
        assertThat(text("tools/recompute/figures.py")).contains("QUANTILES = " + Percentile.quantiles() + "\n");
    }

    @Test
    void thePagesTablesHaveAColumnForEachOfTheirPercentiles() throws IOException {
        String page = text("page/src/main/resources/io/plog/page/run.json");
        Set<Percentile> shown = EnumSet.of(
                Percentile.P5, Percentile.P50, Percentile.P95, Percentile.P99, Percentile.P999); // the results have all
        for (Percentile percentile : Percentile.values()) {
            for (String measure : List.of("logMicros", "endToEndMicros")) {
                String column = "[\"" + percentile.heading() + "\", \"" + measure + "." + percentile.label() + "\"";
                assertThat(page.contains(column))
                        .as("the column %s of run.json", column)
                        .isEqualTo(shown.contains(percentile));
            }
        }
    }

    @Test
    void schemaDocumentsPageAndTheDisksCommandHaveEachWayOfForcing() throws IOException {
        List<String> labels = Stream.of(Force.values()).map(Force::label).toList();
        List<String> ofSchema = new ArrayList<>();
        schema("results.schema.json").at("/$defs/force/enum").forEach(label -> ofSchema.add(label.textValue()));
        assertThat(ofSchema).containsAll(labels);
        assertThat(labels).allSatisfy(label -> {
            assertThat(text("docs/operations.md")).contains("`" + label + "`");
            assertThat(text("docs/protocol.md")).contains("`" + label + "`");
            assertThat(text("app/src/main/java/io/plog/app/server/ServerCommand.java"))
                    .containsPattern("force=[a-z|]*\\b" + label + "\\b");
        });
        assertThat(labels.stream().filter(label -> !label.equals(Force.OFF.label())))
                .allSatisfy(label -> {
                    assertThat(text("page/src/main/resources/io/plog/page/disk.json"))
                            .containsPattern("\"force\": \\{\"values\": \\[[^]]*\"" + label + "\"");
                    assertThat(text("app/src/main/java/io/plog/app/disk/DiskCommand.java"))
                            .containsPattern("defaultValue = \"[a-z,]*\\b" + label + "\\b");
                });
    }

    @Test
    void theDocumentsHaveEachService() throws IOException {
        String protocol = text("docs/protocol.md");
        String operations = text("docs/operations.md");
        assertThat(ServiceKind.values()).allSatisfy(service -> {
            assertThat(protocol).contains("\n- `" + service.label() + "`: ");
            assertThat(operations).contains("`" + service.label() + "` (");
        });
    }
}
