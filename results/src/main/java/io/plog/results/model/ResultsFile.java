package io.plog.results.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.stats.text.NewerVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files of a results directory besides the samples, of which all figures are computed again. Stateless. */
public final class ResultsFile {
    /** What results hold. */
    public static final String RESULTS = "results.json";

    /** The report for people. */
    public static final String HTML = "report.html";

    /** The result of comparing the run with another. */
    public static final String COMPARISON = "comparison.json";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ResultsFile() {}

    /** The text of results or a comparison, laid out over lines, with a line's end at its end. */
    public static String json(Object value) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value) + "\n";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e); // records of numbers and strings can always be written
        }
    }

    /** Thrown if a file holds no results that this program can read; its message names the file and what to do. */
    public static final class UnreadableException extends IOException {
        private static final long serialVersionUID = 1;

        UnreadableException(String message) {
            super(message);
        }
    }

    /**
     * Reads a file that says which version it has.
     *
     * @param kinds of which it must say it is one
     * @param known the newest version that can be read
     * @throws UnreadableException if it is not JSON, of another kind, or of a version that cannot be read
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
