package io.plog.benchmarks.journal;

import io.netty.buffer.Unpooled;
import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;

/** Two ways to the same bookies: the log, and BookKeeper's client by itself, as its own benchmark uses it. */
public final class ReplicatedJournals {
    private ReplicatedJournals() {}

    /** The log at this address, made new. */
    public static Journal plog(URI address) throws IOException {
        return new LogJournal(DurableLog.open(address, LogOptions.in(Path.of("unused"))), false);
    }

    /**
     * One ledger, with the settings that the log has for its own.
     *
     * @param zooKeeper its address
     * @param ensemble and the write quorum
     * @param ack the ack quorum
     */
    public static Journal plain(String zooKeeper, int ensemble, int ack) throws Exception {
        ClientConfiguration settings = new ClientConfiguration();
        settings.setMetadataServiceUri("zk+hierarchical://" + zooKeeper + "/ledgers");
        settings.setUseV2WireProtocol(true);
        settings.setThrottleValue(0);
        settings.setDelayEnsembleChange(true);
        settings.setNumIOThreads(2);
        settings.setNumWorkerThreads(2);
        BookKeeper client = new BookKeeper(settings);
        WriteHandle ledger = client.newCreateLedgerOp()
                .withEnsembleSize(ensemble)
                .withWriteQuorumSize(ensemble)
                .withAckQuorumSize(ack)
                .withDigestType(DigestType.CRC32C)
                .withPassword(new byte[0])
                .execute()
                .get();
        return new Journal() {
            @Override
            public void appendAndWait(ByteBuffer payload) throws Exception {
                ledger.appendAsync(Unpooled.wrappedBuffer(payload)).get();
            }

            @Override
            @SuppressWarnings("FutureReturnValueIgnored") // the outcome is told in it
            public void append(Pending pending) {
                ledger.appendAsync(Unpooled.wrappedBuffer(pending.payload())).whenComplete((entry, failure) -> {
                    if (failure == null) {
                        pending.complete();
                    } else {
                        pending.fail(failure);
                    }
                });
            }

            @Override
            public void close() throws IOException {
                try {
                    ledger.closeAsync().get();
                    client.close();
                } catch (Exception e) {
                    throw new IOException(e);
                }
            }
        };
    }
}
