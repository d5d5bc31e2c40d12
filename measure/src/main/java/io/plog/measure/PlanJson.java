package io.plog.measure;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.plog.measure.samples.RunPlan;
import io.plog.stats.text.ByteSize;
import io.plog.stats.text.ClosestName;
import io.plog.stats.text.NewerVersion;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A {@link RunPlan} as people write it: a file in JSON, whose schema is {@code docs/plan.schema.json}, or options. What is not said
 * is left out of the tree, so that trees can be laid over each other. Sizes may have units, as {@code "64KiB"}. Stateless.
 */
public final class PlanJson {
    private static final int VERSION = 1;
    private static final String VERSION_KEY = "schemaVersion";

    /** A plan is a page at most; more is not one. */
    private static final long MAX_BYTES = 1 << 20;

    /** What follows from the rest, so that nobody asks for it. */
    private static final Set<String> DERIVED = Set.of("loadModel", "load");

    private static final Map<String, RecordComponent> COMPONENTS = Arrays.stream(RunPlan.class.getRecordComponents())
            .collect(Collectors.toMap(PlanJson::key, component -> component));

    /** Every key, in the order in which a file has them. */
    public static final List<String> KEYS = Stream.concat(
                    Stream.of(VERSION_KEY),
                    Arrays.stream(RunPlan.class.getRecordComponents()).map(PlanJson::key))
            .filter(key -> !DERIVED.contains(key))
            .toList();

    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new SimpleModule().addDeserializer(Integer.class, new Bytes()))
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

    private PlanJson() {}

    /** Says nothing. */
    public static ObjectNode empty() {
        return JSON.createObjectNode();
    }

    /** Says this, a text, a number or a list of them, of a key. */
    public static void put(ObjectNode asked, String key, Object value) {
        asked.set(key, JSON.valueToTree(value));
    }

    /** What is said of a key: one text or several; none if it is not there. */
    public static List<String> texts(ObjectNode asked, String key) {
        JsonNode value = asked.path(key);
        List<String> texts = new ArrayList<>();
        (value.isArray() ? value : JSON.createArrayNode().add(value)).forEach(text -> texts.add(text.asText()));
        return value.isMissingNode() ? List.of() : texts;
    }

    /**
     * The plan that is asked for; the rest is {@link RunPlan#DEFAULT}.
     *
     * @throws IllegalArgumentException if a value is of another type or out of its range
     */
    public static RunPlan plan(ObjectNode asked) {
        ObjectNode complete = JSON.valueToTree(RunPlan.DEFAULT);
        complete.setAll(asked);
        complete.remove(VERSION_KEY);
        try {
            return JSON.treeToValue(complete, RunPlan.class).checked();
        } catch (JsonProcessingException e) {
            for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
                if (cause instanceof IllegalArgumentException) {
                    throw new IllegalArgumentException(cause.getMessage(), e);
                }
            }
            String key = e instanceof JsonMappingException at && !at.getPath().isEmpty()
                    ? at.getPath().get(0).getFieldName()
                    : "plan";
            throw new IllegalArgumentException(
                    key + " is " + complete.path(key) + ": expected "
                            + (COMPONENTS.containsKey(key) ? expected(key) : "a plan"),
                    e);
        }
    }

    /**
     * Reads a file.
     *
     * @throws PlanException if it is no plan; the message names the file, the key, what was found and what was expected
     * @throws IOException if it cannot be read, or is of a newer version
     */
    public static ObjectNode read(Path file) throws IOException, PlanException {
        if (Files.size(file) > MAX_BYTES) {
            throw new PlanException(file + ": has " + Files.size(file) + " bytes, a plan has at most " + MAX_BYTES);
        }
        ObjectNode root = tree(file, Files.readString(file, StandardCharsets.UTF_8));
        JsonNode version = root.path(VERSION_KEY);
        if (version.asLong() > VERSION) {
            throw new IOException(file + ": " + NewerVersion.words("plan version", version.asLong(), VERSION));
        }
        if (!version.isMissingNode() && version.asLong() < VERSION) {
            throw wrong(file, VERSION_KEY, version, "" + VERSION);
        }
        root.remove(VERSION_KEY);
        for (Map.Entry<String, JsonNode> field : root.properties()) {
            check(file, field.getKey(), field.getValue());
        }
        return root;
    }

    private static void check(Path file, String key, JsonNode value) throws PlanException {
        if (!KEYS.contains(key)) {
            throw new PlanException(file + ": unknown key '" + key + "'"
                    + ClosestName.to(key, KEYS)
                            .map(near -> " (did you mean '" + near + "'?)")
                            .orElse("; expected one of " + String.join(", ", KEYS)));
        }
        try {
            JSON.readerFor(JSON.constructType(component(key).getGenericType())).readValue(value);
        } catch (IOException e) {
            throw wrong(file, key, value, expected(key));
        }
    }

    private static ObjectNode tree(Path file, String text) throws PlanException {
        try {
            if (JSON.readTree(text) instanceof ObjectNode root) {
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

    private static String expected(String key) {
        Class<?> type = component(key).getType();
        return type == List.class
                ? "a list of words or numbers, such as [100, 64KiB]"
                : type == double.class ? "a number" : type.isPrimitive() ? "a whole number" : "a word or a number";
    }

    private static RecordComponent component(String key) {
        return Objects.requireNonNull(COMPONENTS.get(key), key);
    }

    /** The key that an option would have: {@code logDir} for {@code --log-dir}. */
    public static String key(String option) {
        StringBuilder key = new StringBuilder();
        for (String word : option.substring(2).split("-", -1)) {
            key.append(key.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return key.toString();
    }

    private static String key(RecordComponent component) {
        JsonProperty named = component.getAccessor().getAnnotation(JsonProperty.class);
        return named == null ? component.getName() : named.value();
    }

    /** As {@code --plan} takes it, with a line's end at its end. */
    public static String json(RunPlan plan) {
        ObjectNode file = empty().put(VERSION_KEY, VERSION);
        file.setAll(said(plan));
        return file.toPrettyString() + "\n";
    }

    /** What a plan says, the seed included, by the names of the options that say it. */
    public static Map<String, List<String>> options(RunPlan plan) {
        Map<String, List<String>> options = new LinkedHashMap<>();
        ObjectNode said = said(plan);
        said.fieldNames()
                .forEachRemaining(key -> options.put(
                        "--" + key.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT), texts(said, key)));
        return options;
    }

    /** What a plan says: neither what is derived, nor that there is nothing of a kind. */
    private static ObjectNode said(RunPlan plan) {
        ObjectNode tree = JSON.valueToTree(plan);
        tree.remove(DERIVED);
        tree.properties()
                .removeIf(field -> field.getValue().isArray()
                        ? field.getValue().isEmpty()
                        : field.getValue().asText().isEmpty());
        if (plan.ratePerSecond() == 0) {
            tree.remove("rate");
        }
        return tree;
    }

    /** A number, or a size with a unit. */
    private static final class Bytes extends StdScalarDeserializer<Integer> {
        private static final long serialVersionUID = 1;

        Bytes() {
            super(Integer.class);
        }

        @Override
        public Integer deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return parser.hasToken(JsonToken.VALUE_STRING) ? ByteSize.parseInt(parser.getText()) : parser.getIntValue();
        }
    }
}
