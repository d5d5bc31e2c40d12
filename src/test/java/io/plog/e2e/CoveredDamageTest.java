package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.RawConnection;
import io.plog.e2e.support.TestServer;
import io.plog.protocol.Status;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damage to records before the checkpoint, which a start leaves for later unless it is asked to read everything. */
@Timeout(180)
final class CoveredDamageTest {
    private static final String FIRST_SEGMENT = "00000000000000000001.seg";
    private static final int DAMAGED_AT = 500_000;
    private static final int RECORD_BYTES = 50_000;
    private static final int RECORDS = 120; // six segments of 1 MiB

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private Path log;

    @SuppressWarnings("NullAway.Init")
    private Path other;

    @BeforeEach
    void makeLogs() throws Exception {
        log = Files.createDirectory(directory.resolve("log"));
        other = Files.createDirectory(directory.resolve("other"));
        try (TestServer server = start("");
                RawConnection client = RawConnection.welcomed(server.port)) {
            for (int number = 1; number <= RECORDS; number++) {
                assertThat(status(client, 0, number)).isZero();
            }
            assertThat(status(client, 1, 1)).isZero();
            assertThat(server.stop()).isZero();
        }
    }

    /** Two targets, of which the first begins with the damaged segment. */
    private TestServer start(String more) throws Exception {
        return TestServer.start(
                directory, "--log a=%s,segment=1MiB%s --log b=%s,segment=1MiB --admin-port free", log, more, other);
    }

    private static int status(RawConnection client, int target, int number) throws Exception {
        client.send(RawConnection.request(target, 7, number, new byte[RECORD_BYTES]));
        return client.read().status();
    }

    private void damage() throws Exception {
        try (RandomAccessFile bytes =
                new RandomAccessFile(log.resolve(FIRST_SEGMENT).toFile(), "rw")) {
            bytes.seek(DAMAGED_AT);
            int old = bytes.read();
            bytes.seek(DAMAGED_AT);
            bytes.write(old ^ 0x10);
        }
    }

    @Test
    void whatIsDamagedIsRefusedAtTheStartOrFailsItsTargetLater() throws Exception {
        damage();
        // As by default a log of up to 512 MiB is read.
        for (String check : List.of("", ",check=start")) {
            LocalRun server = LocalRun.of("server --log a=%s,segment=1MiB%s --port 0 --admin-port 0", log, check)
                    .exited(3);
            assertThat(server.onlyErrLine()).contains("damaged log: file " + FIRST_SEGMENT + ", offset ");
            assertThat(offsetIn(server.onlyErrLine())).isBetween(DAMAGED_AT - RECORD_BYTES - 100, DAMAGED_AT);
        }
        try (TestServer server = start(",check=background");
                RawConnection client = RawConnection.welcomed(server.port)) {
            Await.until("health is red", () -> server.get("/health/ready").statusCode() == 503);
            assertThat(server.get("/health/ready").body())
                    .contains(
                            "the log of target a in " + log + " failed for good", "file " + FIRST_SEGMENT + ", offset ")
                    .contains("restore the file from a copy", "plog log repair DIR", "stop the server before");
            assertThat(server.get("/metrics").body())
                    .containsPattern("plog_log_healthy.*target=\"a\".* 0.0")
                    .containsPattern("plog_log_healthy.*target=\"b\".* 1.0")
                    .containsPattern("plog_log_failures_total\\{.*kind=\"failed\".*target=\"a\".* 1.0")
                    .containsPattern("plog_log_unchecked_bytes\\{.*target=\"a\".* [1-9]");
            assertThat(status(client, 0, RECORDS + 1)).isEqualTo(Status.LOG_UNAVAILABLE.code());
            assertThat(status(client, 1, 2)).isZero();
            String notice = server.process.awaitErr(line -> line.contains("failed for good"));
            assertThat(offsetIn(notice)).isBetween(DAMAGED_AT - RECORD_BYTES - 100, DAMAGED_AT);
            assertThat(notice)
                    .contains("target a", FIRST_SEGMENT, ": expected ", ", found ", "nothing is acknowledged any more");
            assertThat(server.stop()).as("exit code").isEqualTo(1);
            server.process.withoutStackTrace();
        }
    }

    private static int offsetIn(String line) {
        return Integer.parseInt(line.replaceFirst(".*, offset ([0-9]+):.*", "$1"));
    }
}
