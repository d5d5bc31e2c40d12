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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

final class FailuresTest {
    @ParameterizedTest
    @CsvSource({
        "demo --dry-run --link 10gbit, --link is 10gbit: expected 1gbit",
        "demo --dry-run --out=, '''--out'': found nothing'",
        "demo --dry-run --log-dir=, 'found nothing, expected the name of a directory'",
        "recovery --log-dir=, 'found nothing, expected the name of a directory'",
        "audit --ledger x --log=, 'found nothing, expected the directory of a log'",
        "view --port 99999, --port is 99999: expected 0 to 65535",
    })
    void whatAnOptionNamesIsCheckedBeforeAnythingIsMade(String line, String expected) {
        assertThat(CommandRun.of((Object[]) line.split(" ")).exited(2).err).contains(expected);
    }

    static Stream<Arguments> expected() {
        IOException cause = new IOException("disk gone");
        String argument = "segmentBytes is 7: expected a multiple of 65536";
        return Stream.of(
                Arguments.of(new IOException("port 7000 is in use"), 1, "port 7000 is in use"),
                Arguments.of(new IOException("first\n   second\r\nthird\n"), 1, "first; second; third"),
                Arguments.of(new ExecutionException(new UncheckedIOException(cause)), 1, "disk gone"),
                Arguments.of(new NoSuchFileException("x/y"), 1, "x/y: no such file or directory"),
                Arguments.of(new AccessDeniedException("x/y"), 1, "x/y: permission denied"),
                Arguments.of(new PlanException("the server has no target 'b'"), 2, "the server has no target 'b'"),
                Arguments.of(new IllegalArgumentException(argument), 2, argument));
    }

    @ParameterizedTest
    @MethodSource("expected")
    void anExpectedFailureIsOneLineAndHasItsExitCode(Exception failure, int code, String line) {
        CommandRun run = failing(failure).exited(code);
        assertThat(run.err).isEqualToIgnoringNewLines("failing: " + line);
        assertThat(run.out).isEmpty();
    }

    @Test
    void aNameThatTheLocaleCannotEncodeIsBlamedOnTheLocale() {
        CommandRun run = failing(new InvalidPathException(
                        "/srv/d\uFFFD", "Malformed input or input contains unmappable characters"))
                .exited(2);
        assertThat(run.err).contains("/srv/d", System.getProperty("sun.jnu.encoding"), "set LC_ALL", "C.UTF-8");
    }

    @Test
    void theListOfExitCodesHasEachOfThem() {
        var listed = PlogCommand.program().getCommandSpec().usageMessage().exitCodeList();
        assertThat(listed.keySet())
                .containsExactlyElementsOf(Stream.of(ExitCode.values())
                        .map(each -> String.valueOf(each.code()))
                        .toList());
    }

    @Test
    void anUnexpectedFailureSaysSoAndHowToSeeMore() {
        CommandRun run =
                failing(new IllegalStateException("queue is upside down")).exited(1);
        assertThat(run.err.lines())
                .singleElement()
                .asString()
                .contains("unexpected IllegalStateException", "queue is upside down", "PLOG_DEBUG=1");
    }

    @Test
    void theStackTraceIsThereWhenAskedFor() {
        CommandRun run = new CommandRun(new Failing(new IOException("no")), Map.of("PLOG_DEBUG", "1"));
        assertThat(run.err).contains("failing: no", "\tat ");
        run.exited(1);
    }

    /** What is printed is named by files and servers, which may want to steer the terminal. */
    @Test
    void charactersThatSteerATerminalAreNeverPrinted() {
        CommandRun run = new CommandRun(new Failing(new IOException("\u001b[2Jplan \u0007of\u202e x\ty")), Map.of());
        assertThat(run.err).startsWith("failing: \ufffd[2Jplan \ufffdof\ufffd x\ty");
        CommandRun parsed = new CommandRun(new Failing(new IOException()), Map.of(), "--\u001b[31m").exited(2);
        assertThat(parsed.err).doesNotContain("\u001b");
    }

    @Test
    void anUnknownOptionIsMisuseAndGetsASuggestion() {
        CommandRun run = new CommandRun(new Failing(new IOException()), Map.of(), "--prot", "7").exited(2);
        assertThat(run.err.lines())
                .singleElement()
                .asString()
                .contains("Unknown option", "--prot", "did you mean --port", "'failing --help'");
    }

    @Test
    void aMissingValueIsMisuse() {
        CommandRun run = new CommandRun(new Failing(new IOException()), Map.of(), "--port").exited(2);
        assertThat(run.err.lines()).singleElement().asString().contains("--port");
    }

    @Test
    void theRootCommandAloneIsMisuseAndPrintsItsUsage() {
        CommandRun run = new CommandRun(new PlogCommand(), Map.of()).exited(2);
        assertThat(run.err).contains("Usage: plog");
    }

    @Test
    void helpAndVersionGoToStandardOutput() {
        CommandRun help = new CommandRun(new PlogCommand(), Map.of(), "--help").exited(0);
        assertThat(help.out).contains("Usage: plog", "--config", "PLOG_SERVER_PORT", "Exit codes:");
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
