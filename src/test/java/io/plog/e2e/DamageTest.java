package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.Directories;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.RawConnection;
import io.plog.e2e.support.TestServer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that somebody, or something, has changed by hand. */
@Order(11)
final class DamageTest {
    private static final int RECORDS = 40;
    private static final byte[] PAYLOAD = "0123456789".repeat(100).getBytes(StandardCharsets.US_ASCII);

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private Path log;

    @BeforeEach
    void makeDirectory() throws Exception {
        log = Files.createDirectory(directory.resolve("log"));
    }

    @Test
    void aFlippedByteInTheMiddleIsRefusedAndNothingIsChanged() throws Exception {
        write(false);
        Path segment = activeSegment();
        long middle = insideARecord();
        change(segment, middle, old -> (byte) (old ^ 0x10));
        Map<Path, ByteBuffer> before = contents();

        LocalRun verify = LocalRun.of("log verify %s", log).exited(3);
        assertDamageIsExplained(verify.onlyErrLine(), segment, middle);
        LocalRun server = LocalRun.of("server --log a=%s,segment=4MiB --port 0 --admin-port 0", log)
                .exited(3);
        assertDamageIsExplained(server.onlyErrLine(), segment, middle);
        LocalRun dump = LocalRun.of("log dump %s", log).exited(3);
        assertDamageIsExplained(dump.onlyErrLine(), segment, middle);

        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void whoDoesWhatTheToolsSayGetsTheIntactRecordsBackAndAUsableLog() throws Exception {
        write(false);
        List<LogContents.Entry> written = LogContents.dump(log);
        long middle = insideARecord();
        change(activeSegment(), middle, old -> (byte) (old ^ 0x10));

        LocalRun verify = LocalRun.of("log verify %s", log).exited(3);
        assertThat(verify.outText()).contains("before the watermark: expected record ");
        assertThat(verify.onlyErrLine()).contains("plog log repair DIR");
        LocalRun plan = LocalRun.of("log repair %s", log).exited(3);
        assertThat(plan.outText()).contains("Acknowledged records ", " are lost (", "plog log dump --salvage");
        assertThat(plan.onlyErrLine())
                .as("advice that is not to do again what was just done")
                .contains("restore the file from a copy", "then give --do cut=")
                .doesNotContain("with: plog log repair");
        LocalRun salvage = LocalRun.of("log dump --salvage --json %s", log).exited(3);
        List<LogContents.Entry> salvaged = LogContents.entries(salvage);
        assertThat(written).containsAll(salvaged);
        assertThat(salvaged).hasSize(written.size() - 1);
        assertThat(salvage.onlyErrLine()).contains("1 between them are missing");

        String command = plan.outText().replaceFirst("(?s).*to do it: plog (\\S+ \\S+ \\S+ \\S+) .*", "$1");
        Plog repair = Plog.run(command.strip() + " %s", log).exited(0);
        assertThat(repair.outText()).contains("kept next to the log: cut-log.checkpoint-1.bin, cut-1-at-");
        assertThat(LocalRun.of("log verify %s", log).exited(0).outText()).contains("fine");
        List<LogContents.Entry> left = LogContents.dump(log);
        assertThat(written).startsWith(left.toArray(LogContents.Entry[]::new));
        assertThat(salvaged).startsWith(left.toArray(LogContents.Entry[]::new));
        assertThat(left).hasSizeBetween(1, written.size() - 1);
        try (TestServer server = startServer()) {
            assertThat(server.process.errText()).contains(left.size() + " records recovered");
        }
        assertThat(LocalRun.of("log repair --do rebuild-head %s", log).exited(2).onlyErrLine())
                .contains("nothing to repair");
    }

    @Test
    void repairDoesNothingButWhatTheDamageNeeds() throws Exception {
        write(false);
        change(log.resolve("log.head"), 33, old -> (byte) 9);
        Map<Path, ByteBuffer> before = contents();
        LocalRun wrong = LocalRun.of("log repair --do cut=00000000000000000001.seg@4096 %s", log);
        assertThat(wrong.exited(2).onlyErrLine())
                .contains("found --do cut=00000000000000000001.seg@4096, expected --do rebuild-head");
        assertThat(contents()).isEqualTo(before);
        assertThat(LocalRun.of("log repair --do rebuild-head %s", log).exited(0).outText())
                .contains("kept next to the log: cut-log.head-1.bin");
        assertThat(LogContents.dump(log)).hasSize(RECORDS);
    }

    @Test
    void garbageAfterTheLastRecordIsATornTailThatIsCutAndKept() throws Exception {
        write(true);
        List<LogContents.Entry> written = LogContents.dump(log);
        long end = usedBytes();
        Path segment = activeSegment();
        for (int i = 0; i < 100; i++) {
            change(segment, end + i, old -> (byte) 0x5a);
        }
        try (TestServer server = startServer()) {
            assertThat(server.process.errText())
                    .contains(RECORDS + " records recovered")
                    .containsPattern("a torn tail of [0-9]+ bytes was cut and kept in .*may have been acknowledged");
        }
        assertThat(LogContents.dump(log)).isEqualTo(written);
        assertThat(contents().entrySet())
                .as("a file with what was cut")
                .anyMatch(file -> !file.getKey().toString().endsWith(".seg")
                        && file.getValue().remaining() >= 100);
        assertThat(LocalRun.of("log verify %s", log).exited(0).outText()).contains("fine");
    }

    private static void assertDamageIsExplained(String line, Path segment, long changedAt) {
        assertThat(line)
                .contains("damaged log: file " + segment.getFileName() + ", offset ", ": expected ", ", found ");
        long offset = Long.parseLong(line.replaceFirst(".*, offset ([0-9]+):.*", "$1"));
        assertThat(offset).as("the record that holds byte %s", changedAt).isBetween(changedAt - 2_000, changedAt);
        assertThat(line.replaceFirst(".*, found [^.]*\\.", "").strip())
                .as("what to do")
                .isNotEmpty();
    }

    private TestServer startServer() throws Exception {
        return TestServer.start(directory, "--log a=%s,segment=4MiB --admin-port 0", log);
    }

    /** Logs some records of 1 kB, then ends the server. */
    private void write(boolean kill) throws Exception {
        try (TestServer server = startServer();
                RawConnection client = RawConnection.welcomed(server.port)) {
            for (int number = 1; number <= RECORDS; number++) {
                client.send(RawConnection.request(0, 1, number, PAYLOAD));
                assertThat(client.read().status()).isZero();
            }
            if (kill) {
                server.process.kill();
            } else {
                assertThat(server.stop()).isZero();
            }
        }
    }

    private JsonNode active() throws Exception {
        JsonNode info = new ObjectMapper()
                .readTree(LocalRun.of("log info --json %s", log).outText());
        return info.path("segments").get(0);
    }

    private Path activeSegment() throws Exception {
        return log.resolve(active().path("file").asText());
    }

    /** A place in the payload of a record about in the middle: a mark may stand there, too, if the server was slow. */
    private long insideARecord() throws Exception {
        String bytes = Files.readString(activeSegment(), StandardCharsets.ISO_8859_1);
        return bytes.indexOf("0123456789", 4_096 + (int) (usedBytes() - 4_096) / 2);
    }

    private long usedBytes() throws Exception {
        return active().path("usedBytes").longValue();
    }

    private interface Change {
        byte of(byte old);
    }

    private static void change(Path file, long offset, Change change) throws Exception {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(offset);
            byte old = bytes.readByte();
            bytes.seek(offset);
            bytes.write(change.of(old));
        }
    }

    private Map<Path, ByteBuffer> contents() throws IOException {
        return Directories.contents(List.of(log));
    }
}
