package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose log is on a simulated disk: the end of the process by kill -9 is the disk's power cut. */
final class SimulatedDiskTest {
    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private Path log;

    @BeforeEach
    void makeDirectory() throws Exception {
        log = Files.createDirectory(directory.resolve("log"));
    }

    private TestServer start(String device) throws Exception {
        return TestServer.start(
                directory, "--log a=%s%s,segment=1MiB,reserve=1MiB,service=chain --admin-port 0", device, log);
    }

    private void measure(TestServer server, String ledger) throws Exception {
        int code = LocalRun.of(
                        "measure --server %s --sizes 100 --iterations 20 --trials 1 --warmup 10 --blocks 1 --ledger %s --ledger-force"
                                + " --out %s --overwrite",
                        server.address(), directory.resolve(ledger), directory.resolve("out"))
                .exitCode();
        assertThat(code).isIn(0, 5); // so few requests may not make a valid run
    }

    private LocalRun audit(String ledger) {
        return LocalRun.of("audit --ledger %s --log %s", directory.resolve(ledger), log);
    }

    @Test
    @Tag("slow")
    void onAMagneticDiskWhatWasAcknowledgedIsThereAfterThePowerCut() throws Exception {
        try (TestServer server = start("sim:hdd@")) {
            assertThat(server.process.errText()).contains("simulated on sim:hdd (rotational yes");
            measure(server, "ledger");
            server.process.kill();
        }
        audit("ledger").exited(0);
        try (TestServer again = start("sim:hdd@")) {
            assertThat(again.process.errText()).doesNotContain("note: ");
            assertThat(LocalRun.of("sim cut --survivors random --seed 7 %s", log)
                            .exited(0)
                            .outText())
                    .contains("cut the power", "survivors random, seed 7");
            again.process.kill();
        }
        audit("ledger").exited(0);
        try (TestServer real = start("")) {
            assertThat(real.process.errText())
                    .contains("note: " + log + " was written on the simulated disk hdd", "no simulated disk opens");
        }
        assertThat(refused(1, "server --port 0 --admin-port 0 --log a=sim:hdd@%s", log))
                .contains("not written on a simulated disk");
    }

    @Test
    void aStripedLogRecoversWhenItsSimulatedDisksLosePower() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        String both = log + "+" + other;
        try (TestServer server = start("sim:nvme@" + other + "+")) {
            measure(server, "ledger");
            LocalRun cut =
                    LocalRun.of("sim cut --survivors random --seed 7 %s", both).exited(0);
            assertThat(cut.outText())
                    .contains("disk in " + log, "disk in " + other)
                    .doesNotContain("nobody");
            server.process.kill();
        }
        LocalRun.of("audit --ledger %s --log sim:nvme@%s+%s", directory.resolve("ledger"), other, log)
                .exited(0);
        try (TestServer again = start("sim:nvme@" + other + "+")) {
            measure(again, "later");
            again.process.kill();
        }
        LocalRun.of("audit --ledger %s --log %s+%s", directory.resolve("later"), other, log)
                .exited(0);
        assertThat(refused(2, "server --port 0 --log a=sim:hdd@%s+sim:ssd@%s", log, other))
                .contains("expected sim:MODEL@DIR1+DIR2");
        assertThat(refused(2, "server --port 0 --log a=%s+sim:ssd@%s", log, other))
                .contains("expected sim:MODEL@DIR1+DIR2");
    }

    @Test
    void whatDoesNotFitIsRefusedInOneLine() throws Exception {
        assertThat(refused(2, "server --port 0 --log a=sim:floppy@%s", log)).contains("'floppy'", "hdd, ssd, nvme");
        assertThat(refused(2, "server --port 0 --log a=sim:hdd")).contains("sim:MODEL@DIR");
        assertThat(refused(2, "disk sim:fixed@%s", log)).contains("fixed:TIME");
        assertThat(refused(1, "sim cut %s", log)).contains("not the directory of a simulated disk");
        assertThat(refused(2, "sim cut --survivors all %s", log)).contains("drop, prefix or random");
        assertThat(refused(2, "log info sim:ssd@%s", log)).contains("on no simulated disk");
        Files.writeString(log.resolve("simulated-disk"), "ssd\n");
        assertThat(refused(2, "log info sim:hdd@%s", log)).contains("on the simulated disk ssd");
        assertThat(refused(1, "server --port 0 --admin-port 0 --log a=sim:hdd@%s", log))
                .contains("written on the simulated disk ssd", "name sim:ssd@" + log);
        assertThat(LocalRun.of("sim cut --seed 1 %s", log).exited(0).outText()).contains("nobody uses");
    }

    /** No operation is faster than its model; how much later a thread wakes up is the machine's matter. */
    @Test
    void aMeasurementShowsTheTimesOfTheModelAndNamesIt() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        String names = "sim:fixed:2ms@" + log + " sim:lying@" + other;
        LocalRun disk = LocalRun.of(
                        "disk --json -d 0.5s --force write,fdatasync --sizes 512 --shared 1 --files initialised --neighbours none"
                                + " --out %s " + names,
                        directory.resolve("out"))
                .exited(0, 5);
        JsonNode results = new ObjectMapper().readTree(disk.outText());
        for (JsonNode cell : results.get("cells")) {
            boolean fixed = cell.get("target").textValue().equals("sim:fixed:2ms@" + log);
            if (fixed && cell.get("force").textValue().equals("fdatasync")) {
                assertThat(cell.get("logMicros").get("p50").doubleValue()).isGreaterThanOrEqualTo(2000);
            }
        }
        assertThat(disk.outText()).contains("\"simulated\" : \"lying\"", "\"volatile-cache\"");
        assertThat(log).isEmptyDirectory();
    }

    private static String refused(int code, String line, Object... values) {
        return LocalRun.of(line, values).exited(code).onlyErrLine();
    }
}
