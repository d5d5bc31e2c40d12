package io.plog.app;

import io.plog.app.cli.Failures;
import io.plog.app.cli.PlanOptions;
import io.plog.app.cli.ResultsDirectory;
import io.plog.measure.PlanException;
import io.plog.protocol.security.RegularFile;
import io.plog.stats.text.ClosestName;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Where an option that is not on the command line gets its value: the plan that {@code --plan} or {@code --resume} names, the
 * environment, then the {@code --config} file, then its default. Picocli's own provider for property files would let the file win
 * over the environment.
 *
 * @param plan values by options' long names
 * @param environment as the process has it
 * @param file values by keys
 * @param fileName of the {@code --config} file; "" if there is none
 * @param args what was typed, up to a {@code --}
 * @param used what was found for options; grows
 * @param notes is told what was passed over
 */
record Settings(
        Map<String, List<String>> plan,
        Map<String, String> environment,
        Map<String, String> file,
        String fileName,
        List<String> args,
        Map<OptionSpec, Found> used,
        Consumer<String> notes)
        implements IDefaultValueProvider {
    static final String CONFIG_OPTION = "--config";
    private static final String CONFIG_VARIABLE = "PLOG_CONFIG";
    private static final Pattern SERVICE_LINK = Pattern.compile("(tcp|udp|sctp)://.*");
    private static final String RESUME_OPTION = "--resume";

    /** What may be given with it: all else is in the plan of the run that is resumed, or was done when it began. */
    private static final Set<String> WITH_RESUME = Set.of(
            RESUME_OPTION,
            CONFIG_OPTION,
            "--server",
            "--view",
            "--csv",
            "--json",
            "--ledger",
            "--ledger-force",
            "--fail-if",
            "--strict");

    /**
     * Reads the plan, if the command line names one, and the {@code --config} file, if one is named there or by
     * {@code PLOG_CONFIG}.
     *
     * @throws CommandLine.ParameterException if the file cannot be read or has a key that no option has
     * @throws IllegalArgumentException if a run is to be resumed with options that its plan has
     * @throws PlanException if the plan is none of the command
     */
    static Settings load(CommandLine root, Map<String, String> environment, String... args)
            throws IOException, PlanException {
        List<String> words = options(args);
        String name = fileName(environment, words);
        Map<String, String> file = name == null ? Map.of() : readFile(root, Path.of(name));
        Set<String> noted = new TreeSet<>();
        return new Settings(
                plan(commandOf(root, args).getCommandSpec(), words),
                environment,
                file,
                name == null ? "" : name,
                words,
                new HashMap<>(),
                note -> {
                    if (noted.add(note)) {
                        root.getErr().println("plog: " + note);
                    }
                });
    }

    /** A value, and the variable or the key that it comes from. */
    record Found(String value, String where) {}

    /** Where the value comes from that a sentence about an option quotes, to stand behind it; "" if it was typed. */
    String originIn(String sentence) {
        String words = sentence.toLowerCase(Locale.ROOT);
        return used.entrySet().stream()
                .filter(each -> sentence.contains(each.getValue().value())
                        && words.contains(key(each.getKey()).toLowerCase(Locale.ROOT)))
                .map(each -> "; '" + each.getValue().value() + "' comes from "
                        + each.getValue().where())
                .sorted()
                .collect(Collectors.joining());
    }

    /** Whether a line, or else the environment, names a {@code --config} file. */
    static boolean isFileNamed(Map<String, String> environment, String... args) {
        return fileName(environment, options(args)) != null;
    }

    private static @Nullable String fileName(Map<String, String> environment, List<String> words) {
        String config = valueOf(CONFIG_OPTION, words);
        String variable = environment.getOrDefault(CONFIG_VARIABLE, "");
        return config != null || variable.isBlank() ? config : variable.strip();
    }

    private static Map<String, List<String>> plan(CommandSpec command, List<String> words)
            throws IOException, PlanException {
        if (command.findOption(PlanOptions.FILE_OPTION) == null) {
            return Map.of();
        }
        String resumed = command.findOption(RESUME_OPTION) == null ? null : valueOf(RESUME_OPTION, words);
        if (resumed == null) {
            String plan = valueOf(PlanOptions.FILE_OPTION, words);
            return plan == null ? Map.of() : PlanOptions.read(command, Path.of(plan));
        }
        for (OptionSpec option : command.options()) {
            if (isGiven(option, words) && !WITH_RESUME.contains(option.longestName())) {
                throw new IllegalArgumentException("--resume continues the plan of " + resumed + ", so "
                        + option.longestName() + " cannot be given with it");
            }
        }
        return PlanOptions.read(command, ResultsDirectory.planOf(Path.of(resumed)));
    }

    /** What stands behind an option whose value is needed before anything is parsed; null if it is not given. */
    private static @Nullable String valueOf(String option, List<String> words) {
        String value = null;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.startsWith(option + "=")) {
                value = word.substring(option.length() + 1);
            } else if (word.equals(option) && i + 1 < words.size()) {
                value = words.get(i + 1);
            }
        }
        return value;
    }

    /** The value of an option that was not given, or null for its own default. */
    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option) || !isSetting(option) || isRepeatable(option)) {
            return null;
        }
        // Picocli inverts the default of a flag that is given; one that is given must mean true whatever stands here.
        if (option.arity().max() == 0 && isGiven(option, args)) {
            return null;
        }
        List<String> values = find(argument.command(), option);
        return values.isEmpty() ? null : String.join(",", values);
    }

    /**
     * Arguments that stand for repeatable options that are not given: a default value provider can name one value only.
     */
    List<String> repeatedOptions(CommandLine root, String... given) {
        List<String> added = new ArrayList<>();
        if (Stream.of(given).anyMatch("--"::equals)) {
            return added;
        }
        CommandSpec command = commandOf(root, given).getCommandSpec();
        for (OptionSpec option : command.options()) {
            if (isSetting(option) && isRepeatable(option) && !isGiven(option, args)) {
                find(command, option).forEach(value -> added.add(option.longestName() + "=" + value));
            }
        }
        return added;
    }

    /** What stands for an option; nothing if it is nowhere. */
    private List<String> find(CommandSpec command, OptionSpec option) {
        List<String> planned = plan.get(option.longestName());
        if (planned != null) {
            return planned;
        }
        String general = key(option);
        String own = path(command) + general;
        Found found = Stream.of(ofEnvironment(own), ofEnvironment(general), ofFile(own), ofFile(general))
                .filter(each -> !each.value().isEmpty()) // an empty one is as none: Compose and Helm make them
                .findFirst()
                .orElse(null);
        if (found == null) {
            return List.of();
        }
        used.put(option, found);
        if (!isRepeatable(option)) {
            return List.of(option.arity().max() == 0 ? truth(found.value()) : found.value());
        }
        return Stream.of(found.value().split(";"))
                .map(String::strip)
                .filter(Predicate.not(String::isEmpty))
                .toList();
    }

    private Found ofEnvironment(String key) {
        String variable = variable(key);
        String value = environment.getOrDefault(variable, "").strip();
        if (SERVICE_LINK.matcher(value).matches() && variable.endsWith("_PORT")) {
            notes.accept(
                    variable + " is " + value + ", which Kubernetes sets for a Service of that name: it is passed over"
                            + " (enableServiceLinks: false keeps it away)");
            return new Found("", variable);
        }
        return new Found(value, variable);
    }

    private Found ofFile(String key) {
        return new Found(file.getOrDefault(key, ""), key + " in " + fileName);
    }

    /** The usual words for yes and no. */
    private static String truth(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "1", "yes", "on" -> "true";
            case "0", "no", "off" -> "false";
            default -> value;
        };
    }

    private static boolean isGiven(OptionSpec option, List<String> words) {
        // The value of a short option may follow without a space.
        return Stream.of(option.names())
                .anyMatch(name -> words.stream()
                        .anyMatch(
                                word -> word.equals(name) || word.startsWith(name.length() == 2 ? name : name + "=")));
    }

    /** Whether an option can be set from outside the command line at all. */
    static boolean isSetting(OptionSpec option) {
        return !option.usageHelp()
                && !option.versionHelp()
                && !Set.of(CONFIG_OPTION, PlanOptions.FILE_OPTION, RESUME_OPTION)
                        .contains(option.longestName());
    }

    private static boolean isRepeatable(OptionSpec option) {
        return option.isMultiValue() && option.splitRegex().isEmpty();
    }

    /** The option's key in a file, without its command: its longest name without the dashes. */
    static String key(OptionSpec option) {
        return option.longestName().replaceFirst("^-+", "");
    }

    /** What stands before the option's own key: the commands that lead to it, each followed by a dot. */
    static String path(CommandSpec command) {
        CommandSpec parent = command.parent();
        return parent == null ? "" : path(parent) + command.name() + ".";
    }

    /** The environment variable for a key of the file. */
    static String variable(String key) {
        return "PLOG_" + key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** The innermost command that these arguments name. */
    static CommandLine commandOf(CommandLine root, String... args) {
        CommandLine command = root;
        for (String word : args) {
            command = command.getSubcommands().getOrDefault(word, command);
        }
        return command;
    }

    /** The arguments up to a {@code --}, after which nothing is an option. */
    private static List<String> options(String... args) {
        return Stream.of(args).takeWhile(word -> !word.equals("--")).toList();
    }

    /**
     * Reads all of it and checks every key, also those of other commands: a misspelt one would else be ignored.
     *
     * @throws ParameterException if the file cannot be read or a key is unknown
     */
    private static Map<String, String> readFile(CommandLine root, Path path) throws IOException {
        Properties properties = new Properties() {
            @Override
            public synchronized Object put(Object key, Object value) {
                if (containsKey(key)) {
                    throw new IllegalArgumentException("key '" + key + "' stands there twice: expected it once,"
                            + " with ; between the values of a repeatable option");
                }
                return super.put(key, value);
            }
        };
        try {
            properties.load(new StringReader(RegularFile.text(path, StandardCharsets.UTF_8)));
        } catch (FileSystemException e) {
            throw new IOException("config file " + Failures.sentence(e), e);
        } catch (CharacterCodingException e) {
            throw new ParameterException(root, "config file " + path + ": expected text in UTF-8", e);
        } catch (IOException | IllegalArgumentException e) {
            throw new ParameterException(root, "config file " + path + ": cannot be read: " + e.getMessage(), e);
        }
        TreeSet<String> known = new TreeSet<>();
        collect(root, known);
        Map<String, String> values = new TreeMap<>();
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            if (!known.contains(key)) {
                String hint = ClosestName.to(key, known)
                        .map(near -> " (did you mean '" + near + "'?)")
                        .orElse("");
                throw new ParameterException(root, "config file " + path + ": unknown key '" + key + "'" + hint);
            }
            values.put(key, properties.getProperty(key).strip());
        }
        return values;
    }

    private static void collect(CommandLine command, Set<String> known) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (isSetting(option)) {
                known.add(key(option));
                known.add(path(command.getCommandSpec()) + key(option));
            }
        }
        command.getSubcommands().values().forEach(subcommand -> collect(subcommand, known));
    }
}
