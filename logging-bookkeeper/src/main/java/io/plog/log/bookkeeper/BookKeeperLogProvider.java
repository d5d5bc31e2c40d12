package io.plog.log.bookkeeper;

import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.spi.DurableLogProvider;
import io.plog.log.spi.HolderElection;
import io.plog.log.spi.LogFollower;
import io.plog.log.spi.StoredLog;
import io.plog.log.spi.StoredRepair;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Opens the log of a {@code bookkeeper:} address. Of the options it uses {@code segmentBytes} (after four times as many bytes, but
 * at most 1 GiB, a ledger is followed by another), {@code maxRecordBytes} (at most 4 MiB), {@code maxQueuedRecords}, {@code maxQueuedBytes},
 * {@code overflow} and {@code listener}.
 */
public final class BookKeeperLogProvider implements DurableLogProvider {
    // No append has an outcome while a ledger is closed and the next one made, which takes ZooKeeper five changes.
    private static final int LEDGER_SEGMENTS = 4;

    private static final long MOST_LEDGER_BYTES = 1L << 30;

    /** For {@link java.util.ServiceLoader}. */
    public BookKeeperLogProvider() {}

    @Override
    public String scheme() {
        return BookKeeperAddress.SCHEME;
    }

    @Override
    public DurableLog open(URI address, LogOptions options) throws IOException {
        BookKeeperAddress where = BookKeeperAddress.parse(address);
        return ReplicatedLog.open(
                where.name(),
                BookKeeperStore.connect(where),
                where.quorum(),
                options.withSegmentBytes(Math.min(MOST_LEDGER_BYTES, LEDGER_SEGMENTS * options.segmentBytes())),
                ledgerChanges(where.name()),
                LogClock.SYSTEM);
    }

    @Override
    public StoredLog openStored(URI address) throws IOException {
        BookKeeperAddress where = BookKeeperAddress.parse(address);
        return StoredReplicatedLog.open(
                where.name(), address.toString(), BookKeeperStore.connect(where), where.quorum());
    }

    @Override
    public Optional<StoredRepair> planRepair(URI address) throws IOException {
        BookKeeperAddress where = BookKeeperAddress.parse(address);
        return LedgerRepair.plan(where.name(), BookKeeperStore.connect(where), LogClock.SYSTEM);
    }

    @Override
    public HolderElection election(URI address) {
        return new ZooKeeperElection(BookKeeperAddress.parse(address));
    }

    @Override
    public Optional<LogFollower> follower(URI address) {
        BookKeeperAddress where = BookKeeperAddress.parse(address);
        return Optional.of(new LedgerFollower(where.name(), () -> BookKeeperStore.connect(where)));
    }

    /** One thread that is there only while it has something to do. */
    private static ExecutorService ledgerChanges(String name) {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, "plog-ledgers-" + name);
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
