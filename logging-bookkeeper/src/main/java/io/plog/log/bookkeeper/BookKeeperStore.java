package io.plog.log.bookkeeper;

import io.netty.buffer.Unpooled;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.BKException.ZKException;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.CreateBuilder;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.LedgersIterator;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.zookeeper.RetryPolicy;
import org.apache.bookkeeper.zookeeper.ZooKeeperClient;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** The real engine: ledgers of BookKeeper, and a node in ZooKeeper. */
final class BookKeeperStore implements LedgerStore {
    private static final String NAME_KEY = "plog.log"; // of a ledger's metadata: the log that it belongs to
    private static final byte[] PASSWORD = new byte[0]; // BookKeeper wants one; it protects nothing here

    /** A bookie that does not answer for so long counts as failed. */
    private static final int ENTRY_TIMEOUT_SECONDS = 5;

    /** An entry for which the ack quorum is not there for so long fails the log. */
    private static final int QUORUM_TIMEOUT_SECONDS = 15;

    private static final long CALL_SECONDS = 60;

    /** So many ledgers are asked at once whose they are. */
    private static final int LOOKUPS_AT_ONCE = 100;

    private final BookKeeperAddress address;
    private final ZooKeeperSession zooKeeper;
    private final ZooKeeperNode node;
    private final ZooKeeper metadata; // the client's own way to ZooKeeper
    private final BookKeeper client;
    private final ChangeNotes notes;
    private volatile boolean notesAreKept;

    private BookKeeperStore(
            BookKeeperAddress address, ZooKeeperSession zooKeeper, ZooKeeper metadata, BookKeeper client) {
        this.address = address;
        this.zooKeeper = zooKeeper;
        this.node = new ZooKeeperNode(zooKeeper, address);
        this.metadata = metadata;
        this.client = client;
        this.notes =
                new ChangeNotes(address.name(), PASSWORD, client.getClientCtx().getBookieClient());
    }

