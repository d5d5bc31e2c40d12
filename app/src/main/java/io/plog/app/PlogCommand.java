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
import io.plog.app.recovery.RecoveryCommand;
import io.plog.app.report.ReportCommand;
import io.plog.app.server.ServerCommand;
import io.plog.app.sim.SimCommand;
import io.plog.app.study.StudyCommand;
import io.plog.app.view.ViewCommand;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
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
        },
        subcommands = {
            DemoCommand.class,
            StudyCommand.class,
            ServerCommand.class,
            MeasureCommand.class,
            LoadCommand.class,
            DiskCommand.class,
            RecoveryCommand.class,
            CallCommand.class,
            LogCommand.class,
            SimCommand.class,
            AuditCommand.class,
            ReportCommand.class,
            ViewCommand.class,
            BookiesCommand.class,
            LabCommand.class,
            BookieProcessCommand.class,
            HelpCommand.class
        })
public final class PlogCommand extends ConsoleCommand {
    /** Read by {@link Settings} before anything is parsed, since it decides what the other options default to. */
    @Option(
            names = Settings.CONFIG_OPTION,
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "Properties file with options that are given neither here nor in the environment.")
    @Nullable
    Path config;

    /** Called without a subcommand: says which there are. */
    @Override
    protected ExitCode run() {
        spec().commandLine().usage(err());
        return ExitCode.MISUSED;
    }
}
