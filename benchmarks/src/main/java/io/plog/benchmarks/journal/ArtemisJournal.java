package io.plog.benchmarks.journal;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.core.io.SequentialFileFactory;
import org.apache.activemq.artemis.core.io.aio.AIOSequentialFileFactory;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFileFactory;
import org.apache.activemq.artemis.core.journal.IOCompletion;
import org.apache.activemq.artemis.core.journal.PreparedTransactionInfo;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.apache.activemq.artemis.core.persistence.CoreMessageObjectPools;
import org.apache.activemq.artemis.core.persistence.Persister;
import org.apache.activemq.artemis.nativo.jlibaio.LibaioContext;
import org.apache.activemq.artemis.utils.actors.ArtemisExecutor;
import org.jspecify.annotations.Nullable;

/**
 * The journal of ActiveMQ Artemis, with its reserve created and filled beforehand.
 *
 * <p>NIO writes and forces each append by itself at depth 1 (unbuffered, its fastest there), and gathers them in its timed
 * buffer otherwise. AIO always has the timed buffer, and writes with {@code O_DIRECT}.
 */
final class ArtemisJournal implements Journal {
    private static final int MIB = 1 << 20;
    private static final int FILE_BYTES = 64 * MIB;
    private static final int RECORD_OVERHEAD_BYTES = 64;
    /** How long the timed buffer waits for more; from 1 ns to 100 µs made no difference that could be told. */
    private static final int GROUP_TIMEOUT_NANOS = 20_000;

    private static final byte RECORD_TYPE = 1;

    private final SequentialFileFactory files;
    private final JournalImpl journal;
    private final long retainedRecords;
    private long nextId = 1;

    /** @param aio whether to write with libaio instead of NIO */
    ArtemisJournal(Workload workload, boolean aio) throws Exception {
        if (aio && !LibaioContext.isLoaded()) {
            throw new UnavailableException("libaio cannot be loaded (Debian: apt install libaio1)");
        }
        File directory = workload.directory().toFile();
        if (aio && !AIOSequentialFileFactory.isSupported(directory)) {
            throw new UnavailableException("the file system of the directory does not support AIO");
        }
        boolean buffered = aio || workload.outstanding() > 1;
        int group = workload.outstanding() * (workload.payloadBytes() + RECORD_OVERHEAD_BYTES);
        int bufferBytes = Math.max(512 * 1024, Integer.highestOneBit(group) * 2);
        int timeoutNanos = workload.outstanding() > 1 ? GROUP_TIMEOUT_NANOS : 1;
        files = aio
                ? new AIOSequentialFileFactory(directory, bufferBytes, timeoutNanos, 500, false)
                : buffered
                        ? new NIOSequentialFileFactory(directory, true, bufferBytes, timeoutNanos, 1, false)
                        : new NIOSequentialFileFactory(directory, 1);
        int count = (int) (Workload.RESERVE_BYTES / FILE_BYTES);
        // Files of which all records were deleted are used again, up to so many.
        int pool = (int) (Workload.RETAINED_BYTES / FILE_BYTES) + count;
        retainedRecords = workload.retainedRecords();
        int mostAio = aio ? 500 : 1;
        ArtemisExecutor caller = Runnable::run;
        journal = new JournalImpl(() -> caller, FILE_BYTES, count, pool, 0, 0, files, "journal", "dat", mostAio, 0);
        journal.start();
        List<RecordInfo> records = new ArrayList<>();
        List<PreparedTransactionInfo> transactions = new ArrayList<>();
        journal.load(records, transactions, null, false);
    }

    @Override
    public void appendAndWait(ByteBuffer payload) throws Exception {
        journal.appendAddRecord(nextId++, RECORD_TYPE, PayloadPersister.INSTANCE, payload, true);
        deleteOldest();
    }

    @Override
    public void append(Pending pending) throws Exception {
        Completion completion = (Completion) pending.attachment();
        if (completion == null) {
            completion = new Completion(pending);
            pending.attach(completion);
        }
        journal.appendAddRecord(nextId++, RECORD_TYPE, PayloadPersister.INSTANCE, pending.payload(), true, completion);
        deleteOldest();
    }

    /** It drops nothing by itself: a record is deleted by another one, which need not be forced. */
    private void deleteOldest() throws Exception {
        if (nextId > retainedRecords) {
            journal.appendDeleteRecord(nextId - retainedRecords, false);
        }
    }

    @Override
    public void close() {
        journal.stop();
        files.stop();
    }

    /** Puts the payload into the journal's record. */
    private static final class PayloadPersister implements Persister<ByteBuffer> {
        static final PayloadPersister INSTANCE = new PayloadPersister();

        @Override
        public byte getID() {
            return RECORD_TYPE;
        }

        @Override
        public int getEncodeSize(ByteBuffer payload) {
            return payload.capacity();
        }

        @Override
        public void encode(ActiveMQBuffer out, ByteBuffer payload) {
            payload.clear();
            out.writeBytes(payload);
        }

        @Override
        public ByteBuffer decode(
                ActiveMQBuffer in, @Nullable ByteBuffer payload, @Nullable CoreMessageObjectPools pools) {
            throw new UnsupportedOperationException("nothing is read here");
        }
    }

    private static final class Completion implements IOCompletion {
        private final Pending pending;

        Completion(Pending pending) {
            this.pending = pending;
        }

        @Override
        public void storeLineUp() {}

        @Override
        public void done() {
            pending.complete();
        }

        @Override
        public void onError(int errorCode, String errorMessage) {
            pending.fail(new IllegalStateException("error " + errorCode + ": " + errorMessage));
        }
    }
}
