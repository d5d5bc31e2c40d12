package io.plog.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/**
 * A JSON document with a field changed to what plog does not write: numbers out of range, numbers as text, nothing at all. The same
 * seed makes the same documents. For one thread.
 */
public final class HostileJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** As text, since no number of Java says some of them. */
    private static final List<String> VALUES = List.of(
            "0",
            "-1",
            "1",
            "0.5",
            "1e-300",
            "-1e-300",
            "1e15",
            "-1e15",
            "1e16",
            "1e308",
            "-1e308",
            "1e400",
            "-1e400",
            "1e999999999",
            "2147483647",
            "2147483648",
            "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808",
            "\"NaN\"",
            "\"-Infinity\"",
            "\"12\"",
            "\"abc\"",
            "\"\"",
            "\"1e400\"",
            "\"-5\"",
            "\"<b>\"",
            "null",
            "true",
            "[]",
            "{}");

    private static final JsonNode MARK = JsonNodeFactory.instance.textNode("hostile value");

    private final ObjectNode document;
    private final Map<String, List<Place>> fields = new TreeMap<>();
    private final Random random;

    /** A field or an element: what holds it, and its name or index there. */
    private record Place(JsonNode holder, String name, int index) {
        JsonNode value() {
            return holder.isArray() ? holder.get(index) : holder.get(name);
        }

        void put(JsonNode value) {
            if (holder instanceof ArrayNode array) {
                array.set(index, value);
            } else {
                ((ObjectNode) holder).set(name, value);
            }
        }
    }

    /** Takes one document as text; what it is changed to is named, as {@code .loads[].latency.max = 1e400 everywhere}. */
    public interface Trial {
        void with(String text, String what) throws IOException;
    }

    /** Of this document, which is not changed. */
    public HostileJson(JsonNode document, long seed) {
        this.document = document.deepCopy();
        this.random = new Random(seed);
        collect("", this.document);
    }

    /**
     * Tries documents, each with one field changed, in one place or wherever it is.
     *
     * @param documents how many, drawn by chance
     * @return how many documents could be tried
     */
    public int each(int documents, Trial trial) throws IOException {
        List<Map.Entry<String, String>> all = new ArrayList<>();
        fields.keySet().forEach(field -> VALUES.forEach(value -> all.add(Map.entry(field, value))));
        Collections.shuffle(all, random);
        for (Map.Entry<String, String> each : all.subList(0, Math.min(documents, all.size()))) {
            List<Place> places = Objects.requireNonNull(fields.get(each.getKey()));
            boolean everywhere = places.size() == 1 || random.nextBoolean();
            List<Place> changed = everywhere ? places : List.of(places.get(random.nextInt(places.size())));
            List<JsonNode> before = changed.stream().map(Place::value).toList();
            changed.forEach(place -> place.put(MARK));
            String text = JSON.writeValueAsString(document).replace(MARK.toString(), each.getValue());
            for (int i = 0; i < changed.size(); i++) {
                changed.get(i).put(before.get(i));
            }
            trial.with(text, each.getKey() + " = " + each.getValue() + (everywhere ? " everywhere" : ""));
        }
        return all.size();
    }

    private void collect(String path, JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties()
                    .forEach(field -> place(path + "." + field.getKey(), new Place(object, field.getKey(), 0)));
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                place(path + "[]", new Place(array, "", i));
            }
        }
    }

    private void place(String path, Place place) {
        fields.computeIfAbsent(path, key -> new ArrayList<>()).add(place);
        collect(path, place.value());
    }
}
