package io.plog.app.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.app.CommandRun;
import io.plog.app.PlogCommand;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code plog audit} on real logs and ledgers, with each exit code. */
class AuditCommandTest {
    private static final int RECORDS = 40;

    @TempDir
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private Path log;

    @SuppressWarnings("NullAway.Init")
    private Path ledger;

    private final List<String> lines = new ArrayList<>();

    @BeforeEach
    void writeALogAndItsLedger() throws Exception {
        log = Files.createDirectory(directory.resolve("log"));
        ledger = directory.resolve("ledger");
        try (MessageLog open = MessageLog.open(options())) {
            append(open, 1, RECORDS);
        }
        Files.write(ledger, lines);
    }

    private LogOptions options() {
        return LogOptions.in(log).withMaxRecordBytes(1 << 18).withSegmentBytes(1 << 20);
    }

    private void append(MessageLog open, int from, int to) throws Exception {
        for (int request = from; request <= to; request++) {
            byte[] payload = new byte[100 * request];
            new SplittableRandom(request).nextBytes(payload);
            ByteBuffer record = ByteBuffer.allocate(24 + payload.length);
            record.put(0, (byte) 1).putLong(8, 7).putLong(16, request).put(24, payload);
            long index = open.appendAndWait(record);
            CRC32C crc = new CRC32C();
            crc.update(payload);
            lines.add(String.format("7 %d 0 %d %d %08x", request, index, payload.length, crc.getValue()));
        }
    }

    private CommandRun audit(String... more) {
        List<String> args = new ArrayList<>(List.of("audit", "--ledger", ledger.toString(), "--log", log.toString()));
        args.addAll(List.of(more));
        return CommandRun.of(args.toArray());
    }

    private void assertRun(CommandRun run, int code, String... words) {
        assertThat(run.exited(code).out).contains(words);
    }

    private void replace(int line, String with) throws Exception {
        lines.set(line - 1, with);
        Files.write(ledger, lines);
    }

    @Test
    void everythingAcknowledgedIsInTheLog() {
        CommandRun run = audit();
        assertRun(
                run,
                0,
                "ledger: 40 lines read, 40 requests acknowledged by target 0\n",
                "log: records 1 to 40 read in " + log + "\n",
                "holds: all 40 acknowledged requests are in the log, byte for byte, once, in order\n");
        assertThat(run.err).isEmpty();
    }

    @Test
    void aLogThatEndsEarlyIsWhatAnOptimisticOneMayLose() throws Exception {
        lines.add("7 41 0 41 100 00000000");
        lines.add("7 42 0 42 100 00000000");
        Files.write(ledger, lines);
        assertRun(
                audit(),
                4,
                "the log ends early: 2 acknowledged requests behind record 40 are lost\n",
                "an optimistic log (force=write) may lose its end in a crash; one that forces must not\n");
        // Lost in the middle: no way of forcing explains that.
        lines.add("8 1 0 20 100 00000000");
        Files.write(ledger, lines);
        CommandRun run = audit();
        assertRun(run, 4, "(3 lost)");
        assertThat(run.out).doesNotContain("optimistic");
    }

    @Test
    void aLogThatHasNoneOfThemMayBeAnothers() throws Exception {
        Files.write(ledger, List.of("9 1 2 1 100 00000000", "9 2 2 2 100 00000000"));
        assertRun(audit(), 4, "none of them is in this log: is it the log of target 2?\n", "(2 lost)");
        Files.write(ledger, lines);
        assertThat(audit().out).doesNotContain("is it the log of");
    }

    @Test
    void manyAreListedInPartButAllInJson() throws Exception {
        for (int i = 1; i <= 50; i++) {
            lines.add("9 " + i + " 0 " + (i + 40) + " 100 00000000");
        }
        Files.write(ledger, lines);
        CommandRun few = audit();
        assertRun(few, 4, "and 30 more; --json has all of them\n", "50 of 90", "(50 lost)");
        assertThat(few.out.lines().filter(line -> line.startsWith("lost:"))).hasSize(20);
        JsonNode json = new ObjectMapper().readTree(audit("--json").out);
        assertThat(json.get("ok").asBoolean()).isFalse();
        assertThat(json.get("violations")).hasSize(50);
        assertThat(json.at("/violations/49/request").asText()).isEqualTo("50");
        assertThat(json.at("/violations/49/acknowledged/index").asLong()).isEqualTo(90);
        assertThat(json.at("/counts/LOST").asLong()).isEqualTo(50);
    }

    @Test
    void aLineReportedTwiceIsOneAcknowledgementAndAContradictionIsNot() throws Exception {
        lines.add(lines.get(4));
        Files.write(ledger, lines);
        assertRun(audit(), 0, "41 lines read, 40 requests acknowledged by target 0; 1 line reported twice");
        lines.add("7 5 0 6 500 00000000");
        Files.write(ledger, lines);
        assertRun(audit(), 4, "acknowledged at two places: request 5 of client 7, at index 5");
    }

    @Test
    void severalLedgersAreOne() throws Exception {
        Path second = directory.resolve("second");
        Files.write(second, lines.subList(20, 40));
        Files.write(ledger, lines.subList(0, 25));
        assertRun(audit("--ledger", second.toString()), 0, "45 lines read", "all 40", "5 lines reported twice");
    }

    @Test
    void anInterruptedLastLineIsLeftOutAndReported() throws Exception {
        Files.writeString(ledger, String.join("\n", lines) + "\n7 41 0 41 1");
        CommandRun run = audit();
        assertRun(run, 0, "all 40");
        assertThat(run.err)
                .isEqualTo("plog audit: ledger " + ledger
                        + " ends within a line (11 bytes): an append that was interrupted, left out\n");
    }

