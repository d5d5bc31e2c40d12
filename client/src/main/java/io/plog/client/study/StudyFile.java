package io.plog.client.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plog.client.report.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A study's results as a file. Stateless; safe for any thread. */
public final class StudyFile {
    /** Its name in a study's directory. */
    public static final String NAME = "study.json";

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    private StudyFile() {}

    /** The results as JSON, laid out over lines. */
    public static String json(StudyResults results) {
        return Json.pretty(results);
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

    /**
     * Reads them.
     *
     * @param directory a study's, or the file itself
     * @throws IOException if there are none, or they are of another kind or a newer version; the message says which
     */
    public static StudyResults read(Path directory) throws IOException {
        Path file = Files.isDirectory(directory) ? directory.resolve(NAME) : directory;
        if (!Files.exists(file)) {
            throw new IOException(directory + " has no " + NAME + ": expected the directory that a plog study wrote");
        }
        StudyResults results;
        try {
            results = MAPPER.readValue(Files.readString(file, StandardCharsets.UTF_8), StudyResults.class);
        } catch (JsonProcessingException e) {
            throw new IOException(
                    file + " is not the result of a study: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        }
        if (!"study".equals(results.kind()) || results.schemaVersion() != StudyResults.SCHEMA_VERSION) {
            throw new IOException(file + " is a " + results.kind() + " of version " + results.schemaVersion()
                    + ": expected a study of version " + StudyResults.SCHEMA_VERSION);
        }
        return results;
    }
}
