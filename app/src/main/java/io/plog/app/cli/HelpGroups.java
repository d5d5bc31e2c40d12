package io.plog.app.cli;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The groups that {@code --help} shows options in. An option names its group as its {@code order}. */
public final class HelpGroups {
    public static final int SENT = 0;
    public static final int WHERE = 1;
    public static final int LIMITS = 2;
    public static final int RESULTS = 3;
    public static final int ADVANCED = 4;

    private static final List<String> HEADINGS =
            List.of("What is sent", "Where", "Limits", "Results", "Advanced", "General");

    private HelpGroups() {}

    /** Lets a command and all below it show their options in groups, and a synopsis that names none of them. */
    public static void showIn(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.abbreviateSynopsis(true);
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpGroups::options);
        command.getSubcommands().values().forEach(HelpGroups::showIn);
    }

    /** The group of an option; the last one is that of options which name none. */
    static int of(OptionSpec option) {
        return option.order() >= 0 && option.order() < HEADINGS.size() ? option.order() : HEADINGS.size() - 1;
    }

    private static String options(Help help) {
        List<OptionSpec> shown = help.commandSpec().options().stream()
                .filter(option -> !option.hidden())
                .toList();
        if (shown.stream().mapToInt(HelpGroups::of).distinct().count() <= 1) {
            return help.optionList();
        }
        return IntStream.range(0, HEADINGS.size())
                .mapToObj(group -> list(
                        help,
                        HEADINGS.get(group),
                        shown.stream().filter(option -> of(option) == group).toList()))
                .collect(Collectors.joining());
    }

    private static String list(Help help, String heading, List<OptionSpec> options) {
        if (options.isEmpty()) {
            return "";
        }
        Help.Layout layout = help.createDefaultLayout();
        layout.addOptions(options, help.createDefaultParamLabelRenderer());
        return heading + ":" + System.lineSeparator() + layout;
    }
}
