package io.plog.client.report.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plog.client.study.StudyResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** Reads {@code study.json}. What it does not know it passes over, what it needs it asks for. Stateless. */
public final class StudyFile {
    private static final String KIND = "study";

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private StudyFile() {}

    /** Thrown if a file is no study that this program can read; its message names the file and what to do. */
    public static final class UnreadableException extends IOException {
        private static final long serialVersionUID = 1;

        UnreadableException(String message) {
            super(message);
        }
    }

    /**
     * The study in a file.
     *
     * @throws UnreadableException if it is not JSON, no study, of a newer layout, or lacks something
     * @throws IOException if it can't be read
     */
    public static StudyResults read(Path file) throws IOException {
        String text = Files.readString(file);
        try {
            JsonNode tree = MAPPER.readTree(text);
            if (!tree.path("kind").asText("").equals(KIND)) {
                throw new UnreadableException(file + ": has the kind \""
                        + tree.path("kind").asText("") + "\", expected \"" + KIND + "\", as plog study writes it");
            }
            int version = tree.path("schemaVersion").asInt(0);
            if (version < 1 || version > StudyResults.SCHEMA_VERSION) {
                throw new UnreadableException(file + ": has schema version " + version + ", this plog reads version "
                        + StudyResults.SCHEMA_VERSION + "; use the plog that wrote it or a newer one");
            }
            return MAPPER.treeToValue(tree, StudyResults.class);
        } catch (JsonMappingException e) {
            String where = e.getPath().stream()
                    .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                    .collect(Collectors.joining());
            throw new UnreadableException(
                    file + ": is no complete study: at " + (where.isEmpty() ? "its top" : where.substring(1))
                            + " something is missing or of another type (" + firstLine(e.getOriginalMessage())
                            + "); expected the study.json of plog study, unchanged");
        } catch (JsonProcessingException e) {
            throw new UnreadableException(file + ": is not JSON (" + firstLine(e.getOriginalMessage())
                    + "); expected the study.json of plog study. If it was cut short, run the study again");
        }
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
