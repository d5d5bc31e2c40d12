package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
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
            measure(server);
            LocalRun open = LocalRun.of("audit --ledger %s --log %s", ledger, log);
            open.exited(1);
            assertThat(open.onlyErrLine())
                    .contains("is open by process " + server.process.pid(), "expected a stopped log");
            assertThat(server.stop()).isZero();
        }
        // The one audit in a process of its own: exit code and streams are those of the process.
        Plog audit = Plog.run("audit --ledger %s --log %s", ledger, log).exited(0);
        assertThat(audit.outText())
                .contains(
                        "ledger: 120 lines read, 60 requests acknowledged by target 0; 60 lines not logged",
                        "holds: all 60 acknowledged requests are in the log, byte for byte, once, in order");
        assertThat(audit.err()).isEmpty();
        JsonNode json = new ObjectMapper()
                .readTree(LocalRun.of("audit --json --ledger %s --log %s", ledger, log)
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
        LocalRun truncated = LocalRun.of("audit --ledger %s --log %s", ledger, copy);
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
    void misuseIsSaidInOneLine() throws Exception {
        assertThat(refused(2, "audit")).contains("--ledger", "--log");
        assertThat(refused(2, "audit --ledger %s --log %s --target x", ledger, log))
                .contains("--target");
        assertThat(refused(1, "audit --ledger %s --log %s", ledger, log)).contains(ledger + ": no such file");
        assertThat(refused(1, "audit --ledger %s --log %s", ledger, directory.resolve("x")))
                .contains("does not exist");
        assertThat(refused(2, "measure --ledger-force")).contains("needs --ledger FILE");
        LocalRun help = LocalRun.of("audit --help").exited(0);
        assertThat(help.outText()).startsWith("Usage: plog audit").contains("Exit codes:");
    }

    private static String refused(int code, String line, Object... values) {
        LocalRun run = LocalRun.of(line, values).exited(code);
        assertThat(run.out()).isEmpty();
        return run.onlyErrLine();
    }

    private LocalRun audit(Path of) {
        return LocalRun.of("audit --ledger %s --log %s", of, log);
    }

    private TestServer startServer() throws Exception {
        return TestServer.start(directory, "--log a=%s,segment=4MiB --unlogged --admin-port 0", log);
    }

    private void measure(TestServer server) {
        LocalRun measure = LocalRun.of(
                "measure --server %s --sizes 100,5k --iterations 20 --trials 1 --warmup 10 --blocks 2 --ledger %s --ledger-force"
                        + " --out %s",
                server.address(), ledger, directory.resolve("results"));
        assertThat(measure.exitCode()).as("%s", measure).isIn(0, 5); // so few requests may not make a valid run
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
