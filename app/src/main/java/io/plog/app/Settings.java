package io.plog.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Where an option that is not on the command line gets its value: the environment, then the {@code --config} file, then
 * its default. Picocli's own provider for property files would let the file win over the environment.
 */
final class Settings implements IDefaultValueProvider {
    static final String CONFIG_OPTION = "--config";
    private static final String CONFIG_VARIABLE = "PLOG_CONFIG";

    private final Map<String, String> environment;
    private final Map<String, String> file;
    private final List<String> args;

    private Settings(Map<String, String> environment, Map<String, String> file, List<String> args) {
        this.environment = environment;
        this.file = file;
        this.args = args;
    }

    /**
     * Reads the {@code --config} file, if one is named on the command line or by {@code PLOG_CONFIG}.
     *
     * @throws CommandLine.ParameterException if it cannot be read or has a key that no option has
     */
    static Settings load(CommandLine root, Map<String, String> environment, String... args) {
        List<String> words = options(args);
        String name = environment.get(CONFIG_VARIABLE);
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.startsWith(CONFIG_OPTION + "=")) {
                name = word.substring(CONFIG_OPTION.length() + 1);
            } else if (word.equals(CONFIG_OPTION) && i + 1 < words.size()) {
                name = words.get(i + 1);
            }
        }
        Map<String, String> file = name == null ? Map.of() : ConfigFile.read(root, Path.of(name));
        return new Settings(environment, file, words);
    }

    /** The value of an option that was not given, or null for its own default. */
    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option) || !isSetting(option) || isRepeatable(option)) {
            return null;
        }
        // Picocli inverts the default of a flag that is given; one that is given must mean true whatever stands here.
        if (option.arity().max() == 0 && isGiven(option)) {
            return null;
        }
        return find(argument.command(), option);
    }

    /**
     * Arguments that stand for repeatable options that are not given: a default value provider can name one value only.
     */
    List<String> repeatedOptions(CommandLine root, String... given) {
        List<String> added = new ArrayList<>();
        if (Stream.of(given).anyMatch("--"::equals)) {
            return added;
        }
        CommandSpec command = commandOf(root, given);
        for (OptionSpec option : command.options()) {
            String values =
                    isSetting(option) && isRepeatable(option) && !isGiven(option) ? find(command, option) : null;
            if (values != null) {
                Stream.of(values.split(";"))
                        .map(String::strip)
                        .filter(Predicate.not(String::isEmpty))
                        .forEach(value -> added.add(option.longestName() + "=" + value));
            }
        }
        return added;
    }

    private @Nullable String find(CommandSpec command, OptionSpec option) {
        String general = key(option);
        String own = path(command) + general;
        for (String key : List.of(own, general)) {
            String value = environment.get(variable(key));
            if (value != null) {
                return value;
            }
        }
        return file.getOrDefault(own, file.get(general));
    }

    private boolean isGiven(OptionSpec option) {
        return Stream.of(option.names())
                .anyMatch(name -> args.stream().anyMatch(word -> word.equals(name) || word.startsWith(name + "=")));
    }

    /** Whether an option can be set from outside the command line at all. */
    static boolean isSetting(OptionSpec option) {
        return !option.usageHelp()
                && !option.versionHelp()
                && !option.longestName().equals(CONFIG_OPTION);
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
    private static CommandSpec commandOf(CommandLine root, String... args) {
        CommandLine command = root;
        for (String word : args) {
            command = command.getSubcommands().getOrDefault(word, command);
        }
        return command.getCommandSpec();
    }

    /** The arguments up to a {@code --}, after which nothing is an option. */
    private static List<String> options(String... args) {
        return Stream.of(args).takeWhile(word -> !word.equals("--")).toList();
    }
}
