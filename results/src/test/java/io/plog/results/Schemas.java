package io.plog.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Holds JSON against the schemas of {@code docs}. Any thread. */
public final class Schemas {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Schemas() {}

    /**
     * What a schema does not allow, each as its place in the document (a JSON pointer) and the rule that it breaks.
     *
     * @param schema the name of a file in {@code docs}
     * @throws IOException if the file cannot be read
     */
    public static List<String> violations(String schema, JsonNode document) throws IOException {
        Path root = Path.of(Objects.requireNonNull(System.getProperty("plog.root"), "plog.root is set by the build"));
        JsonNode rules = JSON.readTree(Files.readString(root.resolve("docs").resolve(schema)));
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(rules)
                .validate(document)
                .stream()
                .map(error -> error.getInstanceLocation() + " " + error.getKeyword())
                .distinct()
                .toList();
    }
}
