package io.plog.packaging;

import io.plog.app.PlogCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Writes a manual page for each command, and the completion for bash and zsh, from the commands themselves: made with each package,
 * they cannot be stale. For one thread.
 */
public final class ManPages {
    private final Path directory;
    private final String version;

    private ManPages(Path directory, String version) {
        this.directory = directory;
        this.version = version;
    }

    /**
     * Writes them.
     *
     * @param args the directory to write to, and the version that the pages name
     */
    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectories(Path.of(args[0]));
        CommandLine plog = PlogCommand.program();
        new ManPages(directory, args[1]).write(plog.getCommandSpec());
        Files.writeString(directory.resolve("plog.bash"), AutoComplete.bash("plog", PlogCommand.program()));
    }

    private void write(CommandSpec command) throws IOException {
        String name = command.qualifiedName("-");
        StringBuilder page = new StringBuilder();
        page.append(".TH \"")
                .append(name)
                .append("\" 1 \"\" \"plog ")
                .append(version)
                .append("\" \"plog\"\n");
        List<String> description = Arrays.asList(command.usageMessage().description());
        String all = String.join(" ", description);
        int end = all.indexOf(". ");
        page.append(".SH NAME\n").append(name).append(" \\- ");
        page.append(text(end < 0 ? all : all.substring(0, end))).append('\n');
        page.append(".SH SYNOPSIS\n.nf\n");
        page.append(text(new CommandLine.Help(command, CommandLine.Help.defaultColorScheme(Ansi.OFF))
                        .synopsis(0)
                        .strip()))
                .append("\n.fi\n");
        page.append(".SH DESCRIPTION\n");
        description.forEach(line -> page.append(text(line)).append("\n.br\n"));
        List<CommandSpec> below = command.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(each -> !each.usageMessage().hidden() && !each.name().equals("help"))
                .distinct()
                .toList();
        List<ArgSpec> arguments = new ArrayList<>(command.positionalParameters());
        command.options().stream().filter(option -> !option.hidden()).forEach(arguments::add);
        page.append(".SH OPTIONS\n");
        arguments.forEach(argument -> page.append(entry(argument)));
        section(page, "EXIT STATUS AND NOTES", command.usageMessage().footer());
        if (!below.isEmpty()) {
            page.append(".SH COMMANDS\n");
            below.forEach(each ->
                    page.append(".BR ").append(text(each.qualifiedName("-"))).append(" (1)\n.br\n"));
        }
        CommandSpec parent = command.parent();
        if (parent != null) {
            page.append(".SH SEE ALSO\n.BR ")
                    .append(text(parent.qualifiedName("-")))
                    .append(" (1)\n");
        }
        Files.writeString(directory.resolve(name + ".1"), page, StandardCharsets.UTF_8);
        for (CommandSpec each : below) {
            write(each);
        }
    }

    private static void section(StringBuilder page, String title, String[] lines) {
        if (lines.length > 0) {
            page.append(".SH \"").append(title).append("\"\n");
            Arrays.stream(lines).forEach(line -> page.append(text(line)).append("\n.br\n"));
        }
    }

    private static String entry(ArgSpec argument) {
        String names = argument instanceof OptionSpec option
                ? Arrays.stream(option.names())
                        .map(each -> "\\fB" + text(each) + "\\fR")
                        .collect(Collectors.joining(", "))
                : "";
        String label = argument.arity().max() == 0 ? "" : " \\fI" + text(argument.paramLabel()) + "\\fR";
        return ".TP\n" + (names + label).strip() + "\n"
                + Arrays.stream(argument.description()).map(ManPages::text).collect(Collectors.joining("\n")) + "\n";
    }

    /** Without picocli's formats, and with what roff would take for its own. */
    private static String text(String line) {
        String plain = Ansi.OFF.string(line.replace("%n", "\n").replace("%%", "%"));
        String escaped = plain.replace("\\", "\\e").replace("-", "\\-").strip();
        return escaped.lines()
                .map(each -> each.startsWith(".") || each.startsWith("'") ? "\\&" + each : each)
                .collect(Collectors.joining("\n"));
    }
}
