package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.log.bookkeeper.local.LocalBookie;
import io.plog.log.bookkeeper.local.LocalZooKeeper;
import io.plog.log.bookkeeper.local.SlowJournal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What BookKeeper 4.18.0 acknowledges before it has forced it: entries that it wrote shortly before it changed its journal file. One
 * real bookie, in this process, with files of 1 MiB on a disk that takes 30 ms for a force and knows what it has forced. These tests
 * describe the engine and not the log: if one of those with <em>acknowledges</em> in its name fails, the engine was mended, and
 * docs/replication.md and docs/upstream can say so.
 *
 * <pre>
 * mvn -o -q -pl logging-bookkeeper -am test -Dtest=JournalChangeTest -Dplog.test.excludedGroups= \
 *     -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@Tag("slow")
@Timeout(120)
class JournalChangeTest {
    private static final int ENTRIES = 10_000;
    private static final int ENTRY_BYTES = 2_000;
    private static final int UNDER_WAY = 1_000; // for each journal
    private static final int ATTEMPTS = 20;
    private static final int LEDGERS = 8; // a bookie with several journals chooses one by the ledger's id

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private LocalZooKeeper zooKeeper;

    /** What became of the entries. */
    private record Outcome(int acknowledged, int tooEarly, int neverForced) {}

    @BeforeEach
    void start() throws Exception {
        zooKeeper = LocalZooKeeper.start(Files.createDirectory(directory.resolve("zookeeper")), 0);
    }

    @AfterEach
    void stop() {
        zooKeeper.close();
    }

    private Outcome write(boolean second, int journals, int failures) throws Exception {
        BookKeeperAddress address = new BookKeeperAddress("127.0.0.1:" + zooKeeper.port(), "change", null);
        ClientConfiguration settings = BookKeeperStore.settings(address);
        assertThat(settings.getUseV2WireProtocol()).as("what the log asks for").isTrue();
        settings.setUseV2WireProtocol(second);
        Path own = Files.createTempDirectory(directory, "bookie");
        LocalBookie bookie = SlowJournal.start(own, zooKeeper.port(), journals, failures);
        BookKeeper client = BookKeeper.forConfig(settings).build();
        try {
            Outcome outcome = write(ledgers(client), UNDER_WAY * journals / LEDGERS);
            System.out.println("version " + (second ? 2 : 3) + " of the protocol, " + journals + " journals, "
                    + failures + " failures, " + SlowJournal.files() + " files: " + outcome);
            assertThat(SlowJournal.files()).as("files of the journal").isGreaterThan(4);
            return outcome;
        } finally {
            client.close();
            bookie.close();
        }
    }

    private static List<WriteHandle> ledgers(BookKeeper client) throws Exception {
        List<WriteHandle> ledgers = new ArrayList<>();
        for (int i = 0; i < LEDGERS; i++) {
            ledgers.add(client.newCreateLedgerOp()
                    .withEnsembleSize(1)
                    .withWriteQuorumSize(1)
                    .withAckQuorumSize(1)
                    .withDigestType(DigestType.CRC32C)
                    .withPassword(new byte[0])
                    .execute()
                    .get());
        }
        return ledgers;
    }

    /** Each ledger has a thread of its own, so that a journal that is slow holds up only its own ledgers. */
    private static Outcome write(List<WriteHandle> ledgers, int underWay) throws Exception {
        Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
        Set<Long> tooEarly = ConcurrentHashMap.newKeySet();
        AtomicLong numbers = new AtomicLong();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (WriteHandle ledger : ledgers) {
            writers.add(CompletableFuture.runAsync(
                    () -> {
                        Semaphore room = new Semaphore(underWay);
                        for (long next = numbers.incrementAndGet(); next <= ENTRIES; next = numbers.incrementAndGet()) {
                            long number = next;
                            room.acquireUninterruptibly();
                            ledger.appendAsync(entry(number)).whenComplete((id, failure) -> {
                                if (failure == null) {
                                    acknowledged.add(number);
                                    if (!SlowJournal.hasForced(number)) {
                                        tooEarly.add(number);
                                    }
                                }
                                room.release();
                            });
                        }
                        room.acquireUninterruptibly(underWay); // all have an outcome
                    },
                    task -> new Thread(task).start()));
        }
        for (CompletableFuture<Void> writer : writers) {
            writer.get(60, TimeUnit.SECONDS);
        }
        long neverForced = acknowledged.stream()
                .filter(each -> !SlowJournal.hasForced(each))
                .count();
        return new Outcome(acknowledged.size(), tooEarly.size(), (int) neverForced);
    }

    private static ByteBuf entry(long number) {
        return Unpooled.buffer(ENTRY_BYTES)
                .writeLong(SlowJournal.MAGIC)
                .writeLong(number)
                .writeZero(ENTRY_BYTES - 2 * Long.BYTES);
    }

    /** It does not happen at each change: until there is one in which it did. */
    private Outcome untilSome(ToIntFunction<Outcome> what, boolean second, int journals, int failures)
            throws Exception {
        Outcome outcome = write(second, journals, failures);
        for (int attempt = 1; attempt < ATTEMPTS && what.applyAsInt(outcome) == 0; attempt++) {
            outcome = write(second, journals, failures);
        }
        assertThat(outcome.acknowledged()).isEqualTo(ENTRIES);
        return outcome;
    }

    @Test
    void withTheSecondProtocolAndOneJournalNothingIsAcknowledgedBeforeItIsForced() throws Exception {
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThat(write(true, 1, 0)).isEqualTo(new Outcome(ENTRIES, 0, 0));
        }
    }

    @Test
    void withTheThirdProtocolABookieAcknowledgesBeforeItForces() throws Exception {
        assertThat(untilSome(Outcome::tooEarly, false, 1, 0).tooEarly()).isPositive();
    }

    /** One journal sends the answers that another has prepared and not yet forced. */
    @Test
    void withSeveralJournalsABookieAcknowledgesBeforeItForcesWhateverTheProtocol() throws Exception {
        assertThat(untilSome(Outcome::tooEarly, true, 2, 0).tooEarly()).isPositive();
    }

    /** An error in the force of the file before is a line in the bookie's log. */
    @Test
    void whenTheForceAtTheChangeFailsABookieAcknowledgesWhatItNeverForces() throws Exception {
        assertThat(untilSome(Outcome::neverForced, true, 1, 1).neverForced()).isPositive();
    }
}