    /**
     * Connects to the servers of an address. A thread that nobody interrupts does it: BookKeeper's client leaves its threads behind if it
     * is not made to its end. If the caller is interrupted, all is closed then.
     *
     * @throws io.plog.log.storage.LogException if none answers, or there is no BookKeeper
     */
    static BookKeeperStore connect(BookKeeperAddress address) throws IOException {
        CompletableFuture<BookKeeperStore> connected = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        BookKeeperStore store = connectHere(address);
                        if (!connected.complete(store)) {
                            closeUnused(store);
                        }
                    } catch (Throwable t) {
                        connected.completeExceptionally(t);
                    }
                },
                Thread.currentThread().getName());
        thread.setDaemon(true);
        thread.start();
        try {
            return connected.get();
        } catch (InterruptedException e) {
            if (!connected.completeExceptionally(e) && !connected.isCompletedExceptionally()) {
                closeUnused(connected.join());
            }
            throw ZooKeeperSession.interrupted(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failed) {
                throw failed;
            }
            throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
        }
    }

    private static void closeUnused(BookKeeperStore store) {
        try {
            store.close();
        } catch (IOException e) {
            // nobody waits for it
        }
    }

    private static BookKeeperStore connectHere(BookKeeperAddress address) throws IOException {
        ZooKeeperSession zooKeeper = null;
        ZooKeeper metadata = null;
        try {
            zooKeeper = ZooKeeperSession.connect(address.servers());
            if (!PresentBookies.mayBe(zooKeeper)) {
                throw new ZKException(); // a client that cannot be made would leave its threads behind
            }
            metadata = metadataOf(address);
            return new BookKeeperStore(address, zooKeeper, metadata, new BookKeeper(settings(address), metadata));
        } catch (IOException | KeeperException e) {
            close(zooKeeper, metadata);
            Throwable reason = rootOf(e);
            throw new LogException(
                    reason instanceof KeeperException.ConnectionLossException
                            ? "no ZooKeeper answers at " + address.servers() + " within "
                                    + ZooKeeperSession.patienceSeconds()
                                    + " s: start it (plog bookies does for a trial), or correct the address"
                            : "cannot use the ZooKeeper at " + address.servers() + ": "
                                    + (reason instanceof KeeperException refused
                                            ? refused.code() + "; is this program to have a password or certificate?"
                                            : reason),
                    e);
        } catch (BKException e) {
            close(zooKeeper, metadata);
            throw new LogException(
                    "the ZooKeeper at " + address.servers() + " knows no BookKeeper ("
                            + BKException.getMessage(e.getCode())
                            + "): initialise it with bookkeeper shell initnewcluster, or use another",
                    e);
        } catch (InterruptedException e) {
            close(zooKeeper, metadata);
            throw ZooKeeperSession.interrupted(e);
        }
    }

    private static Throwable rootOf(Throwable t) {
        return t.getCause() == null ? t : rootOf(t.getCause());
    }

    private static ZooKeeper metadataOf(BookKeeperAddress address)
            throws IOException, KeeperException, InterruptedException {
        return ZooKeeperClient.newBuilder()
                .connectString(address.servers())
                .sessionTimeoutMs(ZooKeeperSession.MILLIS)
                .operationRetryPolicy(new SoonAgain())
                .build();
    }

    /** By itself BookKeeper lets 10 s pass before it sends again what was lost with a connection, and appends or a takeover wait. */
    static final class SoonAgain implements RetryPolicy {
        @Override
        public boolean allowRetry(int retryCount, long elapsedMillis) {
            return elapsedMillis < TimeUnit.SECONDS.toMillis(CALL_SECONDS);
        }

        @Override
        public long nextRetryWaitTime(int retryCount, long elapsedMillis) {
            return ZooKeeperSession.PAUSE_MILLIS;
        }
    }

    static ClientConfiguration settings(BookKeeperAddress address) {
        ClientConfiguration settings = new ClientConfiguration();
        settings.setMetadataServiceUri("zk+hierarchical://" + address.servers().replace(',', ';') + "/ledgers");
        settings.setUseV2WireProtocol(true); // with the other one a bookie may acknowledge before it forces
        settings.setThrottleValue(0); // the log has its own bound; the default makes callers sleep at 5,000 a second
        settings.setDelayEnsembleChange(true); // with no spare bookie, a failed one must not fail the ledger
        settings.setAddEntryTimeout(ENTRY_TIMEOUT_SECONDS);
        settings.setReadEntryTimeout(ENTRY_TIMEOUT_SECONDS);
        settings.setAddEntryQuorumTimeout(QUORUM_TIMEOUT_SECONDS);
        settings.setNumIOThreads(2);
        settings.setNumWorkerThreads(2);
        return settings;
    }

    private static void close(@Nullable ZooKeeperSession zooKeeper, @Nullable ZooKeeper metadata) {
        try {
            if (metadata != null) {
                metadata.close();
            }
            if (zooKeeper != null) {
                zooKeeper.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Map<String, String> facts() {
        String version = BookKeeper.class.getPackage().getImplementationVersion();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("engine", "Apache BookKeeper" + (version == null ? "" : " " + version));
        facts.put("protocol", "version 2, CRC-32C");
        facts.put("journalSyncData", "as each bookie is set; plog bookies sets it to true");
        return facts;
    }

    // ---- The node ----

    @Override
    public @Nullable Node readNode() throws IOException {
        return node.read();
    }

    @Override
    public @Nullable Node lookAtNode() throws IOException {
        return node.look();
    }

    @Override
    public void createNode(String content) throws IOException {
        node.create(content);
    }

    @Override
    public void replaceNode(String content, int expectedVersion) throws IOException {
        node.replace(content, expectedVersion);
    }

    @Override
    public int sessionMillis() {
        return zooKeeper.sessionMillis();
    }

    // ---- Ledgers ----

    @Override
    public LedgerWriter createLedger(Quorum quorum) throws IOException {
        return new Writer(await(creation(quorum.ensemble(), quorum.write(), quorum.ack())
                .withCustomMetadata(Map.of(NAME_KEY, address.name().getBytes(StandardCharsets.UTF_8)))
                .execute()
                .exceptionally(t -> {
                    throw new CompletionException(tooFew(quorum, t));
                })));
    }

    private CreateBuilder creation(int ensemble, int write, int ack) {
        return client.newCreateLedgerOp()
                .withEnsembleSize(ensemble)
                .withWriteQuorumSize(write)
                .withAckQuorumSize(ack)
                .withDigestType(DigestType.CRC32C)
                .withPassword(PASSWORD);
    }

    private Throwable tooFew(Quorum quorum, Throwable t) {
        Throwable cause = t instanceof CompletionException && t.getCause() != null ? t.getCause() : t;
        return cause instanceof BKException e && e.getCode() == BKException.Code.NotEnoughBookiesException
                ? new TooFewException(
                        "too few bookies are there for log " + address.name() + " (" + quorum + ")", cause)
                : cause;
    }

    @Override
    public TooFewException explained(Quorum asked, TooFewException e) {
        return new TooFewException(PresentBookies.tooFew(address, asked, zooKeeper), e.getCause());
    }

    @Override
    public Place placeOf(long ledger, Quorum wanted) throws IOException {
        LedgerMetadata metadata = await(client.getLedgerMetadata(ledger));
        Set<String> present = PresentBookies.writable(zooKeeper);
        List<BookieId> bookies = metadata.getAllEnsembles().lastEntry().getValue();
        long left = bookies.stream()
                .filter(each -> present.contains(each.toString()))
                .count();
        Standing standing = metadata.getState() != LedgerMetadata.State.OPEN
                ? Standing.CLOSED
                : wanted.isSurpassed(bookies.size(), left, present.size()) ? Standing.SURPASSED : Standing.GOOD;
        return new Place(standing, Quorum.copies(metadata.getWriteQuorumSize(), bookies.size(), left));
    }

    @Override
    public List<String> queue() throws IOException {
        return zooKeeper.sendUntilAnswered(
                "read who waits for log " + address.name(), to -> ZooKeeperElection.servers(to, address.name()));
    }

    @Override
    public LedgerReader recoverLedger(long ledger) throws IOException {
        boolean wasClosed = await(client.getLedgerMetadata(ledger)).isClosed();
        return new Reader(open(ledger, true), wasClosed);
    }

    @Override
    public LedgerReader openLedger(long ledger) throws IOException {
        return new Reader(open(ledger, false), true);
    }

    @Override
    public LedgerReader lookInto(long ledger) throws IOException {
        // Asked before: a handle of a ledger that is closed while it is opened says so, but not where the ledger ends.
        boolean wasClosed = await(client.getLedgerMetadata(ledger)).isClosed();
        ReadHandle handle = open(ledger, false);
        if (wasClosed) {
            return new Reader(handle, true);
        }
        LedgerTail tail = new LedgerTail(handle, client.getClientCtx().getBookieClient(), address.name());
        return new Unclosed(handle, tail.entries());
    }

    @Override
    public LedgerReader follow(long ledger) throws IOException {
        return new Followed(open(ledger, false));
    }

    private ReadHandle open(long ledger, boolean recovery) throws IOException {
        return await(client.newOpenLedgerOp()
                .withLedgerId(ledger)
                .withRecovery(recovery)
                .withDigestType(DigestType.CRC32C)
                .withPassword(PASSWORD)
                .execute());
    }

    @Override
    public List<Long> ledgersAfter(long ledger) throws IOException {
        List<Long> found = new ArrayList<>();
        List<Long> unasked = new ArrayList<>();
        // It is not closed: that does nothing, and is declared to throw anything.
        LedgersIterator ids = await(client.newListLedgersOp().execute()).iterator();
        while (ids.hasNext()) {
            long id = ids.next();
            if (id > ledger) {
                unasked.add(id);
            }
            if (unasked.size() == LOOKUPS_AT_ONCE || !ids.hasNext()) {
                found.addAll(ofThisLog(unasked));
                unasked.clear();
            }
        }
        found.sort(Comparator.naturalOrder());
        return found;
    }

    private List<Long> ofThisLog(List<Long> ledgers) throws IOException {
        List<CompletableFuture<LedgerMetadata>> asked =
                ledgers.stream().map(client::getLedgerMetadata).toList();
        byte[] name = address.name().getBytes(StandardCharsets.UTF_8);
        List<Long> found = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            try {
                if (Arrays.equals(name, await(asked.get(i)).getCustomMetadata().get(NAME_KEY))) {
                    found.add(ledgers.get(i));
                }
            } catch (NoLedgerException e) {
                // it was deleted meanwhile
            }
        }
        return found;
    }

    @Override
    public List<String> holdersOf(long ledger, int silent) throws IOException {
        PresentBookies.Asked asked = new PresentBookies.Asked(ledger, 0, silent);
        return List.copyOf(
                PresentBookies.ask(asked, zooKeeper, client.getClientCtx().getBookieClient(), entry -> 0)
                        .keySet());
    }

    @Override
    public long notedChange(int silent) throws IOException {
        return notes.highest(silent, CALL_SECONDS, zooKeeper);
    }

    @Override
    public boolean areBookiesInReach(int silent, Duration atMost) {
        try {
            notes.highest(silent, Math.max(1, atMost.toSeconds()), zooKeeper);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void noteChange(long change, Quorum quorum) throws IOException {
        Set<String> present = PresentBookies.writable(zooKeeper);
        if (!notesAreKept) {
            keepNotes(quorum, present.size());
        }
        notes.write(change, present, quorum.ack());
    }

    private void keepNotes(Quorum quorum, int present) throws IOException {
        int copies = Math.max(quorum.ack(), Math.min(quorum.ensemble(), present));
        try {
            await(creation(copies, copies, quorum.ack())
                            .makeAdv()
                            .withLedgerId(notes.ledger())
                            .execute())
                    .close();
        } catch (IOException e) {
            if (!(e.getCause() instanceof BKException failed)
                    || failed.getCode() != BKException.Code.LedgerExistException) {
                throw e;
            }
        } catch (InterruptedException | BKException e) {
            throw worded(e);
        }
        notesAreKept = true;
    }

    @Override
    public void deleteLedger(long ledger) throws IOException {
        try {
            await(client.newDeleteLedgerOp().withLedgerId(ledger).execute());
        } catch (NoLedgerException e) {
            return; // that was asked for
        }
    }

    /** A caller that was interrupted before leaves no threads and sessions behind either. */
    @Override
    public void close() throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            client.close();
            metadata.close();
            zooKeeper.close();
        } catch (BKException e) {
            throw worded(e);
        } catch (InterruptedException e) {
            throw ZooKeeperSession.interrupted(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // ---- Waiting, and errors in our words ----

    private <T> T await(CompletableFuture<T> future) throws IOException {
        try {
            return future.get(CALL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw worded(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("BookKeeper did not answer for " + CALL_SECONDS + " s", e);
        } catch (InterruptedException e) {
            throw ZooKeeperSession.interrupted(e);
        }
    }

    private IOException worded(Throwable t) {
        Throwable cause = t instanceof CompletionException && t.getCause() != null ? t.getCause() : t;
        if (cause instanceof IOException e) {
            return e;
        }
        return cause instanceof BKException e
                ? worded(e.getCode(), e)
                : new IOException("BookKeeper failed: " + cause, cause);
    }

    private IOException worded(int code, BKException cause) {
        return switch (code) {
            case BKException.Code.LedgerFencedException ->
                new FencedException("a ledger of log " + address.name() + " was fenced");
            case BKException.Code.NoSuchLedgerExistsException,
                    BKException.Code.NoSuchLedgerExistsOnMetadataServerException ->
                new NoLedgerException("a ledger of log " + address.name() + " is not there");
            case BKException.Code.NotEnoughBookiesException,
                    BKException.Code.AddEntryQuorumTimeoutException,
                    BKException.Code.LedgerRecoveryException,
                    BKException.Code.BookieHandleNotAvailableException ->
                new IOException(
                        "too few of the bookies that the ZooKeeper at " + address.servers() + " knows answer for log "
                                + address.name() + ": start them, or look in their logs why they do not",
                        cause);
            default ->
                new IOException(
                        "BookKeeper failed for log " + address.name() + ": " + BKException.getMessage(code), cause);
        };
    }

    private final class Writer implements LedgerWriter {
        private final WriteHandle handle;

        Writer(WriteHandle handle) {
            this.handle = handle;
        }

        @Override
        public long id() {
            return handle.getId();
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the outcome is reported in it
        public void append(ByteBuffer entry, Outcome outcome) {
            handle.appendAsync(Unpooled.wrappedBuffer(entry))
                    .whenComplete((entryId, failure) -> outcome.done(failure == null ? null : worded(failure)));
        }

        @Override
        public void close() throws IOException {
            await(handle.closeAsync());
        }

        @Override
        public LedgerReader reader() {
            return new Reader(handle, false);
        }
    }

    private class Reader implements LedgerReader {
        private final ReadHandle handle;
        private final boolean wasClosed;

        Reader(ReadHandle handle, boolean wasClosed) {
            this.handle = handle;
            this.wasClosed = wasClosed;
        }

        @Override
        public long entries() {
            return handle.getLastAddConfirmed() + 1;
        }

        @Override
        public long bytes() {
            return handle.getLength();
        }

        @Override
        public boolean wasClosed() {
            return wasClosed;
        }

        @Override
        public List<ByteBuffer> read(long first, long last) throws IOException {
            List<ByteBuffer> copies = new ArrayList<>();
            try (LedgerEntries entries = await(readAsync(handle, first, last))) {
                for (LedgerEntry entry : entries) {
                    copies.add(ByteBuffer.wrap(entry.getEntryBytes()));
                }
            }
            return copies;
        }

        CompletableFuture<LedgerEntries> readAsync(ReadHandle from, long first, long last) {
            return from.readAsync(first, last);
        }

        @Override
        public void close() throws IOException {
            await(handle.closeAsync());
        }
    }

    /**
     * A ledger that its writer continues. Each entry says up to which one all were acknowledged when it was sent, so the last ones are
     * not known until others follow, or the ledger is closed.
     */
    private final class Followed extends Reader {
        private volatile long entries;

        Followed(ReadHandle handle) {
            super(handle, handle.isClosed());
            entries = handle.getLastAddConfirmed() + 1;
        }

        @Override
        public long entries() {
            return entries;
        }

        @Override
        public void refresh() throws IOException {
            entries = Math.max(entries, await(super.handle.readLastAddConfirmedAsync()) + 1);
        }
    }

    /** Reads also what is not known to have been acknowledged. */
    private final class Unclosed extends Reader {
        private final long entries;
        private final long confirmed;

        Unclosed(ReadHandle handle, long entries) {
            super(handle, false);
            this.entries = entries;
            this.confirmed = handle.getLastAddConfirmed() + 1;
        }

        @Override
        public long entries() {
            return entries;
        }

        @Override
        public long confirmed() {
            return confirmed;
        }

        @Override
        CompletableFuture<LedgerEntries> readAsync(ReadHandle from, long first, long last) {
            return from.readUnconfirmedAsync(first, last);
        }
    }
}
