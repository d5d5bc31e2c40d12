package io.plog.measure;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.stats.text.ClosestName;
import io.plog.stats.text.NewerVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan as a file, in JSON. {@code docs/plan.schema.json} is its schema. What is not
 * named is null here, and then options or defaults decide. Sizes are as the user wrote them, {@code 100} or {@code 64KiB}.
 *
 * @param server {@code host:port}
 * @param force ways of forcing, for a run that starts its own server
 * @param logDirs where that server's logs go, a directory on each disk to measure
 * @param warmup a number, {@code auto} or {@code auto:most}
 */
public record PlanFile(
        @Nullable String server,
        @Nullable List<String> force,
        @Nullable List<String> logDirs,
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
    private static final String VERSION_KEY = "schemaVersion";

    /** Every key, in the order in which a file has them. A plan without a version is one of this version. */
    public static final List<String> KEYS = List.of(
            VERSION_KEY,
            "server",
            "force",
            "logDir",
            "sizes",
            "targets",
            "iterations",
            "trials",
            "warmup",
            "blocks",
            "connections",
            "rate",
            "seed");

    /** Names nothing. */
    public static final PlanFile EMPTY =
            new PlanFile(null, null, null, null, null, null, null, null, null, null, null, null);

    /** A plan is a page at most; more is not one. */
    private static final long MAX_BYTES = 1 << 20;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    /** Names a server and its targets only. */
    public static PlanFile ofServer(@Nullable String server, @Nullable List<String> targets) {
        return new PlanFile(server, null, null, null, targets, null, null, null, null, null, null, null);
    }

    /** Names the ways of forcing and the place of the logs only, as a run does that starts its own server. */
    public static PlanFile ofLogs(@Nullable List<String> force, @Nullable List<String> logDirs) {
        return new PlanFile(null, force, logDirs, null, null, null, null, null, null, null, null, null);
    }

    /** Names the warm-up only, as {@link Warmup#label} says it. */
    public static PlanFile ofWarmup(@Nullable String warmup) {
        return new PlanFile(null, null, null, null, null, null, null, warmup, null, null, null, null);
    }

    /** This plan, completed from another one. */
    public PlanFile orElse(PlanFile other) {
        return new PlanFile(
                first(server, other.server),
                first(force, other.force),
                first(logDirs, other.logDirs),
                first(sizes, other.sizes),
                first(targets, other.targets),
                first(iterations, other.iterations),
                first(trials, other.trials),
                first(warmup, other.warmup),
                first(blocks, other.blocks),
                first(connections, other.connections),
                first(rate, other.rate),
                first(seed, other.seed));
    }

    private static <T> @Nullable T first(@Nullable T own, @Nullable T other) {
        return own != null ? own : other;
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
        String text = Files.readString(file, StandardCharsets.UTF_8);
        try {
            JsonNode root = JSON.readTree(text);
            if (root != null && root.isObject()) {
                return new Reader(file, (ObjectNode) root).read();
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

    /** The plan as JSON, with a line's end at its end; {@link #read} gives it back. */
    public String json() {
        try {
            return JSON.writeValueAsString(tree()) + "\n";
        } catch (JacksonException e) {
            throw new IllegalStateException("a tree of text and numbers cannot be written as JSON", e);
        }
    }

    /** The plan's keys, those without a value left out, in the order of {@link #KEYS}. */
    public ObjectNode tree() {
        ObjectNode root = JSON.createObjectNode().put(VERSION_KEY, VERSION);
        root.put("server", server);
        putAll(root, "force", force);
        if (logDirs != null && logDirs.size() == 1) {
            root.put("logDir", logDirs.get(0));
        } else {
            putAll(root, "logDir", logDirs);
        }
        putAll(root, "sizes", sizes);
        putAll(root, "targets", targets);
        root.put("iterations", iterations);
        root.put("trials", trials);
        root.put("warmup", warmup);
        root.put("blocks", blocks);
        root.put("connections", connections);
        root.put("rate", rate);
        root.put("seed", seed);
        root.properties().removeIf(entry -> entry.getValue().isNull());
        return root;
    }

    private static void putAll(ObjectNode root, String key, @Nullable List<String> values) {
        if (values != null) {
            ArrayNode array = root.putArray(key);
            values.forEach(array::add);
        }
    }

    /** Takes a file's keys one by one. */
    private record Reader(Path file, ObjectNode root) {
        PlanFile read() throws IOException, PlanException {
            Long version = whole(VERSION_KEY);
            if (version != null && version > VERSION) {
                throw new IOException(file + ": " + NewerVersion.words("plan version", version, VERSION));
            }
            if (version != null && version < VERSION) {
                throw wrong(VERSION_KEY, root.path(VERSION_KEY), "" + VERSION);
            }
            for (var names = root.fieldNames(); names.hasNext(); ) {
                String name = names.next();
                if (!KEYS.contains(name)) {
                    throw new PlanException(file + ": unknown key '" + name + "'"
                            + ClosestName.to(name, KEYS)
                                    .map(near -> " (did you mean '" + near + "'?)")
                                    .orElse("; expected one of " + String.join(", ", KEYS)));
                }
            }
            return new PlanFile(
                    text("server"),
                    texts("force"),
                    texts("logDir"),
                    texts("sizes"),
                    texts("targets"),
                    whole("iterations"),
                    whole("trials"),
                    text("warmup"),
                    whole("blocks"),
                    whole("connections"),
                    number("rate"),
                    whole("seed"));
        }

        private PlanException wrong(String key, JsonNode found, String expected) {
            return new PlanException(file + ": key '" + key + "' is " + found + ", expected " + expected);
        }

        private @Nullable JsonNode value(String key) {
            JsonNode value = root.get(key);
            return value == null || value.isNull() ? null : value;
        }

        private @Nullable String text(String key) throws PlanException {
            JsonNode value = value(key);
            if (value != null && !value.isTextual() && !value.isIntegralNumber()) {
                throw wrong(key, value, "a word or a number");
            }
            return value == null ? null : value.asText();
        }

        private @Nullable List<String> texts(String key) throws PlanException {
            JsonNode value = value(key);
            if (value == null) {
                return null;
            }
            List<String> texts = new ArrayList<>();
            for (JsonNode each : value.isArray() ? value : root.arrayNode().add(value)) {
                if (!each.isTextual() && !each.isIntegralNumber()) {
                    throw wrong(key, value, "a list of words or numbers, such as [100, 64KiB]");
                }
                texts.add(each.asText());
            }
            return List.copyOf(texts);
        }

        private @Nullable Long whole(String key) throws PlanException {
            JsonNode value = value(key);
            if (value != null && !(value.isIntegralNumber() && value.canConvertToLong())) {
                throw wrong(key, value, "a whole number");
            }
            return value == null ? null : value.longValue();
        }

        private @Nullable Double number(String key) throws PlanException {
            JsonNode value = value(key);
            if (value != null && !value.isNumber()) {
                throw wrong(key, value, "a number");
            }
            return value == null ? null : value.doubleValue();
        }
    }
}
