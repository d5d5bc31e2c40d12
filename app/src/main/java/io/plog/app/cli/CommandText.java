package io.plog.app.cli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The command line that repeats a run. Stateless. */
public final class CommandText {
    private CommandText() {}

    /** What options say of what is sent, where to and for how long, by their long names; options may have defaults. */
    public static Map<String, Object> given(CommandSpec spec) {
        Map<String, Object> given = new TreeMap<>();
        for (OptionSpec option : spec.options()) {
            Object value = option.getValue();
            if (option.order() >= HelpGroups.SENT && option.order() <= HelpGroups.LIMITS && value != null) {
                given.put(option.longestName(), value);
            }
        }
        return given;
    }

    /**
     * The line, in the order of the command's options.
     *
     * @param values by long names of options: texts, numbers, durations, whether to give a flag, lists of such
     */
    public static String of(CommandSpec spec, Map<String, ?> values) {
        StringBuilder line = new StringBuilder("plog ").append(spec.name());
        for (OptionSpec option : spec.options()) {
            String name = " " + option.longestName();
            Object value = values.get(option.longestName());
            if (value instanceof Boolean given) {
                line.append(given ? name : "");
            } else if (value != null) {
                List<?> words = value instanceof List<?> list ? list : List.of(value);
                // What may have a comma in it, a path, is given as an option of its own.
                Stream<String> texts = words.stream().map(CommandText::text);
                line.append(
                        option.splitRegex().isEmpty()
                                ? texts.map(text -> name + " " + text).collect(Collectors.joining())
                                : texts.collect(Collectors.joining(",", name + " ", "")));
            }
        }
        return line.toString();
    }

    private static String text(Object value) {
        return value instanceof Duration time ? time.toMillis() + "ms" : value.toString();
    }
}
