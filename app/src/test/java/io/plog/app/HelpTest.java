package io.plog.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.plog.app.cli.Converters;
import io.plog.app.cli.HelpGroups;
import io.plog.results.compare.Gate;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What {@code --help} shows. */
final class HelpTest {
    /** With more options than these a list needs headings. */
    private static final int FEW = 8;

    /** As a shell would take it: what stands in quotes is one. */
    private static final Pattern WORD = Pattern.compile("'[^']*'|\\S+");

    private static CommandLine program() {
        CommandLine program = PlogCommand.program();
        Converters.register(program);
        HelpGroups.showIn(program);
        return program;
    }

    private static Stream<CommandLine> commands() {
        return below(program());
    }

    private static Stream<CommandLine> below(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(HelpTest::below));
    }

    private static List<String> examples(CommandLine command) {
        return Stream.of(command.getCommandSpec().usageMessage().description())
                .filter(line -> line.startsWith("  "))
                .map(line -> line.strip().replace("%%", "%").replaceFirst("^.*\\| ", ""))
                .toList();
    }

    @Test
    void eachCommandIsFoundByItsOwnName() {
        assertThat(program().getSubcommands()).allSatisfy((name, command) -> {
            assertThat(command.getCommandName()).isEqualTo(name);
            assertThat(PlogCommand.programFor(Map.of(), name).getSubcommands().keySet())
                    .as("what a line that begins with it can be about")
                    .contains(name)
                    .hasSize(name.equals("help") ? program().getSubcommands().size() : 1);
        });
    }

    @ParameterizedTest
    @MethodSource("commands")
    void eachOptionOfALongListIsUnderAHeading(CommandLine command) {
        List<OptionSpec> options = command.getCommandSpec().options().stream()
                .filter(option -> Settings.isSetting(option) && !option.hidden())
                .toList();
        if (options.size() > FEW) {
            assertThat(options).as("give it a group in HelpGroups").allMatch(HelpGroups::isGrouped);
            assertThat(command.getUsageMessage()).contains("General:");
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void eachExampleIsUnderstood(CommandLine command) {
        for (String example : examples(command)) {
            String[] words = WORD.matcher(example.replaceFirst("^plog ", ""))
                    .results()
                    .map(word -> word.group().replace("'", ""))
                    .toArray(String[]::new);
            assertThatCode(() -> program().parseArgs(words)).as(example).doesNotThrowAnyException();
            int gate = List.of(words).indexOf("--fail-if");
            if (gate >= 0) {
                assertThat(Gate.parse(words[gate + 1]).above())
                        .as("%s: fails above its limit", example)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "measure", "load", "study", "disk", "server", "report", "view"})
    void aCommandWithManyOptionsBeginsWithTwoExamples(String name) {
        CommandLine command = program().getSubcommands().get(name);
        assertThat(examples(command))
                .hasSize(2)
                .allMatch(example -> example.startsWith("plog " + name) && example.length() <= 78);
        String help = command.getUsageMessage();
        assertThat(help.indexOf("Examples:")).isPositive().isLessThan(help.indexOf("  -h, --help"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpIsAResult(CommandLine command) {
        String line = command.getCommandSpec().qualifiedName();
        String[] words = (line + " --help").replaceFirst("^plog ", "").split(" ");
        CommandRun help = new CommandRun(new PlogCommand(), Map.of(), words).exited(0);
        assertThat(help.out).contains("Usage: " + line + " ");
        assertThat(help.err).isEmpty();
    }

    @Test
    void helpOfACommandIsWhatItsOptionPrints() {
        CommandRun asked = new CommandRun(new PlogCommand(), Map.of(), "help", "load");
        CommandRun option = new CommandRun(new PlogCommand(), Map.of(), "load", "--help");
        assertThat(asked.exitCode).isZero();
        assertThat(asked.out).isEqualTo(option.out).contains("What is sent:");
    }
}
