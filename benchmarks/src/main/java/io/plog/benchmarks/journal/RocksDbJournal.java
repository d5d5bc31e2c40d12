package io.plog.benchmarks.journal;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * The write-ahead log of RocksDB: {@code put} with {@code sync}. Blocking only; its own group commit serves many threads.
 *
 * <p>Its log files are used before the clock starts and recycled, so that the measured appends overwrite initialised blocks.
 */
final class RocksDbJournal implements Journal {
    private static final long MIB = 1 << 20;

    private final Options options;
    private final WriteOptions synced;
    private final RocksDB db;
    private final AtomicLong nextKey = new AtomicLong();
    private final ThreadLocal<ByteBuffer> keys = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(8));

    RocksDbJournal(Workload workload) throws RocksDBException {
        RocksDB.loadLibrary();
        long memtable = Math.max(64 * MIB, Math.min(512 * MIB, workload.preparedBytes(64) * 3 / 2));
        options = new Options()
                .setCreateIfMissing(true)
                .setWriteBufferSize(memtable)
                .setMaxWriteBufferNumber(4)
                .setDisableAutoCompactions(true)
                .setRecycleLogFileNum(2)
                .setEnablePipelinedWrite(workload.outstanding() > 1);
        synced = new WriteOptions().setSync(true);
        db = RocksDB.open(options, workload.directory().toString());
        useLogFiles(Math.min(memtable * 9 / 10, workload.preparedBytes(64)));
    }

    /** Fills the log files to this size, twice, so that the files there are have been written and are free again. */
    private void useLogFiles(long bytes) throws RocksDBException {
        byte[] value = new byte[(int) MIB / 2];
        try (WriteOptions unsynced = new WriteOptions();
                FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
            for (int file = 0; file < 3; file++) {
                for (long done = 0; done < bytes; done += value.length) {
                    db.put(unsynced, new byte[] {(byte) file}, value);
                }
                db.syncWal();
                db.flush(flush);
            }
        }
    }

    @Override
    public boolean isBlockingOnly() {
        return true;
    }

    @Override
    public void appendAndWait(ByteBuffer payload) throws RocksDBException {
        ByteBuffer key = keys.get();
        key.clear();
        key.putLong(nextKey.getAndIncrement()).flip();
        db.put(synced, key, payload);
    }

    @Override
    public void close() {
        db.close();
        synced.close();
        options.close();
    }
}
