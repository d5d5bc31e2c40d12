package io.plog.results.model;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.protocol.security.RegularFile;
import io.plog.stats.text.NewerVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The files of a results directory besides the samples, of which all figures are computed again. Stateless. */
public final class ResultsFile {
    /** What results hold. */
    public static final String RESULTS = "results.json";

    /** The report for people. */
    public static final String HTML = "report.html";

    /** The result of comparing the run with another. */
    public static final String COMPARISON = "comparison.json";

    /** A file that is larger was not written by plog: those of the longest runs have a few MB. */
    private static final long MOST_BYTES = 64 << 20;

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

    /**
     * Reads results.
     *
     * @throws IOException also if it is no regular file or too large, not JSON, of no kind, or of a version that cannot be read; the message says what to do
     */
    public static JsonNode read(Path file) throws IOException {
        JsonNode tree;
        try {
            RegularFile.check(file, MOST_BYTES);
            tree = MAPPER.readTree(Files.readAllBytes(file));
        } catch (JsonProcessingException e) {
            throw new IOException(file + ": is not JSON (" + whyNotJson(e)
                    + "); if it was cut short or changed, restore a copy, or measure again");
        }
        JsonNode version = tree.path("schemaVersion");
        if (!version.isIntegralNumber() || !version.canConvertToLong() || version.longValue() < 1) {
            throw new IOException(
                    file + ": has no schemaVersion of 1 or more; expected a JSON file of results that plog wrote");
        }
        if (version.longValue() > Results.SCHEMA_VERSION) {
            throw new IOException(
                    file + ": " + NewerVersion.words("schema version", version.longValue(), Results.SCHEMA_VERSION));
        }
        List<String> kinds =
                Arrays.stream(Results.Kind.values()).map(Results.Kind::label).toList();
        String found = tree.path("kind").asText("");
        if (!kinds.contains(found)) {
            throw new IOException(file + ": has the kind \"" + found + "\", expected " + String.join(" or ", kinds)
                    + ", as plog writes it");
        }
        return tree;
    }

    /**
     * Results that were read.
     *
     * @throws IOException if they are not laid out as this version writes them
     */
    public static Results results(JsonNode read) throws IOException {
        return MAPPER.treeToValue(read, Results.class);
    }

    /** Why a text is not JSON, and where, without what the parser says of itself. */
    public static String whyNotJson(JacksonException e) {
        String words = e.getOriginalMessage().replaceFirst("(?s)(: enable `| \\(start marker|\\R).*", "");
        return e.getLocation() == null
                ? words
                : "line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr() + ": " + words;
    }
}
