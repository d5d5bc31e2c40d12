package io.plog.measure;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.plog.stats.text.ClosestName;
import io.plog.stats.text.NewerVersion;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A plan as a file, in JSON; {@code docs/plan.schema.json} is its schema. What is not named is null here, and then options or
 * defaults decide. Sizes are as the user wrote them, {@code 100} or {@code 64KiB}.
 *
 * @param schemaVersion of a file; a plan without one is of the version that is read here
 * @param server {@code host:port}
 * @param force ways of forcing, for a run that starts its own server
 * @param logDir where that server's logs go, a directory on each disk to measure
 * @param warmup a number, {@code auto} or {@code auto:most}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanFile(
        @Nullable Long schemaVersion,
        @Nullable String server,
        @Nullable List<String> force,

        @JsonFormat(
                with = {
                    JsonFormat.Feature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED,
                    JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY
                })
        @Nullable
        List<String> logDir,

        @Nullable List<String> sizes,
        @Nullable List<String> targets,
        @Nullable Long iterations,
        @Nullable Long trials,
        @Nullable String warmup,
        @Nullable Long blocks,
        @Nullable Long connections,
        @Nullable Double rate,
        @Nullable Long seed) {

    private static final int VERSION = 1;

    /** Every key, in the order in which a file has them. */
    public static final List<String> KEYS = Stream.of(PlanFile.class.getRecordComponents())
            .map(RecordComponent::getName)
            .toList();

    /** A plan is a page at most; more is not one. */
    private static final long MAX_BYTES = 1 << 20;

    private static final Map<Class<?>, String> EXPECTED = Map.of(
            Long.class,
            "a whole number",
            Double.class,
            "a number",
            String.class,
            "a word or a number",
            List.class,
            "a list of words or numbers, such as [100, 64KiB]");

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(
                    LogicalType.Textual,
                    text -> text.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Integer, CoercionAction.TryConvert))
            .build();

    /** Names nothing. */
    public static final PlanFile EMPTY =
            new PlanFile(null, null, null, null, null, null, null, null, null, null, null, null, null);

    /** Gives a plan without a version its own. */
    public PlanFile {
        schemaVersion = schemaVersion == null ? (Long) (long) VERSION : schemaVersion;
    }

    /**
     * This plan with another value.
     *
     * @param value null leaves the plan as it is
     * @throws IllegalArgumentException if there is no such key, or the value is of another type
     */
    public PlanFile with(String key, @Nullable Object value) {
        return value == null ? this : JSON.convertValue(tree().putPOJO(key, value), PlanFile.class);
    }

    /** This plan, completed from another one. */
    public PlanFile orElse(PlanFile other) {
        return JSON.convertValue(other.tree().setAll(tree()), PlanFile.class);
    }

    /**
     * Reads a file.
     *
     * @throws PlanException if it is no plan; the message names the file, the key, what was found and what was expected
     * @throws IOException if it cannot be read, or is of a newer version
     */
    public static PlanFile read(Path file) throws IOException, PlanException {
        if (Files.size(file) > MAX_BYTES) {
            throw new PlanException(file + ": has " + Files.size(file) + " bytes, a plan has at most " + MAX_BYTES);
        }
        JsonNode root = tree(file, Files.readString(file, StandardCharsets.UTF_8));
        JsonNode version = root.path("schemaVersion");
        if (version.asLong() > VERSION) {
            throw new IOException(file + ": " + NewerVersion.words("plan version", version.asLong(), VERSION));
        }
        try {
            PlanFile plan = JSON.treeToValue(root, PlanFile.class);
            if (Objects.requireNonNull(plan.schemaVersion) < VERSION) {
                throw wrong(file, "schemaVersion", version, "" + VERSION);
            }
            return plan;
        } catch (UnrecognizedPropertyException e) {
            String name = e.getPropertyName();
            throw new PlanException(file + ": unknown key '" + name + "'"
                    + ClosestName.to(name, KEYS)
                            .map(near -> " (did you mean '" + near + "'?)")
                            .orElse("; expected one of " + String.join(", ", KEYS)));
        } catch (JsonMappingException e) {
            String key = e.getPath().get(0).getFieldName();
            throw wrong(file, key, root.path(key), Objects.requireNonNull(EXPECTED.get(type(key))));
        }
    }

    private static JsonNode tree(Path file, String text) throws PlanException {
        try {
            JsonNode root = JSON.readTree(text);
            if (root.isObject()) {
                return root;
            }
            throw new PlanException(
                    file + ": is no plan: expected keys such as sizes and iterations, each with a value");
        } catch (JacksonException e) {
            throw new PlanException(file + ": is not JSON: "
                    + e.getOriginalMessage().lines().findFirst().orElse("")
                    + (e.getLocation() == null
                            ? ""
                            : " (line " + e.getLocation().getLineNr() + ")"));
        }
    }

    private static PlanException wrong(Path file, String key, JsonNode found, String expected) {
        return new PlanException(file + ": key '" + key + "' is " + found + ", expected " + expected);
    }

    private static Class<?> type(String key) {
        return Stream.of(PlanFile.class.getRecordComponents())
                .filter(component -> component.getName().equals(key))
                .findFirst()
                .orElseThrow()
                .getType();
    }

    /** The plan as JSON, with a line's end at its end; {@link #read} gives it back. */
    public String json() {
        return tree().toPrettyString() + "\n";
    }

    /** The plan's keys, those without a value left out, in the order of {@link #KEYS}. */
    public ObjectNode tree() {
        return JSON.valueToTree(this);
    }
}
