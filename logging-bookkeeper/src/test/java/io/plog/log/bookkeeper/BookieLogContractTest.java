package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.LogTools;
import io.plog.log.bookkeeper.local.LocalBookie;
import io.plog.log.bookkeeper.local.LocalZooKeeper;
import io.plog.log.spi.StoredLog;
import io.plog.log.testing.DurableLogContract;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The replicated log keeps the contract over real bookies, in this process. A crash is that of a server. */
@Tag("slow")
class BookieLogContractTest extends DurableLogContract {
    private static final AtomicInteger LOGS = new AtomicInteger();
    private static final List<LocalBookie> BOOKIES = new ArrayList<>();

    @TempDir
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static LocalZooKeeper zooKeeper;

    private final String name = "contract-" + LOGS.incrementAndGet();

    @BeforeAll
    static void start() throws Exception {
        zooKeeper = LocalZooKeeper.start(Files.createDirectory(directory.resolve("zookeeper")), 0);
        for (int i = 1; i <= 3; i++) {
            Path own = Files.createDirectory(directory.resolve("bookie-" + i));
            BOOKIES.add(LocalBookie.start(own, "plog-" + i, zooKeeper.port()));
        }
    }

    @AfterAll
    static void stop() {
        BOOKIES.forEach(LocalBookie::close);
        zooKeeper.close();
    }

    @Override
    protected DurableLog open(LogOptions options) throws IOException {
        return DurableLog.open(URI.create("bookkeeper://127.0.0.1:" + zooKeeper.port() + "/" + name), options);
    }

    @Override
    protected void crash(DurableLog log) {
        // It is left as it is: the next opening fences it.
    }

    @Override
    protected void fail(DurableLog log) throws IOException {
        open(LogOptions.in(Path.of("."))).close(); // another server takes it over
    }

    @Test
    void aCallerThatWasInterruptedClosesTheLogInOrder() throws Exception {
        DurableLog log = open(LogOptions.in(Path.of(".")));
        log.appendAndWait(ByteBuffer.allocate(1));
        Thread.currentThread().interrupt();
        try {
            log.close();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        try (DurableLog next = open(LogOptions.in(Path.of(".")))) {
            assertThat(next.recovery().cleanlyClosed()).isTrue();
        }
    }

    @Test
    void aWriterIsNotDisturbedByWhoLooksIntoItsLog() throws Exception {
        URI address = URI.create("bookkeeper://127.0.0.1:" + zooKeeper.port() + "/" + name);
        DurableLog log = open(LogOptions.in(Path.of(".")));
        for (int round = 1; round <= 3; round++) {
            for (int i = 0; i < 200; i++) {
                var unused = log.append(ByteBuffer.allocate(100));
            }
            log.appendAndWait(ByteBuffer.allocate(100));
            try (StoredLog stored = StoredLog.open(address)) {
                LogTools.Inspection found = stored.inspect();
                assertThat(found.damage()).isEmpty();
                assertThat(found.lastIndex()).isEqualTo(201L * round);
                assertThat(found.cleanlyClosed()).isFalse();
            }
        }
        log.close();
        try (StoredLog stored = StoredLog.open(address)) {
            assertThat(stored.inspect().lastIndex()).isEqualTo(603);
            assertThat(stored.inspect().cleanlyClosed()).isTrue();
        }
    }

    /** BookKeeper's handle of a ledger that is closed while it is opened says so, and may name an earlier end. */
    @Test
    void aLogWhoseLedgerIsClosedWhileItIsLookedIntoHasAllThatWasAcknowledged() throws Exception {
        URI address = URI.create("bookkeeper://127.0.0.1:" + zooKeeper.port() + "/" + name);
        for (int round = 1; round <= 10; round++) {
            DurableLog log = open(LogOptions.in(Path.of(".")));
            log.append(ByteBuffer.allocate(100));
            log.appendAndWait(ByteBuffer.allocate(100)); // no bookie knows that it was acknowledged
            CompletableFuture<Void> closing = new CompletableFuture<>();
            try (LedgerStore store = BookKeeperStore.connect(BookKeeperAddress.parse(address))) {
                long last = LedgerList.decode(
                                name, Objects.requireNonNull(store.readNode()).content())
                        .last()
                        .ledger();
                Thread closer = new Thread(() -> {
                    try {
                        log.close();
                        closing.complete(null);
                    } catch (IOException e) {
                        closing.completeExceptionally(e);
                    }
                });
                closer.start();
                while (!closing.isDone()) {
                    try (LedgerReader reader = store.lookInto(last)) {
                        assertThat(reader.entries()).as("round " + round).isEqualTo(2);
                    }
                }
                closing.get();
            }
        }
    }
}
