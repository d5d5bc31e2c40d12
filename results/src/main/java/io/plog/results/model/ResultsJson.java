package io.plog.results.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;

/** The report's JSON: for people in {@code results.json}, compact inside the HTML. Safe for any thread. */
public final class ResultsJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();
    private static final ObjectWriter PRETTY = MAPPER.writerWithDefaultPrettyPrinter();

    private ResultsJson() {}

    /** Laid out over lines, with a line's end at its end. */
    public static String pretty(Object value) {
        return write(PRETTY, value) + "\n";
    }

    static String compact(Object value) {
        return write(MAPPER.writer(), value);
    }

    static ObjectNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }

    private static String write(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e); // records of numbers and strings can always be written
        }
    }
}
