package io.plog.app.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.Writer;
import java.util.stream.Stream;

/** The JSON that commands print and read; fields keep the order in which they are put. Safe for any thread. */
public final class JsonText {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    private JsonText() {}

    /** An object without fields yet. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    public static ArrayNode array(Stream<? extends JsonNode> elements) {
        return MAPPER.createArrayNode().addAll(elements.toList());
    }

    public static ArrayNode texts(Stream<String> elements) {
        ArrayNode array = MAPPER.createArrayNode();
        elements.forEach(array::add);
        return array;
    }

    /** The fields of a record, in its order. */
    public static ObjectNode fields(Record value) {
        return MAPPER.valueToTree(value);
    }

    /** A record, a tree or a collection on one line, without a line's end. */
    public static String line(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("numbers and texts cannot be written as JSON", e);
        }
    }

    /** Writes JSON piece by piece; closing it leaves {@code out} open, and what was begun unfinished. */
    public static JsonGenerator generator(Writer out) throws IOException {
        return MAPPER.getFactory()
                .createGenerator(out)
                .setCodec(MAPPER)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
    }

    /**
     * Reads a value from text.
     *
     * @throws JsonProcessingException if the text is no JSON, or not of this type
     */
    public static <T> T read(String text, Class<T> type) throws JsonProcessingException {
        return MAPPER.readValue(text, type);
    }
}