    @Test
    void whatIsNoLedgerIsSaidWithItsLine() throws Exception {
        replace(3, "7 3 zero 3 300 00000000");
        CommandRun run = audit().exited(1);
        assertThat(run.out).isEmpty();
        assertThat(run.err)
                .startsWith(
                        "plog audit: ledger " + ledger + ", line 3: expected the client's id and the request's number")
                .endsWith("found '7 3 zero 3 300 00000000'\n");
    }

    @Test
    void ofSeveralTargetsOneMustBeNamed() throws Exception {
        lines.add("7 1 3 1 100 00000000");
        lines.add("7 2 3 2 100 00000000");
        lines.add("7 1 5 0 100 00000000");
        Files.write(ledger, lines);
        CommandRun ambiguous = audit().exited(2);
        assertThat(ambiguous.err)
                .isEqualTo("plog audit: --target is missing: the ledger has lines of several targets:"
                        + " 0 (40 lines), 3 (2 lines)\n");
        assertRun(audit("--target", "0"), 0, "all 40", "2 lines of other targets", "1 line not logged");
        assertRun(audit("--target", "3"), 4, "(2 changed, 2 moved)".substring(0, 4));
        CommandRun none = audit("--target", "9").exited(2);
        assertThat(none.err).contains("no line of target 9; it has 0 (40 lines), 3 (2 lines)");
        audit("--target", "65536").exited(2);
    }

    @Test
    void aLedgerWithoutLoggedLinesShowsNothing() throws Exception {
        Files.writeString(ledger, "7 1 5 0 100 00000000\n");
        assertRun(audit(), 0, "none acknowledged by a log; 1 line not logged", "shows nothing");
    }

    @Test
    void aDamagedRecordIsSaidWithEverythingBehindIt() throws Exception {
        Path segment = onlySegment();
        long inRecord20 = 4096 + 19 * (32 + 24) + 100 * (19 * 20 / 2) + 500;
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), inRecord20);
        }
        CommandRun run = audit().exited(3);
        assertThat(run.err).startsWith("plog audit: damaged log: file " + segment.getFileName());
        assertThat(run.out)
                .contains(
                        "at or behind the damage: request 20 of client 7",
                        "at or behind the damage: request 39 of client 7",
                        "and 1 more;",
                        "the log is damaged; 21 of 40 acknowledged requests are missing or wrong"
                                + " (21 at or behind the damage)")
                .doesNotContain("request 19 ");
    }

    @Test
    void whatWasDroppedAfterACheckpointCannotBeComparedAndIsNoViolation() throws Exception {
        try (MessageLog open = MessageLog.open(options())) {
            append(open, RECORDS + 1, 200); // into the next segments
            open.saveCheckpoint(150, ByteBuffer.allocate(3));
            open.truncateBefore(151);
            assertThat(open.firstIndex()).isGreaterThan(1);
        }
        Files.write(ledger, lines);
        JsonNode json = new ObjectMapper().readTree(audit("--json").out);
        long dropped = json.get("firstIndex").asLong() - 1;
        assertThat(json.get("dropped").asLong()).isEqualTo(dropped).isBetween(1L, 150L);
        assertThat(json.get("intact").asLong()).isEqualTo(200 - dropped);
        assertThat(json.get("checkpointIndex").asLong()).isEqualTo(150);
        assertRun(
                audit(),
                0,
                "dropped after the checkpoint at record 150, so that they cannot be compared: " + dropped + " of them",
                "holds: " + (200 - dropped) + " of 200 acknowledged requests are in the log");
    }

    @Test
    void aDamagedCheckpointIsSaid() throws Exception {
        try (MessageLog open = MessageLog.open(options())) {
            open.saveCheckpoint(30, ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}));
        }
        Path checkpoint = log.resolve("log.checkpoint");
        byte[] bytes = Files.readAllBytes(checkpoint);
        bytes[64] ^= 1; // the first of the state
        Files.write(checkpoint, bytes);
        CommandRun run = audit();
        assertRun(run, 3, "does not hold: the log is damaged; ");
        assertThat(run.err).startsWith("plog audit: damaged log: file log.checkpoint");
    }

    @Test
    void anOpenLogIsNotAudited() throws Exception {
        try (MessageLog open = MessageLog.open(options())) {
            CommandRun run = audit().exited(1);
            assertThat(run.err)
                    .isEqualTo("plog audit: the log in " + log + " is open by process "
                            + ProcessHandle.current().pid()
                            + ": expected a stopped log; stop the server and audit again\n");
            append(open, RECORDS + 1, RECORDS + 1);
        }
        assertRun(audit(), 0, "all 40");
    }

    @Test
    void whatIsNotThereIsNamed() throws Exception {
        log = directory.resolve("nowhere");
        assertThat(audit().err).isEqualTo("plog audit: log directory " + log + " does not exist\n");
        log = ledger;
        assertThat(audit().err).contains("is not a directory: expected the directory of a log");
        log = Files.createDirectory(directory.resolve("empty"));
        assertRun(audit(), 4, "log: no records", "(40 lost)");
        ledger = directory.resolve("no-ledger");
        CommandRun run = audit().exited(1);
        assertThat(run.err).isEqualTo("plog audit: " + ledger + ": no such file or directory\n");
        new CommandRun(new PlogCommand(), Map.of(), "audit", "--log", "x").exited(2);
    }

    private Path onlySegment() throws Exception {
        try (Stream<Path> files = Files.list(log)) {
            return files.filter(file -> file.toString().endsWith("0001.seg"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
