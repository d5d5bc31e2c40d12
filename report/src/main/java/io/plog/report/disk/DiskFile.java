package io.plog.report.disk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plog.report.results.ResultsJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The results of {@code plog disk} as a file. Stateless; safe for any thread. */
public final class DiskFile {
    /** Its name in a results directory. */
    public static final String NAME = "disk.json";

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    private DiskFile() {}

    /** Thrown if a file holds no results that this program can read; its message names the file and what to do. */
    public static final class UnreadableException extends IOException {
        private static final long serialVersionUID = 1;

        UnreadableException(String message) {
            super(message);
        }
    }

    /**
     * Writes them; the file appears whole or not at all.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(DiskResults results, Path directory) throws IOException {
        Path temporary = directory.resolve(NAME + ".tmp");
        Files.writeString(temporary, ResultsJson.pretty(results));
        Files.move(
                temporary,
                directory.resolve(NAME),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Reads them.
     *
     * @throws UnreadableException if it is not JSON, holds other results, is of another layout, or lacks something
     * @throws IOException if it can't be read
     */
    public static DiskResults read(Path file) throws IOException {
        String text = Files.readString(file);
        try {
            JsonNode tree = MAPPER.readTree(text);
            int version = tree.path("schemaVersion").asInt(0);
            if (!tree.path("kind").asText("").equals(DiskResults.KIND) || version != DiskResults.SCHEMA_VERSION) {
                throw new UnreadableException(file + ": has kind \""
                        + tree.path("kind").asText("") + "\" and schema version " + version + ", expected \""
                        + DiskResults.KIND + "\" and " + DiskResults.SCHEMA_VERSION
                        + "; use the plog that wrote it, or measure again");
            }
            return MAPPER.treeToValue(tree, DiskResults.class);
        } catch (JsonProcessingException e) {
            throw new UnreadableException(file + ": is not the " + NAME + " of a plog disk ("
                    + e.getOriginalMessage().lines().findFirst().orElse("") + "); measure again with --out");
        }
    }
}
