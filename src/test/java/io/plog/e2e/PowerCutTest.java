package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The power-cut test as a command: on a simulated disk, and with the parts of two machines. */
@Timeout(200)
final class PowerCutTest {
    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @Test
    void aDiskThatKeepsItsWordLosesTheControlOnly() throws Exception {
        LocalRun cuts = LocalRun.of("powercut --rounds 1 --seed 5 sim:ssd@%s", directory.resolve("cuts"))
                .exited(0);
        assertThat(cuts.outText())
                .startsWith("1 round, nothing acknowledged was lost; in 1 of them the cut reached the cache");
        Path round = directory.resolve("cuts/round-1");
        assertThat(round.resolve("after-recovery.txt")).content().contains("holds: all ");
        assertThat(round.resolve("control.txt")).content().contains("does not hold: ");
        assertThat(round.resolve("a/log.head")).exists();
    }

    @Test
    void aDiskThatLiesIsCaughtAndNoOtherRoundIsBegun() throws Exception {
        LocalRun cuts = LocalRun.of("powercut --json --rounds 2 --seed 5 sim:lying@%s", directory.resolve("cuts"))
                .exited(4);
        assertThat(cuts.outText().strip())
                .isEqualTo(
                        "{\"lost\":1,\"untested\":0,\"reachedCache\":0,\"rounds\":[{\"log\":\"lost\",\"reached\":true}]}");
        assertThat(directory.resolve("cuts/round-1/before-recovery.txt"))
                .content()
                .contains("lost: request ", "does not hold: ");
        assertThat(directory.resolve("cuts/round-2")).doesNotExist();
    }

    /** The server is killed where the plug would be pulled, so that nothing is lost. */
    @Test
    void twoMachinesAreGuidedThroughARound() throws Exception {
        Path cuts = directory.resolve("cuts");
        Path ledgers = directory.resolve("ledgers");
        try (Plog machine = Plog.start("powercut --port 0 %s", cuts)) {
            String serves = machine.awaitErr(line -> line.contains("serves at"));
            String address = serves.replaceAll(".*serves at (\\S+);.*", "$1");
            try (Plog other = Plog.start("powercut --server %s --out %s", address, ledgers)) {
                Path ledger = ledgers.resolve("round-1.ledger");
                Await.until("requests are acknowledged", () -> Files.exists(ledger) && Files.size(ledger) > 10_000);
                ProcessHandle.of(machine.pid()).orElseThrow().children().forEach(ProcessHandle::destroyForcibly);
                assertThat(machine.awaitExit(Duration.ofMinutes(1))).isEqualTo(1);
                assertThat(other.awaitErr(line -> line.contains("the machine is gone")))
                        .contains("Start it, copy " + ledger + " to round-1/ledger in its directory");
            }
            assertThat(LocalRun.of("powercut --port 0 %s", cuts).exited(2).errText())
                    .contains("round 1 was begun, and its ledger is not here: copy round-1.ledger");
            Files.copy(ledgers.resolve("round-1.ledger"), cuts.resolve("round-1/ledger"));
        }
        try (Plog machine = Plog.start("powercut --port 0 %s", cuts)) {
            machine.awaitErr(line -> line.startsWith("round 2: serves at"));
            assertThat(machine.errText()).contains("round 1: holds, but the control lost nothing");
        }
    }

    @Test
    void aRoundInWhichNothingWasAcknowledgedByTheLogDoesNotCountAsHeld() throws Exception {
        Path cuts = directory.resolve("cuts");
        try (Plog machine = Plog.start("powercut --port 0 %s", cuts)) {
            machine.awaitErr(line -> line.contains("serves at"));
            ProcessHandle.of(machine.pid()).orElseThrow().children().forEach(ProcessHandle::destroyForcibly);
            machine.awaitExit(Duration.ofMinutes(1));
        }
        Files.writeString(cuts.resolve("round-1/ledger"), "1 1 1 1 5 0a1b2c3d\n");
        LocalRun judged = LocalRun.of("powercut --port 0 %s", cuts).exited(5);
        assertThat(judged.errText())
                .contains("round 1: not tested: its ledger has no request to the log, and the control lost something");
        assertThat(judged.outText()).startsWith("1 round, of which 1 did not test the log, nothing acknowledged");
        Path verdict = cuts.resolve("round-1/verdict");
        String line = Files.readString(verdict);
        assertThat(line).isEqualTo("{\"log\":\"untested\",\"reached\":true}\n");
        Files.writeString(verdict, "holds, and the control lost something\n");
        assertThat(LocalRun.of("powercut --port 0 %s", cuts).exited(1).onlyErrLine())
                .contains("round-1/verdict: is no verdict");
        Files.writeString(verdict, line);
        try (Plog machine = Plog.start("powercut --port 0 %s", cuts)) {
            machine.awaitErr(said -> said.startsWith("round 2: serves at"));
        }
    }

    @Test
    void aRoundWhoseServerCannotStartIsNotBegun() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            LocalRun.of("powercut --port %s %s", taken.getLocalPort(), directory.resolve("cuts"))
                    .exited(1);
        }
        assertThat(directory.resolve("cuts/round-1")).doesNotExist();
    }

    @Test
    void neitherMachineOrBothAreRefused() throws Exception {
        assertThat(LocalRun.of("powercut").exited(2).onlyErrLine())
                .contains("expected either DIR, on the machine under test, or --server");
        assertThat(LocalRun.of("powercut --server 127.0.0.1:1 %s", directory)
                        .exited(2)
                        .onlyErrLine())
                .contains("expected either DIR");
    }
}
