package io.plog.app.cli;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.measure.PlanException;
import io.plog.page.FigureFiles;
import io.plog.protocol.security.RegularFile;
import io.plog.results.model.ResultsFile;
import io.plog.stats.text.ClosestName;
import io.plog.stats.text.NewerVersion;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What a command is to measure: its options in the groups of what is sent, where to and for how long, and the seed. They are on the
 * command line, or in a file: one JSON object, whose keys are the options' names ({@code logDir} for {@code --log-dir}), and whose
 * values are texts, numbers, {@code true}, or lists of them. Set by picocli; for one thread.
 */
public class PlanOptions {
    /** Names the file; read before the other options, since it says what they are unless they are given. */
    public static final String FILE_OPTION = "--plan";

    private static final String SEED = "--seed";
    private static final int VERSION = 1;
    private static final String VERSION_KEY = "schemaVersion";
    private static final String COMMAND_KEY = "command";
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .build();

    @Option(
            names = FILE_OPTION,
            paramLabel = "FILE",
            description = "File with a plan, in JSON; an option on the command line wins over it.")
    @SuppressWarnings("UnusedVariable") // read before anything is parsed
    private @Nullable Path plan;

    @Option(names = "--dry-run", description = "Only check the plan and print it as " + FILE_OPTION + " takes it.")
    private boolean dryRun;

    @Option(
            names = SEED,
            paramLabel = "N",
            description = "Seed of everything that is drawn: order, times, sizes, payloads. Default: a random one.")
    private @Nullable Long seed;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** The same for every plan of these options. */
    private final long drawnSeed = new SecureRandom().nextInt(Integer.MAX_VALUE);

    /** Whether only the plan is to be printed. */
    public final boolean dryRun() {
        return dryRun;
    }

    /** The seed that is given, or one that was drawn. */
    public final long seed() {
        return seed != null ? seed : drawnSeed;
    }

