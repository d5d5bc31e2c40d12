package io.plog.benchmarks.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.TxnHeader;

/**
 * The transaction log of ZooKeeper: appends of a group, then one {@code commit}, as its own SyncRequestProcessor does. It
 * extends its file inside the append, by a hole; there is no way to have it initialised beforehand.
 */
final class ZooKeeperJournal extends GroupedJournal {
    private final FileTxnLog log;
    private long zxid;

    ZooKeeperJournal(Workload workload) {
        super(workload.outstanding());
        FileTxnLog.setPreallocSize(Math.max(64L << 20, workload.preparedBytes(256)));
        log = new FileTxnLog(workload.directory().toFile());
    }

    @Override
    public void appendAndWait(ByteBuffer payload) throws IOException {
        append(payload);
        log.commit();
    }

    @Override
    void writeAndForce(Pending[] group, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            append(group[i].payload());
        }
        log.commit();
    }

    private void append(ByteBuffer payload) throws IOException {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        zxid++;
        TxnHeader header = new TxnHeader(1, (int) zxid, zxid, 1, ZooDefs.OpCode.setData);
        SetDataTxn transaction = new SetDataTxn("/journal", bytes, 1);
        log.append(new Request(1, (int) zxid, ZooDefs.OpCode.setData, header, transaction, zxid));
    }

    @Override
    void closeFiles() throws IOException {
        log.close();
    }
}
