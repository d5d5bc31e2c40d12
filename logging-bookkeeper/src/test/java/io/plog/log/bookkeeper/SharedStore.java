package io.plog.log.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@link SimulatedStore} for several threads: the cluster's monitor is held for each operation, and never for an outcome. */
final class SharedStore implements LedgerStore {
    private final SimulatedCluster cluster;
    private final SimulatedStore store;
    private final ReadGate gate;
    private final SimulatedElection election;
    private List<Runnable> answers = new ArrayList<>(); // guarded by the cluster

    /** @param gate that every reading of entries passes */
    SharedStore(SimulatedCluster cluster, ReadGate gate, SimulatedElection election) {
        this.election = election;
        this.cluster = cluster;
        this.gate = gate;
        this.store = new SimulatedStore(cluster);
    }

    void kill() {
        store.kill();
    }

    /** The outcomes that are to be told, for a thread that does not hold the cluster's monitor. */
    Runnable takeAnswers() {
        List<Runnable> taken = answers;
        answers = new ArrayList<>();
        return () -> taken.forEach(Runnable::run);
    }

    @Override
    public Map<String, String> facts() {
        return store.facts();
    }

    @Override
    public @Nullable Node readNode() throws IOException {
        synchronized (cluster) {
            return store.readNode();
        }
    }

    @Override
    public void createNode(String content) throws IOException {
        synchronized (cluster) {
            store.createNode(content);
        }
    }

    @Override
    public void replaceNode(String content, int expectedVersion) throws IOException {
        synchronized (cluster) {
            store.replaceNode(content, expectedVersion);
        }
    }

    @Override
    public LedgerWriter createLedger(Quorum quorum) throws IOException {
        synchronized (cluster) {
            LedgerWriter writer = store.createLedger(quorum);
            return new LedgerWriter() {
                @Override
                public long id() {
                    return writer.id();
                }

                @Override
                public void append(ByteBuffer entry, Outcome outcome) {
                    synchronized (cluster) {
                        writer.append(entry, failure -> answers.add(() -> outcome.done(failure)));
                    }
                }

                @Override
                public void close() throws IOException {
                    synchronized (cluster) {
                        writer.close();
                    }
                }

                @Override
                public LedgerReader reader() {
                    return shared(writer.reader());
                }
            };
        }
    }

    @Override
    public Place placeOf(long ledger, Quorum wanted) throws IOException {
        synchronized (cluster) {
            return store.placeOf(ledger, wanted);
        }
    }

    @Override
    public List<String> queue() {
        return election.servers();
    }

    @Override
    public LedgerReader recoverLedger(long ledger) throws IOException {
        synchronized (cluster) {
            return shared(store.recoverLedger(ledger));
        }
    }

    @Override
    public LedgerReader openLedger(long ledger) throws IOException {
        synchronized (cluster) {
            return shared(store.openLedger(ledger));
        }
    }

    @Override
    public LedgerReader lookInto(long ledger) throws IOException {
        synchronized (cluster) {
            return shared(store.lookInto(ledger));
        }
    }

    @Override
    public LedgerReader follow(long ledger) throws IOException {
        synchronized (cluster) {
            return shared(store.follow(ledger));
        }
    }

    private LedgerReader shared(LedgerReader reader) {
        return new LedgerReader() {
            @Override
            public long entries() {
                synchronized (cluster) {
                    return reader.entries();
                }
            }

            @Override
            public void refresh() throws IOException {
                synchronized (cluster) {
                    reader.refresh();
                }
            }

            @Override
            public long confirmed() {
                synchronized (cluster) {
                    return reader.confirmed();
                }
            }

            @Override
            public long bytes() {
                synchronized (cluster) {
                    return reader.bytes();
                }
            }

            @Override
            public boolean wasClosed() {
                return reader.wasClosed();
            }

            @Override
            public List<ByteBuffer> read(long first, long last) throws IOException {
                gate.pass();
                synchronized (cluster) {
                    return reader.read(first, last);
                }
            }

            @Override
            public void close() throws IOException {
                synchronized (cluster) {
                    reader.close();
                }
            }
        };
    }

    @Override
    public List<Long> ledgersAfter(long ledger) {
        synchronized (cluster) {
            return store.ledgersAfter(ledger);
        }
    }

    @Override
    public int sessionMillis() {
        return store.sessionMillis();
    }

    @Override
    public List<String> holdersOf(long ledger) {
        synchronized (cluster) {
            return store.holdersOf(ledger);
        }
    }

    @Override
    public void deleteLedger(long ledger) {
        synchronized (cluster) {
            store.deleteLedger(ledger);
        }
    }

    @Override
    public void close() {
        synchronized (cluster) {
            store.close();
        }
    }
}
