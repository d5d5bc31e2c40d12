package io.plog.app;

import io.plog.app.cli.Converters;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.Failures;
import io.plog.app.cli.HelpGroups;
import io.plog.app.cli.NettySettings;
import io.plog.app.cli.ParentWatch;
import io.plog.app.cli.StandardOutput;
import io.plog.app.lab.Evidence;
import io.plog.measure.PlanException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The one program, {@code plog}: finds the settings, hands the arguments to the command, exits with its code. */
public final class Main {
    private Main() {}

    /**
     * Runs a command and ends the JVM with its exit code, one of {@link ExitCode}.
     *
     * @param args as typed
     */
    @SuppressWarnings("SystemConsoleNull") // JDK 22 to 24 have one without a terminal: the system's charset then
    public static void main(String[] args) throws IOException {
        ParentWatch.endWithParent();
        NettySettings.apply();
        Charset charset = charset(System.console() != null);
        // First: whatever keeps System.out has this one.
        Evidence evidence = evidence(args);
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        StandardOutput output = new StandardOutput(evidence == null ? out : evidence.listening(out));
        System.setOut(new PrintStream(output, false, charset));
        CommandLine commandLine = PlogCommand.programFor(System.getenv(), args);
        commandLine.setOut(new PrintWriter(new OutputStreamWriter(System.out, charset), true));
        commandLine.setErr(new PrintWriter(new OutputStreamWriter(System.err, charset), true));
        int code = run(commandLine, System.getenv(), args);
        commandLine.getOut().flush();
        int ended = output.exitCode(code, commandLine.getErr());
        if (evidence != null) {
            evidence.ended(ended);
        }
        System.exit(ended);
    }

    /** Null unless a lab is done in this folder. */
    private static @Nullable Evidence evidence(String... args) {
        try {
            return Evidence.of(Path.of(""), args);
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("plog: the lab's record cannot be kept: " + e.getMessage());
            return null;
        }
    }

    /** What a terminal understands; a file or another program gets UTF-8, whatever the system (as Windows) prefers. */
    private static Charset charset(boolean terminal) {
        String name = System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding"));
        return !terminal ? StandardCharsets.UTF_8 : name == null ? Charset.defaultCharset() : Charset.forName(name);
    }

    /** Runs a command line below {@code commandLine} and returns the exit code. */
    public static int run(CommandLine commandLine, Map<String, String> environment, String... args) {
        Failures failures = new Failures(environment.containsKey("PLOG_DEBUG"), line -> "");
        commandLine.setUsageHelpAutoWidth(true);
        HelpGroups.showIn(commandLine);
        Converters.register(commandLine);
        Settings settings;
        try {
            settings = Settings.load(commandLine, environment, args);
        } catch (ParameterException misuse) {
            return failures.handleParseException(misuse, args);
        } catch (IOException | PlanException | IllegalArgumentException e) {
            CommandLine command = Settings.commandOf(commandLine, args);
            return failures.handleExecutionException(e, command, command.getParseResult());
        }
        failures = new Failures(environment.containsKey("PLOG_DEBUG"), settings::originIn);
        commandLine.setExecutionExceptionHandler(failures);
        commandLine.setParameterExceptionHandler(failures);
        commandLine.setDefaultValueProvider(settings);
        List<String> repeated = settings.repeatedOptions(commandLine, args);
        return commandLine.execute(
                Stream.concat(Stream.of(args), repeated.stream()).toArray(String[]::new));
    }
}
