package io.plog.report.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plog.measure.samples.RecordCheck;
import io.plog.stats.text.NewerVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A kind of results that is one JSON file, as {@code study.json} is. It is read as strictly as it is written,
 * since whoever draws it relies on its numbers; only what a newer plog added is ignored. Stateless; safe for any thread.
 *
 * @param name the file's name in a directory of results
 * @param kind what its field {@code kind} says
 * @param version what its field {@code schemaVersion} says
 * @param type what it holds
 */
public record ResultsFile<T extends Record>(String name, String kind, int version, Class<T> type) {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

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
    public void write(T results, Path directory) throws IOException {
        Path temporary = directory.resolve(name + ".tmp");
        Files.writeString(temporary, ResultsJson.pretty(results));
        Files.move(
                temporary,
                directory.resolve(name),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Reads them.
     *
     * @param path a directory that holds the file, or the file itself
     * @throws UnreadableException if it is not there, not JSON, holds other results, is of a newer version, lacks something, or has
     *     numbers that plog does not write
     * @throws IOException if it can't be read
     */
    public T read(Path path) throws IOException {
        Path file = Files.isDirectory(path) ? path.resolve(name) : path;
        if (!Files.exists(file)) {
            throw new UnreadableException(file + ": is not there; expected the " + name + " of plog " + kind);
        }
        try {
            JsonNode tree = checkVersion(file, List.of(kind), version);
            T results = MAPPER.treeToValue(tree, type);
            String wrong = RecordCheck.OF_RESULTS.objection(results).orElse("");
            if (!wrong.isEmpty()) {
                throw refused(file, wrong);
            }
            return results;
        } catch (JsonMappingException e) {
            String where = e.getPath().stream()
                    .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                    .collect(Collectors.joining());
            String at = "at " + (where.isEmpty() ? "its top" : where.substring(1));
            throw refused(
                    file,
                    e.getCause() instanceof IllegalArgumentException inconsistent
                            ? at + ", " + inconsistent.getMessage()
                            : at + " something is missing or of another type (" + firstLine(e.getOriginalMessage())
                                    + ")");
        }
    }

    private UnreadableException refused(Path file, String why) {
        return new UnreadableException(file + ": is no complete " + name + ": " + why + "; expected the " + name
                + " of plog " + kind + ", unchanged");
    }

    /**
     * Reads a file that says which version it has.
     *
     * @param kinds of which it must say it is one
     * @param known the newest version that can be read
     * @throws UnreadableException if it is not JSON, of another kind, or of a version that cannot be read
     * @throws IOException if it can't be read
     */
    public static JsonNode checkVersion(Path file, List<String> kinds, int known) throws IOException {
        JsonNode tree;
        try {
            tree = MAPPER.readTree(Files.readAllBytes(file));
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : "line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ": ";
            throw new UnreadableException(file + ": is not JSON (" + where + firstLine(e.getOriginalMessage())
                    + "); if it was cut short or changed, restore a copy, or measure again");
        }
        JsonNode version = tree.path("schemaVersion");
        if (!version.isIntegralNumber() || !version.canConvertToLong() || version.longValue() < 1) {
            throw new UnreadableException(
                    file + ": has no schemaVersion of 1 or more; expected a JSON file of results that plog wrote");
        }
        if (version.longValue() > known) {
            throw new UnreadableException(
                    file + ": " + NewerVersion.words("schema version", version.longValue(), known));
        }
        String found = tree.path("kind").asText("");
        if (!kinds.contains(found)) {
            throw new UnreadableException(file + ": has the kind \"" + found + "\", expected "
                    + String.join(" or ", kinds) + ", as plog writes it");
        }
        return tree;
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
