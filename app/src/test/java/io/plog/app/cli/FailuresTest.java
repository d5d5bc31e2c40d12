package io.plog.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.app.CommandRun;
import io.plog.app.PlogCommand;
import io.plog.measure.PlanException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

final class FailuresTest {
    @Test
    void anExpectedFailureIsOneLineAndExitCodeOne() {
        CommandRun run = failing(new IOException("port 7000 is in use"));
        assertThat(run.exitCode).isEqualTo(1);
        assertThat(run.err).isEqualToIgnoringNewLines("failing: port 7000 is in use");
        assertThat(run.out).isEmpty();
    }

    @Test
    void severalLinesBecomeOne() {
        assertThat(failing(new IOException("first\n   second\r\nthird\n")).err)
                .isEqualToIgnoringNewLines("failing: first; second; third");
    }

    @Test
    void theCauseIsToldAndNotItsWrappers() {
        IOException cause = new IOException("disk gone");
        assertThat(failing(new ExecutionException(new UncheckedIOException(cause))).err)
                .isEqualToIgnoringNewLines("failing: disk gone");
    }

    @Test
    void aFileSystemFailureSaysWhatIsWrongWithTheFile() {
        assertThat(failing(new NoSuchFileException("x/y")).err)
                .isEqualToIgnoringNewLines("failing: x/y: no such file or directory");
        assertThat(failing(new AccessDeniedException("x/y")).err)
                .isEqualToIgnoringNewLines("failing: x/y: permission denied");
    }

    @Test
    void aNameThatTheLocaleCannotEncodeIsBlamedOnTheLocale() {
        CommandRun run = failing(
                new InvalidPathException("/srv/d\uFFFD", "Malformed input or input contains unmappable characters"));
        assertThat(run.exitCode).isEqualTo(2);
        assertThat(run.err).contains("/srv/d", System.getProperty("sun.jnu.encoding"), "set LC_ALL", "C.UTF-8");
    }

    @Test
    void aCommandsOwnFailureHasItsOwnExitCode() {
        CommandRun run = failing(new CommandException(ExitCode.CHECK_FAILED, "p99 is over 10 ms"));
        assertThat(run.exitCode).isEqualTo(4);
        assertThat(run.err).isEqualToIgnoringNewLines("failing: p99 is over 10 ms");
    }

    @Test
    void whatAServerCannotDoIsMisuse() {
        assertThat(failing(new PlanException("the server has no target 'b'")).exitCode)
                .isEqualTo(2);
    }

    @Test
    void theListOfExitCodesHasEachOfThem() {
        for (ExitCode each : ExitCode.values()) {
            assertThat(ExitCode.SUMMARY).contains(" " + each.code() + " ");
        }
    }

    @Test
    void anArgumentThatALibraryRefusesIsMisuse() {
        CommandRun run = failing(new IllegalArgumentException("segmentBytes is 7: expected a multiple of 65536"));
        assertThat(run.exitCode).isEqualTo(2);
        assertThat(run.err.lines()).hasSize(1);
    }

    @Test
    void anUnexpectedFailureSaysSoAndHowToSeeMore() {
        CommandRun run = failing(new IllegalStateException("queue is upside down"));
        assertThat(run.exitCode).isEqualTo(1);
        assertThat(run.err.lines())
                .singleElement()
                .asString()
                .contains("unexpected IllegalStateException", "queue is upside down", "PLOG_DEBUG=1");
    }

    @Test
    void theStackTraceIsThereWhenAskedFor() {
        CommandRun run = new CommandRun(new Failing(new IOException("no")), Map.of("PLOG_DEBUG", "1"));
        assertThat(run.err).contains("failing: no", "\tat ");
        assertThat(run.exitCode).isEqualTo(1);
    }

    @Test
    void anUnknownOptionIsMisuseAndGetsASuggestion() {
        CommandRun run = new CommandRun(new Failing(new IOException()), Map.of(), "--prot", "7");
        assertThat(run.exitCode).isEqualTo(2);
        assertThat(run.err.lines())
                .singleElement()
                .asString()
                .contains("Unknown option", "--prot", "did you mean --port", "'failing --help'");
    }

    @Test
    void aMissingValueIsMisuse() {
        CommandRun run = new CommandRun(new Failing(new IOException()), Map.of(), "--port");
        assertThat(run.exitCode).isEqualTo(2);
        assertThat(run.err.lines()).singleElement().asString().contains("--port");
    }

    @Test
    void theRootCommandAloneIsMisuseAndPrintsItsUsage() {
        CommandRun run = new CommandRun(new PlogCommand(), Map.of());
        assertThat(run.exitCode).isEqualTo(2);
        assertThat(run.err).contains("Usage: plog");
    }

    @Test
    void helpAndVersionGoToStandardOutput() {
        CommandRun help = new CommandRun(new PlogCommand(), Map.of(), "--help");
        assertThat(help.exitCode).isZero();
        assertThat(help.out).contains("Usage: plog", "--config", "PLOG_SERVER_PORT", "Exit codes: 0 done");
        assertThat(help.err).isEmpty();
        CommandRun version = new CommandRun(new PlogCommand(), Map.of(), "--version");
        assertThat(version.out).startsWith("plog ");
    }

    private static CommandRun failing(Exception failure) {
        return new CommandRun(new Failing(failure), Map.of());
    }

    @Command(name = "failing", mixinStandardHelpOptions = true)
    static final class Failing implements Callable<Integer> {
        private final Exception failure;

        @Option(names = "--port")
        int port;

        @Option(names = "--config")
        Path config = Path.of("unused");

        Failing(Exception failure) {
            this.failure = failure;
        }

        @Override
        public Integer call() throws Exception {
            throw failure;
        }
    }
}
