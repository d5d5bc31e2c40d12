package io.plog.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.app.CommandRun;
import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.bookkeeper.SimulatedBookies;
import io.plog.log.spi.DurableLogProvider;
import io.plog.log.spi.HolderElection;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code plog log} and {@code plog audit} on the address of a log on several machines, here simulated ones. */
@Timeout(60)
class LogAddressTest {
    private static final int RECORDS = 20;

    @TempDir
    private Path directory;

    private final SimulatedBookies bookies = SimulatedBookies.start("looked-into", 4, 5);
    private final String address = bookies.address().toString();
    private final List<String> ledger = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private DurableLog log;

    @BeforeEach
    void write() throws Exception {
        log = DurableLog.open(bookies.address(), LogOptions.in(Path.of(".")));
        append(1, RECORDS);
    }

    @AfterEach
    void end() throws Exception {
        log.close();
        bookies.close();
    }

    private void append(int from, int to) throws Exception {
        for (int request = from; request <= to; request++) {
            byte[] payload = ("payload " + request).getBytes(StandardCharsets.US_ASCII);
            ByteBuffer record = ByteBuffer.allocate(24 + payload.length);
            record.put(0, (byte) 1).putLong(8, 7).putLong(16, request).put(24, payload);
            long index = log.appendAndWait(record);
            CRC32C crc = new CRC32C();
            crc.update(payload);
            ledger.add(String.format("7 %d 0 %d %d %08x", request, index, payload.length, crc.getValue()));
        }
    }

    private CommandRun audit(String... more) throws Exception {
        Path file = Files.write(directory.resolve("ledger"), ledger);
        List<String> args = new ArrayList<>(List.of("audit", "--ledger", file.toString(), "--log", address));
        args.addAll(List.of(more));
        return CommandRun.of(args.toArray());
    }

    @Test
    void infoNamesTheLedgersOfALogThatIsBeingWritten() throws Exception {
        CommandRun run = CommandRun.of("log", "info", address).exited(0);
        assertThat(run.out)
                .contains(
                        "address    " + address,
                        "records    20 (1 to 20)",
                        "checkpoint none",
                        "closed     not in order, or open at this moment",
                        "ledger 1",
                        "active",
                        "holder     no standby",
                        "note: the log was made with ensemble=3, write=3, ack=2; of each record in its last ledger (1) 3"
                                + " copies are on bookies that are there now");
        append(RECORDS + 1, RECORDS + 1); // its writer noticed nothing
        log.close();
        JsonNode json = new ObjectMapper().readTree(CommandRun.of("log", "info", "--json", address).out);
        assertThat(json.get("address").asText()).isEqualTo(address);
        assertThat(json.get("records").asLong()).isEqualTo(21);
        assertThat(json.get("cleanlyClosed").asBoolean()).isTrue();
        assertThat(json.get("segments").get(0).get("file").asText()).isEqualTo("ledger 1");
    }

    @Test
    void infoSaysWhoHoldsTheLogWhoWaitsAndHowManyCopiesAreLeft() throws Exception {
        HolderElection election = DurableLogProvider.of(URI.create(address)).election(URI.create(address));
        try (HolderElection.Place first = election.join("10.0.0.1:7411 chain", Duration.ofSeconds(1));
                HolderElection.Place second = election.join("10.0.0.2:7411 chain", Duration.ofSeconds(1))) {
            assertThat(first.isSurelyFirst()).isTrue();
            assertThat(second.isSurelyFirst()).isFalse();
            List<Integer> ensemble = bookies.firstEnsemble();
            for (int bookie = 0; bookie < 4; bookie++) {
                if (!ensemble.contains(bookie)) {
                    bookies.crash(bookie); // no other one can take its place
                }
            }
            bookies.crash(ensemble.get(0));
            assertThat(CommandRun.of("log", "info", address).out)
                    .contains(
                            "holder     10.0.0.1:7411 chain",
                            "waiting    10.0.0.2:7411 chain",
                            " 2 copies are on bookies that are there now");
            JsonNode json = new ObjectMapper().readTree(CommandRun.of("log", "info", "--json", address).out);
            assertThat(json.get("servers").get(1).asText()).isEqualTo("10.0.0.2:7411 chain");
        }
    }

