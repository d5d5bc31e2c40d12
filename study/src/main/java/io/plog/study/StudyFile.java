package io.plog.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.report.results.ResultsJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Collectors;

/** A study's results as a file. Stateless; safe for any thread. */
public final class StudyFile {
    /** Its name in a study's directory. */
    public static final String NAME = "study.json";

    private static final String KIND = "study";

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    private StudyFile() {}

    /** The results as JSON, laid out over lines. */
    public static String json(StudyResults results) {
        return ResultsJson.pretty(results);
    }

    /**
     * Writes them; the file appears whole or not at all.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(StudyResults results, Path directory) throws IOException {
        Path temporary = directory.resolve(NAME + ".tmp");
        Files.writeString(temporary, json(results));
        Files.move(
                temporary,
                directory.resolve(NAME),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /** Thrown if a file is no study that this program can read; its message names the file and what to do. */
    public static final class UnreadableException extends IOException {
        private static final long serialVersionUID = 1;

        UnreadableException(String message) {
            super(message);
        }
    }

    /**
     * Reads them.
     *
     * @param study a study's directory, or the file itself
     * @throws UnreadableException if it is not there, not JSON, no study, of a newer layout, or lacks something
     * @throws IOException if it can't be read
     */
    public static StudyResults read(Path study) throws IOException {
        Path file = Files.isDirectory(study) ? study.resolve(NAME) : study;
        if (!Files.exists(file)) {
            throw new UnreadableException(file + ": is not there; expected the directory that a plog study wrote");
        }
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
            return MAPPER.treeToValue(withWhatOlderVersionsLack(tree), StudyResults.class);
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

    /** Fields that version 1 got later. */
    private static JsonNode withWhatOlderVersionsLack(JsonNode tree) {
        if (tree instanceof ObjectNode study && !study.has("controls")) {
            study.putArray("controls");
        }
        for (JsonNode load : tree.path("loads")) {
            addMissing(load, "meanReadyChannels");
        }
        for (JsonNode workload : tree.path("workloads")) {
            addMissing(workload, "roundTripMicros");
            for (JsonNode row : workload.path("rows")) {
                addMissing(row, "share", "multiples", "shareOfVariance", "series");
            }
        }
        return tree;
    }

    private static void addMissing(JsonNode holder, String... names) {
        for (String name : names) {
            if (holder instanceof ObjectNode object && !object.has(name)) {
                object.putNull(name);
            }
        }
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
