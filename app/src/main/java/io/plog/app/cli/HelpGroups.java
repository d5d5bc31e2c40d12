package io.plog.app.cli;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The groups that {@code --help} shows options in: an option is in the same one wherever it is. */
public final class HelpGroups {
    /** So many need no groups. */
    private static final int FEW = 10;

    private record Group(String heading, Set<String> options) {
        static Group of(String heading, String options) {
            return new Group(heading, Set.of(options.split(" ")));
        }
    }

    /** What a plan holds: its options say what is measured, where and for how long. */
    private static final List<Group> PLANNED = List.of(
            Group.of(
                    "What is sent",
                    "arrivals baseline checkpoint client compare connections designs files find-max for force full loads merge mix"
                            + " mode neighbours outstanding paper rate rates request requests-per-connection shared sizes"
                            + " workload"),
            Group.of(
                    "Where",
                    "access admin-bind admin-port allow-host bind disks http-port insecure link log log-dir port processors"
                            + " replicated server standby target targets tls tls-ca tls-cert tls-key token-file unlogged"),
            Group.of(
                    "Limits",
                    "blocks client-memory deadline duration event-loops iterations keep-samples max-buffered max-connections"
                            + " max-outstanding max-payload max-wait max-write memory requests rounds trials warmup"));

    private static final List<Group> OTHERS = List.of(
            Group.of("Results", "csv fail-if figures json ledger out overwrite resume strict view"),
            Group.of(
                    "Advanced",
                    "anyway check dry-run least-time ledger-force log-format plan ready-file seed start-at takeover-within"
                            + " transport"));

    private HelpGroups() {}

    /** Lets a command and all below it show their options in groups, and a synopsis that names none of them. */
    public static void showIn(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.abbreviateSynopsis(true);
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpGroups::options);
        command.getSubcommands().values().forEach(HelpGroups::showIn);
    }

    /** Whether the group of an option is one whose options a plan holds. */
    static boolean isPlanned(OptionSpec option) {
        return PLANNED.stream().anyMatch(group -> isIn(group, option));
    }

    /** Whether an option has a group; those that have none are shown last. */
    public static boolean isGrouped(OptionSpec option) {
        return isPlanned(option) || OTHERS.stream().anyMatch(group -> isIn(group, option));
    }

    private static boolean isIn(Group group, OptionSpec option) {
        return group.options.contains(option.longestName().substring(2));
    }

    private static String options(Help help) {
        List<OptionSpec> shown = help.commandSpec().options().stream()
                .filter(option -> !option.hidden())
                .toList();
        if (shown.size() <= FEW) {
            return help.optionList();
        }
        String grouped = Stream.concat(PLANNED.stream(), OTHERS.stream())
                .map(group -> list(
                        help,
                        group.heading,
                        shown.stream().filter(option -> isIn(group, option)).toList()))
                .collect(Collectors.joining());
        return grouped
                + list(
                        help,
                        "General",
                        shown.stream().filter(option -> !isGrouped(option)).toList());
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