    /** What the options say by their long names, defaults included; always a seed. */
    public final Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        for (OptionSpec option : spec.options()) {
            Object value = option.getValue();
            if (isOfPlan(option) && value != null) {
                values.put(option.longestName(), value);
            }
        }
        values.put(SEED, seed());
        return values;
    }

    public final String command(Map<String, ?> values) {
        StringBuilder line = new StringBuilder("plog ").append(spec.name());
        for (OptionSpec option : spec.options()) {
            String name = " " + option.longestName();
            Object value = values.get(option.longestName());
            if (value instanceof Boolean given) {
                line.append(given ? name : "");
            } else if (value != null) {
                List<?> words = value instanceof List<?> list ? list : List.of(value);
                // What may have a comma in it, a path, is given as an option of its own.
                Stream<String> texts = words.stream().map(PlanOptions::word);
                line.append(
                        option.splitRegex().isEmpty()
                                ? texts.map(text -> name + " " + text).collect(Collectors.joining())
                                : texts.collect(Collectors.joining(",", name + " ", "")));
            }
        }
        return line.toString();
    }

    /** Prints the file that says this, for {@code --dry-run}; returns the exit code. */
    public final ExitCode print(Map<String, ?> values) {
        spec.commandLine().getOut().print(json(values));
        spec.commandLine().getOut().flush();
        return ExitCode.DONE;
    }

    /** Writes it next to a run's results, so that the run can be repeated or continued. */
    public final void write(Map<String, ?> values, Path results) throws IOException {
        FigureFiles.write(Map.of(ResultsDirectory.PLAN_FILE, json(values)), results);
    }

    /** In the order of the command's options, with a line's end at its end. */
    private String json(Map<String, ?> values) {
        ObjectNode file = JSON.createObjectNode().put(VERSION_KEY, VERSION).put(COMMAND_KEY, spec.name());
        for (OptionSpec option : spec.options()) {
            Object value = values.get(option.longestName());
            if (value != null && !value.equals(false)) {
                file.set(
                        key(option.longestName()),
                        JSON.valueToTree(value instanceof Duration || value instanceof Path ? text(value) : value));
            }
        }
        return file.toPrettyString() + "\n";
    }

    /** As a shell takes it. */
    private static String word(Object value) {
        String text = text(value);
        return text.matches("[^\\s<>'\"|&;()*$]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    private static String text(Object value) {
        if (!(value instanceof Duration time)) {
            return value.toString();
        }
        return time.toNanos() % 1_000_000 == 0 ? time.toMillis() + "ms" : time.toNanos() / 1_000 + "us";
    }

    /**
     * Reads a file; one that was written by hand need not name its command.
     *
     * @return what it says of each option, by its long name
     * @throws PlanException if it is no plan of the command; the message names the file, the key, what was found and what was
     *     expected
     * @throws IOException if it cannot be read, or is of a newer version
     */
    public static Map<String, List<String>> read(CommandSpec command, Path file) throws IOException, PlanException {
        ObjectNode root = tree(file);
        JsonNode version = root.path(VERSION_KEY);
        if (version.asLong() > VERSION) {
            throw new IOException(file + ": " + NewerVersion.words("plan version", version.asLong(), VERSION));
        }
        if (!version.isMissingNode() && version.asLong() < VERSION) {
            throw wrong(file, VERSION_KEY, version, "" + VERSION);
        }
        root.remove(VERSION_KEY);
        JsonNode of = root.remove(COMMAND_KEY);
        if (of != null && !of.asText().equals(command.name())) {
            throw new PlanException(
                    file + ": is a plan of plog " + of.asText() + ", expected one of plog " + command.name());
        }
        Map<String, String> names = command.options().stream()
                .filter(PlanOptions::isOfPlan)
                .collect(Collectors.toMap(option -> key(option.longestName()), OptionSpec::longestName));
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> field : root.properties()) {
            String name = names.get(field.getKey());
            if (name == null) {
                throw new PlanException(file + ": unknown key '" + field.getKey() + "'"
                        + ClosestName.to(field.getKey(), names.keySet())
                                .map(near -> " (did you mean '" + near + "'?)")
                                .orElse("; plog " + command.name() + " takes "
                                        + names.keySet().stream().sorted().collect(Collectors.joining(", "))));
            }
            values.put(name, texts(file, field.getKey(), field.getValue()));
        }
        return values;
    }

    private static List<String> texts(Path file, String key, JsonNode value) throws PlanException {
        List<String> texts = new ArrayList<>();
        for (JsonNode each : value.isArray() ? value : List.of(value)) {
            if (!each.isValueNode() || each.isNull()) {
                throw wrong(file, key, value, "a text, a number, or a list of them, such as [100, \"64KiB\"]");
            }
            texts.add(each.asText());
        }
        return texts;
    }

    private static ObjectNode tree(Path file) throws IOException, PlanException {
        try {
            if (JSON.readTree(RegularFile.text(file, StandardCharsets.UTF_8)) instanceof ObjectNode root) {
                return root;
            }
            throw new PlanException(file + ": is no plan: expected names of options, each with a value");
        } catch (CharacterCodingException e) {
            throw new PlanException(file + ": expected text in UTF-8");
        } catch (JacksonException e) {
            throw new PlanException(file + ": is not JSON: " + ResultsFile.whyNotJson(e));
        }
    }

    private static PlanException wrong(Path file, String key, JsonNode found, String expected) {
        return new PlanException(file + ": key '" + key + "' is " + found + ", expected " + expected);
    }

    private static boolean isOfPlan(OptionSpec option) {
        return HelpGroups.isPlanned(option) || option.longestName().equals(SEED);
    }

    /** The key of an option: {@code logDir} for {@code --log-dir}. */
    private static String key(String option) {
        StringBuilder key = new StringBuilder();
        for (String word : option.substring(2).split("-", -1)) {
            key.append(key.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return key.toString();
    }
}
