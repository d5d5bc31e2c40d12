package io.plog.benchmarks.journal;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.File;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.apache.bookkeeper.bookie.LedgerDirsManager;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.proto.BookkeeperInternalCallbacks.WriteCallback;
import org.apache.bookkeeper.util.DiskChecker;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a BookKeeper bookie alone, without the bookie: no ledger storage, no network. It flushes when its queue is
 * empty, with no wait for a fuller group.
 */
final class BookKeeperJournal implements Journal {
    private static final int ENTRY_HEADER_BYTES = 16;
    private static final long LEDGER = 1;

    private final org.apache.bookkeeper.bookie.Journal journal;
    private final Completions completions = new Completions();
    private @Nullable ByteBuf onlyEntry;
    private long nextEntry;

    BookKeeperJournal(Workload workload) throws Exception {
        File journalDirectory =
                makeDirectory(workload.directory().resolve("journal").toFile());
        File ledgerDirectory =
                makeDirectory(workload.directory().resolve("ledger").toFile());
        ServerConfiguration configuration = new ServerConfiguration();
        configuration.setJournalDirName(journalDirectory.getPath());
        configuration.setJournalSyncData(true);
        configuration.setJournalFlushWhenQueueEmpty(true);
        configuration.setJournalMaxGroupWaitMSec(0);
        configuration.setJournalAdaptiveGroupWrites(false);
        configuration.setJournalRemovePagesFromCache(false);
        configuration.setJournalWriteBufferSizeKB(1024);
        configuration.setMaxJournalSizeMB(2048);
        configuration.setProperty("journalPreAllocSizeMB", 64); // it has no setter
        LedgerDirsManager ledgers =
                new LedgerDirsManager(configuration, new File[] {ledgerDirectory}, new DiskChecker(0.999f, 0.998f));
        journal = new org.apache.bookkeeper.bookie.Journal(0, journalDirectory, configuration, ledgers);
        journal.start();
    }

    private static File makeDirectory(File directory) {
        File current = new File(directory, "current");
        if (!current.mkdirs()) {
            throw new IllegalStateException("cannot make " + current);
        }
        return current;
    }

    @Override
    public void appendAndWait(ByteBuffer payload) throws InterruptedException {
        ByteBuf entry = onlyEntry;
        if (entry == null) {
            entry = entryOf(payload);
            onlyEntry = entry;
        }
        CountDownLatch latch = new CountDownLatch(1);
        log(entry, latch);
        latch.await();
    }

    @Override
    public void append(Pending pending) throws InterruptedException {
        ByteBuf entry = (ByteBuf) pending.attachment();
        if (entry == null) {
            entry = entryOf(pending.payload());
            pending.attach(entry);
        }
        log(entry, pending);
    }

    /** An entry as a bookie gets it from the network: ledger, number, payload in one buffer. */
    private static ByteBuf entryOf(ByteBuffer payload) {
        ByteBuf entry = Unpooled.directBuffer(ENTRY_HEADER_BYTES + payload.remaining());
        return entry.writeLong(LEDGER).writeLong(0).writeBytes(payload);
    }

    private void log(ByteBuf entry, Object context) throws InterruptedException {
        long number = nextEntry++;
        entry.readerIndex(0).setLong(8, number);
        journal.logAddEntry(LEDGER, number, entry, false, completions, context);
    }

    @Override
    public void close() {
        journal.shutdown();
    }

    private static final class Completions implements WriteCallback {
        @Override
        public void writeComplete(
                int code, long ledger, long entry, @Nullable BookieId bookie, @Nullable Object context) {
            if (context instanceof Pending pending) {
                if (code == 0) {
                    pending.complete();
                } else {
                    pending.fail(new IllegalStateException("code " + code));
                }
            } else if (context instanceof CountDownLatch latch) {
                if (code != 0) {
                    throw new IllegalStateException("code " + code);
                }
                latch.countDown();
            }
        }
    }
}