    @Test
    void dumpPrintsTheSameLinesAsOfADirectory() throws Exception {
        CommandRun run = CommandRun.of("log", "dump", "--json", "--payload", "--from", "20", address)
                .exited(0);
        JsonNode line = new ObjectMapper().readTree(run.out);
        assertThat(line.get("index").asLong()).isEqualTo(20);
        assertThat(line.get("client").textValue()).isEqualTo("7");
        assertThat(line.get("request").textValue()).isEqualTo("20");
        assertThat(line.get("payload").binaryValue()).asString().isEqualTo("payload 20");
        assertThat(CommandRun.of("log", "dump", address).out.lines()).hasSize(1 + RECORDS);
        assertThat(CommandRun.of("log", "dump", "--from", "99", address).err)
                .isEqualTo("plog log dump: cannot read from index 99: the log holds 1 to 20\n");
    }

    @Test
    void verifySaysThatAllIsWell() {
        CommandRun run = CommandRun.of("log", "verify", address).exited(0);
        assertThat(run.out)
                .startsWith(
                        "fine: 20 records (1 to 20) in 1 segments are intact; the log was not closed, or is open\n");
    }

    @Test
    void auditFindsEverythingAcknowledged() throws Exception {
        CommandRun run = audit().exited(0);
        assertThat(run.out)
                .contains(
                        "log: records 1 to 20 read in " + address,
                        "holds: all 20 acknowledged requests are in the log, byte for byte, once, in order");
        ledger.set(4, "7 5 0 6 9 00000000");
        CommandRun wrong = audit("--json").exited(4);
        JsonNode json = new ObjectMapper().readTree(wrong.out);
        assertThat(json.get("log").asText()).isEqualTo(address);
        assertThat(json.get("wrong").asLong()).isEqualTo(1);
    }

    @Test
    void damageEndsWithItsExitCode() throws Exception {
        bookies.damage(1, 9);
        CommandRun verify = CommandRun.of("log", "verify", "--json", address).exited(3);
        assertThat(verify.err).contains("ledger 1").contains("record 10");
        JsonNode json = new ObjectMapper().readTree(verify.out);
        assertThat(json.get("ok").asBoolean()).isFalse();
        assertThat(json.get("file").asText()).isEqualTo("ledger 1");
        assertThat(json.get("offset").asLong()).isEqualTo(9);
        audit().exited(3);
    }

    @Test
    void whatWorksOnFilesRefusesAnAddressInOneSentence() {
        CommandRun salvage = CommandRun.of("log", "dump", "--salvage", address).exited(2);
        assertThat(salvage.err)
                .startsWith("plog log dump: " + address + " is an address: expected a directory; --salvage");
        assertThat(salvage.out).isEmpty();
    }

    @Test
    void anEmptyLastLedgerThatIsGoneIsReplacedWhenThatIsAskedFor() throws Exception {
        CommandRun nothing = CommandRun.of("log", "repair", address).exited(0);
        assertThat(nothing.out).startsWith("nothing to repair: the log has its last ledger.");
        log.close();
        log = DurableLog.open(bookies.address(), LogOptions.in(Path.of("."))); // its ledger has no record
        bookies.deleteLastLedger();

        CommandRun look = CommandRun.of("log", "repair", address).exited(3);
        assertThat(look.out)
                .contains("a new ledger can take the place of ledger 2, which began with record " + (RECORDS + 1))
                .endsWith("to do it: plog log repair --do replace-ledger=2 " + address + "\n");
        CommandRun other = CommandRun.of("log", "repair", "--do", "replace-ledger=1", address)
                .exited(2);
        assertThat(other.err).contains("found --do replace-ledger=1, expected --do replace-ledger=2");
        CommandRun.of("log", "repair", "--do", "replace-ledger=2", address).exited(0);
        log = DurableLog.open(bookies.address(), LogOptions.in(Path.of(".")));
        CommandRun.of("log", "verify", address).exited(0);
        audit().exited(0);
    }

    @Test
    void anAddressThatIsNoLogIsOneSentence() {
        CommandRun without =
                CommandRun.of("log", "info", "bookkeeper://127.0.0.1:1/orders").exited(1);
        assertThat(without.err).startsWith("plog log info: BookKeeper is not there: expected its jars in ");
        CommandRun unknown =
                CommandRun.of("log", "verify", "etcd://127.0.0.1:1/orders").exited(1);
        assertThat(unknown.err).startsWith("plog log verify: no log can be opened at etcd://127.0.0.1:1/orders: the");
        CommandRun mistyped = CommandRun.of("log", "verify", "simulated://bookies/looked-into?acks=2")
                .exited(2);
        assertThat(mistyped.err).contains("unknown parameter 'acks'");
    }
}
