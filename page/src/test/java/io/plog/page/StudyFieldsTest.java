package io.plog.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.report.study.StudyResults;
import io.plog.report.study.SyntheticStudy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That the page shows all of a study: whichever field changes, the page does. */
@Tag("slow")
final class StudyFieldsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SEED = 7;
    private static final int TRIES = 60;

    /**
     * Left to study.json: of the latency from the intended time all but mean, median, 95th and 99th percentile, and of the workloads'
     * components what the published table has not; of a load in memory all but its order and its
     * distribution, and of a claim what the published tables say as well.
     */
    private static final Pattern LEFT_OUT =
            Pattern.compile("\\.loads\\[]\\.fromIntended\\.(count|max|min|p5|p90|p999|.*\\.(low|high))"
                    + "|\\.controls\\[]\\.load\\.(?!inversion|ecdf|level|design).*"
                    + "|\\.claims\\[]\\.(source|published|unit|summary|sentence|stableStorage)"
                    + "|\\.workloads\\[]\\.rows\\[]\\.latency\\.(p5|p90|.*\\.(low|high))");

    private static final Map<String, String> OTHER_LABELS = Map.of(
            "holds",
            "fails",
            "fails",
            "holds",
            "undecided",
            "holds",
            "not-testable",
            "holds",
            "warning",
            "invalid",
            "invalid",
            "warning");

    /** A value in the tree: what holds it and its name or index there. */
    private record Place(JsonNode holder, String name, int index) {
        JsonNode value() {
            return holder.isArray() ? holder.get(index) : holder.get(name);
        }

        void put(JsonNode value) {
            if (holder instanceof ArrayNode array) {
                array.set(index, value);
            } else if (holder instanceof ObjectNode object) {
                object.set(name, value);
            }
        }
    }

    @Test
    void everyFieldOfAStudyChangesThePage() throws IOException {
        StudyResults study = SyntheticStudy.of(SEED);
        JsonNode tree = JSON.valueToTree(study);
        Map<String, List<Place>> fields = new TreeMap<>();
        collect("", tree, fields);
        assertThat(fields).hasSizeGreaterThan(120);
        String before = visible(study);
        List<String> unused = new ArrayList<>();
        for (Map.Entry<String, List<Place>> field : fields.entrySet()) {
            if (LEFT_OUT.matcher(field.getKey()).matches()) {
                continue;
            }
            List<Place> places = new ArrayList<>(field.getValue());
            Collections.shuffle(places, new Random(SEED));
            boolean used = false;
            for (Place place : places.subList(0, Math.min(TRIES, places.size()))) {
                JsonNode value = place.value();
                place.put(changed(value));
                used = !visible(JSON.treeToValue(tree, StudyResults.class)).equals(before);
                place.put(value);
                if (used) {
                    break;
                }
            }
            if (!used) {
                unused.add(field.getKey());
            }
        }
        assertThat(unused)
                .as("fields that the page does not show, seed " + SEED)
                .isEmpty();
    }

    private static String visible(StudyResults study) {
        String page = Page.of(StudyReport.of(study));
        return page.substring(0, page.indexOf("<script>"));
    }

    private static JsonNode changed(JsonNode value) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (value.isTextual() && OTHER_LABELS.containsKey(value.textValue())) {
            return nodes.textNode(OTHER_LABELS.get(value.textValue()));
        }
        if (value.isTextual()) {
            return nodes.textNode("changed");
        }
        if (value.isBoolean()) {
            return nodes.booleanNode(!value.booleanValue());
        }
        return value.isIntegralNumber()
                ? nodes.numberNode(value.intValue() + 1)
                : nodes.numberNode(value.doubleValue() * 0.8 + 0.01);
    }

    private static void collect(String path, JsonNode node, Map<String, List<Place>> fields) {
        if (node instanceof ObjectNode object) {
            object.properties()
                    .forEach(field -> place(path + "." + field.getKey(), new Place(object, field.getKey(), 0), fields));
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                place(path + "[]", new Place(array, "", i), fields);
            }
        }
    }

    private static void place(String path, Place place, Map<String, List<Place>> fields) {
        JsonNode value = place.value();
        if (value.isContainerNode()) {
            collect(path, value, fields);
        } else if (!value.isNull()) {
            fields.computeIfAbsent(path, key -> new ArrayList<>()).add(place);
        }
    }
}
