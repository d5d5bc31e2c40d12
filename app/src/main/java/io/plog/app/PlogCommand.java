package io.plog.app;

import io.plog.app.audit.AuditCommand;
import io.plog.app.bookies.BookieProcessCommand;
import io.plog.app.bookies.BookiesCommand;
import io.plog.app.call.CallCommand;
import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.demo.DemoCommand;
import io.plog.app.disk.DiskCommand;
import io.plog.app.lab.LabCommand;
import io.plog.app.load.LoadCommand;
import io.plog.app.log.LogCommand;
import io.plog.app.measure.MeasureCommand;
import io.plog.app.powercut.PowerCutCommand;
import io.plog.app.recovery.RecoveryCommand;
import io.plog.app.report.ReportCommand;
import io.plog.app.server.ServerCommand;
import io.plog.app.sim.SimCommand;
import io.plog.app.study.StudyCommand;
import io.plog.app.view.ViewCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The root command: names the subcommands and the one option that all of them share. */
@Command(
        name = "plog",
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Measures what it costs, on your own disks, to log every request durably before answering it.",
        footer = {
            "",
            "An option that is not given is looked up, first found wins: in the --plan file, if the command takes one; in"
                    + " the environment as PLOG_<COMMAND>_<OPTION>,"
                    + " then PLOG_<OPTION> (PLOG_SERVER_PORT, PLOG_PORT); in the --config file as <command>.<option>,"
                    + " then <option> (server.port, port); then the default applies. Several values of a repeatable"
                    + " option are separated by ';' there.",
            "",
            "PLOG_DEBUG=1 adds the stack trace to an error."
        })
public final class PlogCommand extends ConsoleCommand {
    private static final List<Map.Entry<String, Class<?>>> COMMANDS = List.of(
            Map.entry("demo", DemoCommand.class),
            Map.entry("study", StudyCommand.class),
            Map.entry("server", ServerCommand.class),
            Map.entry("measure", MeasureCommand.class),
            Map.entry("load", LoadCommand.class),
            Map.entry("disk", DiskCommand.class),
            Map.entry("recovery", RecoveryCommand.class),
            Map.entry("call", CallCommand.class),
            Map.entry("log", LogCommand.class),
            Map.entry("sim", SimCommand.class),
            Map.entry("audit", AuditCommand.class),
            Map.entry("powercut", PowerCutCommand.class),
            Map.entry("report", ReportCommand.class),
            Map.entry("view", ViewCommand.class),
            Map.entry("bookies", BookiesCommand.class),
            Map.entry("lab", LabCommand.class),
            Map.entry("bookie-process", BookieProcessCommand.class),
            Map.entry("help", HelpCommand.class));

    /** Read by {@link Settings} before anything is parsed, since it decides what the other options default to. */
    @Option(
            names = Settings.CONFIG_OPTION,
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "Properties file with options that are given neither here nor in the environment.")
    @Nullable
    Path config;

    public static CommandLine program() {
        return program(COMMANDS);
    }

    /**
     * The program with the one command that a line begins with: to describe them all takes a third of the time in which a server
     * starts. With all of them where it begins with none, or a file names options, which may be those of any.
     */
    static CommandLine programFor(Map<String, String> environment, String... line) {
        List<Map.Entry<String, Class<?>>> named = COMMANDS.stream()
                .filter(command -> line.length > 0 && command.getKey().equals(line[0]) && !line[0].equals("help"))
                .toList();
        return program(named.isEmpty() || Settings.isFileNamed(environment, line) ? COMMANDS : named);
    }

    private static CommandLine program(List<Map.Entry<String, Class<?>>> commands) {
        CommandLine program = new CommandLine(new PlogCommand());
        commands.forEach(command -> program.addSubcommand(command.getKey(), command.getValue()));
        return program;
    }

    /** Called without a subcommand: says which there are. */
    @Override
    protected ExitCode run() {
        spec().commandLine().usage(err());
        return ExitCode.MISUSED;
    }
}
