package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.TestServer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code plog audit} on what a real server logged and a real client noted, whole and with something taken away. */
@Order(9)
final class LedgerAuditTest {
    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private Path log;

    @SuppressWarnings("NullAway.Init")
    private Path ledger;

    @BeforeEach
    void makeDirectory() throws Exception {
        log = Files.createDirectory(directory.resolve("log"));
        ledger = directory.resolve("ledger");
    }

    @Test
    void everythingOfARunIsInTheLogAndWhatIsTakenAwayIsMissed() throws Exception {
        try (TestServer server = startServer()) {
            measure(server, "--ledger-force").exited(0);
            LocalRun open = LocalRun.of("audit", "--ledger", ledger, "--log", log);
            open.exited(1);
            assertThat(open.onlyErrLine())
                    .contains("is open by process " + server.process.pid(), "expected a stopped log");
            assertThat(server.stop()).isZero();
        }
        // The one audit in a process of its own: exit code and streams are those of the process.
        Plog audit = Plog.run("audit", "--ledger", ledger, "--log", log).exited(0);
        assertThat(audit.outText())
                .contains(
                        "ledger: 120 lines read, 60 requests acknowledged by target 0; 60 lines not logged",
                        "holds: all 60 acknowledged requests are in the log, byte for byte, once, in order");
        assertThat(audit.err()).isEmpty();
        JsonNode json = new ObjectMapper()
                .readTree(LocalRun.of("audit", "--json", "--ledger", ledger, "--log", log)
                        .exited(0)
                        .outText());
        assertThat(json.get("ok").booleanValue()).isTrue();
        assertThat(json.get("intact").intValue()).isEqualTo(60);

        String last = Files.readAllLines(ledger).stream()
                .filter(line -> !line.split(" ", -1)[3].equals("0"))
                .reduce((earlier, later) -> later)
                .orElseThrow();
        assertAlteredLineIsFound(last, last.substring(0, last.length() - 8) + "00000000", "changed: request ");
        String[] words = last.split(" ", -1);
        assertAlteredLineIsFound(
                last, words[0] + " 999999 0 " + words[3] + " " + words[4] + " " + words[5], "lost: request 999999 ");

        Path copy = copyOfTheLog();
        Path segment = copy.resolve("00000000000000000001.seg");
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            file.truncate(8_192);
        }
        LocalRun truncated = LocalRun.of("audit", "--ledger", ledger, "--log", copy);
        truncated.exited(3);
        assertThat(truncated.outText())
                .contains("at or behind the damage: request ", "does not hold: the log is damaged;");
        assertThat(truncated.onlyErrLine()).contains("damaged log: file " + segment.getFileName());
    }

    private void assertAlteredLineIsFound(String line, String altered, String words) throws Exception {
        Path other = directory.resolve("altered");
        List<String> lines = new ArrayList<>(Files.readAllLines(ledger));
        lines.set(lines.indexOf(line), altered);
        Files.write(other, lines);
        LocalRun audit = audit(other).exited(4);
        assertThat(audit.outText()).contains(words, "does not hold: 1 of 60 acknowledged requests");
    }

    @Test
    void aServerThatWasKilledUnderLoadKeepsWhatItsLedgerSays() throws Exception {
        try (TestServer server = startServer();
                Plog client = Plog.start(
                        "measure",
                        "--server",
                        server.address(),
                        "--targets",
                        "a",
                        "--sizes",
                        "100,1k",
                        "--iterations",
                        "10000000",
                        "--warmup",
                        "0",
                        "--blocks",
                        "100000",
                        "--connections",
                        "4",
                        "--ledger",
                        ledger,
                        "--ledger-force",
                        "--out",
                        directory.resolve("results"))) {
            Await.until("the server is under load", () -> Files.exists(ledger) && Files.size(ledger) > 20_000);
            server.process.kill();
            assertThat(client.awaitExit()).isEqualTo(1);
        }
        assertThat(audit(ledger).exited(0).outText()).contains("holds: all ");
        // The project's own eyes agree.
        LogContents.check(LogContents.ledger(ledger, 0), LogContents.dump(log));
    }

    @Test
    void aLedgerThatCannotBeWrittenStopsTheRun() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "there is a device that is always full");
        ledger = full;
        try (TestServer server = startServer()) {
            Plog measure = measure(server, "--ledger-force");
            measure.exited(1);
            assertThat(measure.err().get(measure.err().size() - 1))
                    .contains(
                            "the run is partial: ledger /dev/full could not be written (No space left on device)",
                            "1 of 120 requests were answered");
        }
    }

    @Test
    void misuseIsSaidInOneLine() throws Exception {
        assertThat(refused(2, "audit")).contains("--ledger", "--log");
        assertThat(refused(2, "audit", "--ledger", ledger, "--log", log, "--target", "x"))
                .contains("--target");
        assertThat(refused(1, "audit", "--ledger", ledger, "--log", log)).contains(ledger + ": no such file");
        assertThat(refused(1, "audit", "--ledger", ledger, "--log", directory.resolve("x")))
                .contains("does not exist");
        assertThat(refused(2, "measure", "--ledger-force")).contains("need --ledger FILE");
        assertThat(refused(2, "measure", "--ledger", ledger, "--ledger-force-interval", "soon"))
                .contains("is no time: expected a number and a unit");
        LocalRun help = LocalRun.of("audit", "--help").exited(0);
        assertThat(help.outText()).startsWith("Usage: plog audit").contains("Exit codes:");
    }

    private static String refused(int code, Object... args) {
        LocalRun run = LocalRun.of(args).exited(code);
        assertThat(run.out()).isEmpty();
        return run.onlyErrLine();
    }

    private LocalRun audit(Path of) {
        return LocalRun.of("audit", "--ledger", of, "--log", log);
    }

    private TestServer startServer() throws Exception {
        return TestServer.start(directory, "--log", "a=" + log + ",segment=4MiB", "--unlogged", "--admin-port", "0");
    }

    private Plog measure(TestServer server, String... more) throws Exception {
        List<Object> args = new ArrayList<>(List.of("measure", "--server", server.address()));
        args.addAll(List.of("--sizes", "100,5k", "--iterations", "20", "--warmup", "10", "--blocks", "2"));
        args.addAll(List.of("--ledger", ledger, "--out", directory.resolve("results")));
        args.addAll(List.of(more));
        Plog measure = Plog.run(args.toArray());
        if (measure.awaitExit() == 5) {
            return Plog.run("--version"); // so few requests may not make a valid run; what they left is the same
        }
        return measure;
    }

    private Path copyOfTheLog() throws IOException {
        Path copy = Files.createDirectory(directory.resolve("copy"));
        try (var files = Files.list(log)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        return copy;
    }
}
