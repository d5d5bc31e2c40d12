package io.plog.log.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Bookies, their metadata and the network between them, on one thread and from one seed. It follows the protocol of BookKeeper:
 * ensembles that are replaced, acknowledgments by quorum in order, fencing and recovery. Faults: bookies crash and come back,
 * messages take any time, answers of the metadata service are lost.
 */
final class SimulatedCluster {
    /** What the metadata service knows of a ledger. */
    static final class Metadata {
        final Quorum quorum;
        final TreeMap<Long, List<Integer>> ensembles = new TreeMap<>(); // by the first entry
        boolean recovering;
        boolean closed;
        long last = -1;
        long bytes;

        Metadata(Quorum quorum, List<Integer> ensemble) {
            this.quorum = quorum;
            ensembles.put(0L, ensemble);
        }

        /** The bookies that get a copy of an entry. */
        List<Integer> copies(long entry) {
            List<Integer> ensemble = ensembles.floorEntry(entry).getValue();
            return IntStream.range(0, quorum.write())
                    .mapToObj(i -> ensemble.get((int) ((entry + i) % ensemble.size())))
                    .toList();
        }
    }

    static final long NOTES = Long.MAX_VALUE;

    final SplittableRandom random;
    final List<SimulatedBookie> bookies = new ArrayList<>();
    final Map<Long, Metadata> ledgers = new TreeMap<>();
    private final List<Deque<Runnable>> channels = new ArrayList<>(); // each keeps its order
    private final List<SimulatedLedger> writers = new ArrayList<>();
    private LedgerStore.@Nullable Node node;
    boolean inReach = true;
    int askedWhetherInReach;
    private long nextLedger = 1;
    private int lostAnswers;
    private int lostReads;
    private long seconds;

    SimulatedCluster(int bookieCount, SplittableRandom random) {
        this.random = random;
        for (int i = 0; i < bookieCount; i++) {
            bookies.add(new SimulatedBookie());
        }
    }

    // ---- The time ----

    /** The same for all; servers that sleep notice when they wake up. */
    LogClock clock() {
        return new LogClock() {
            @Override
            public long nanos() {
                return TimeUnit.SECONDS.toNanos(seconds);
            }

            @Override
            public long wallSeconds() {
                return 1_795_000_000 + seconds;
            }
        };
    }

    void pass(long duration) {
        seconds += duration;
    }

    // ---- The network ----

    /** Messages of one sender to one receiver, which keep their order. */
    Deque<Runnable> newChannel() {
        Deque<Runnable> channel = new ArrayDeque<>();
        channels.add(channel);
        return channel;
    }

    /** How many messages are on their way. */
    int messages() {
        return channels.stream().mapToInt(Deque::size).sum();
    }

    /** Delivers one message, or lets one bookie force; false if there is nothing to do. */
    boolean step() {
        List<Runnable> possible = new ArrayList<>();
        for (Deque<Runnable> channel : channels) {
            if (!channel.isEmpty()) {
                possible.add(() -> channel.remove().run());
            }
        }
        for (SimulatedBookie bookie : bookies) {
            if (bookie.hasUnforced()) {
                possible.add(bookie::force);
            }
        }
        if (possible.isEmpty()) {
            return false;
        }
        possible.get(random.nextInt(possible.size())).run();
        return true;
    }

    void settle() {
        while (step()) {
            // until nothing is under way
        }
    }

    void addWriter(SimulatedLedger writer) {
        writers.add(writer);
    }

    void crash(int bookie) {
        bookies.get(bookie).crash();
        writers.forEach(writer -> writer.bookieCrashed(bookie));
    }

    // ---- Metadata ----

    /** So many changes of the node will have no answer: some of them are made, and some are not. */
    void loseAnswers(int count) {
        lostAnswers = count;
    }

    /** So many readings of the node will have no answer. */
    void loseReads(int count) {
        lostReads = count;
    }

    LedgerStore.@Nullable Node readNode() throws IOException {
        if (lostReads > 0) {
            lostReads--;
            throw new IOException("no server answers");
        }
        return node;
    }

    /** A change of the node: its answer may be lost, and the connection may end before it arrives, or after. */
    private void change(LedgerStore.Node next) throws IOException {
        boolean lost = lostAnswers > 0;
        if (!lost || random.nextBoolean()) {
            node = next;
        }
        if (lost) {
            lostAnswers--;
            throw new IOException("the answer was lost");
        }
    }

    LedgerStore.@Nullable Node node() {
        return node;
    }

    void createNode(String content) throws IOException {
        if (node != null) {
            throw new IOException("the node is there");
        }
        change(new LedgerStore.Node(content, 0));
    }

    void replaceNode(String content, int expectedVersion) throws IOException {
        LedgerStore.Node now = node;
        if (now == null || (expectedVersion >= 0 && now.version() != expectedVersion)) {
            throw new IOException("the node was changed");
        }
        change(new LedgerStore.Node(content, now.version() + 1));
    }

    /** Copies the data of the metadata service as they are now; what it returns puts them back. */
    Runnable copyMetadata() {
        LedgerStore.Node copiedNode = node;
        Map<Long, Metadata> copiedLedgers = Map.copyOf(ledgers);
        long copiedNext = nextLedger;
        return () -> {
            node = copiedNode;
            ledgers.clear();
            ledgers.putAll(copiedLedgers);
            nextLedger = copiedNext;
        };
    }

    /** The highest change of the list that a bookie which is up has noted. */
    long notedChange() {
        return bookies.stream()
                .filter(SimulatedBookie::isUp)
                .mapToLong(each -> each.lastEntry(NOTES))
                .max()
                .orElse(0);
    }

    /** At least so many bookies force it; which of the others do is a matter of chance. */
    void noteChange(long change, int enough) throws IOException {
        List<Integer> up = upBookies();
        SimulatedBookie.Entry note = new SimulatedBookie.Entry(ByteBuffer.allocate(0), -1);
        for (int i = 0; i < up.size(); i++) {
            if (i < enough || random.nextBoolean()) {
                bookies.get(up.get(i)).addStably(NOTES, change, note);
            }
        }
        if (up.size() < enough) {
            throw new IOException("too few bookies noted the change");
        }
    }

    /** A ledger on bookies that are up. */
    long createLedger(Quorum quorum) throws IOException {
        List<Integer> up = upBookies();
        if (up.size() < quorum.ensemble()) {
            throw new LedgerStore.TooFewException("too few bookies", null);
        }
        long id = nextLedger++;
        ledgers.put(id, new Metadata(quorum, List.copyOf(up.subList(0, quorum.ensemble()))));
        return id;
    }

    LedgerStore.Place placeOf(long ledger, Quorum wanted) throws IOException {
        Metadata found = metadata(ledger);
        long left = found.ensembles.lastEntry().getValue().stream()
                .filter(each -> bookies.get(each).isUp())
                .count();
        long up = bookies.stream().filter(SimulatedBookie::isUp).count();
        int named = found.ensembles.lastEntry().getValue().size();
        LedgerStore.Standing standing = found.recovering || found.closed
                ? LedgerStore.Standing.CLOSED
                : wanted.isSurpassed(named, left, up) ? LedgerStore.Standing.SURPASSED : LedgerStore.Standing.GOOD;
        return new LedgerStore.Place(standing, Quorum.copies(found.quorum.write(), named, left));
    }

    /** In random order. */
    List<Integer> upBookies() {
        List<Integer> up = new ArrayList<>();
        for (int i = 0; i < bookies.size(); i++) {
            if (bookies.get(i).isUp()) {
                up.add(i);
            }
        }
        Collections.shuffle(up, new Random(random.nextLong()));
        return up;
    }

    Metadata metadata(long ledger) throws IOException {
        Metadata found = ledgers.get(ledger);
        if (found == null) {
            throw new LedgerStore.NoLedgerException("no ledger " + ledger);
        }
        return found;
    }

    void deleteLedger(long ledger) {
        ledgers.remove(ledger);
        bookies.forEach(bookie -> bookie.delete(ledger));
    }

    // ---- Recovery ----

    /** Fences a ledger's writer and closes the ledger behind all that may have been acknowledged. */
    void recover(long id) throws IOException {
        Metadata ledger = metadata(id);
        if (ledger.closed) {
            return;
        }
        ledger.recovering = true;
        long confirmed = fence(id, ledger);
        long next = confirmed + 1;
        while (recoverEntry(id, ledger, next)) {
            next++;
        }
        ledger.closed = true;
        ledger.last = next - 1;
        ledger.bytes = 0;
        for (long entry = 0; entry < next; entry++) {
            ledger.bytes += read(id, entry).remaining();
        }
    }

    private long fence(long id, Metadata ledger) throws IOException {
        long confirmed = -1;
        List<Integer> ensemble = ledger.ensembles.lastEntry().getValue();
        int down = 0;
        for (int each : ensemble) {
            SimulatedBookie bookie = bookies.get(each);
            if (bookie.isUp()) {
                confirmed = Math.max(confirmed, bookie.fence(id));
                deliverToBookies();
            } else {
                down++;
            }
        }
        if (down >= ledger.quorum.ack()) {
            throw new IOException("too few bookies to fence ledger " + id);
        }
        return confirmed;
    }

    /** While a fence is on its way, writers' requests go on arriving. */
    private void deliverToBookies() {
        for (SimulatedBookie bookie : bookies) {
            if (random.nextInt(3) == 0 && bookie.hasUnforced()) {
                bookie.force();
            }
        }
    }

    private boolean recoverEntry(long id, Metadata ledger, long entry) throws IOException {
        SimulatedBookie.Entry found = null;
        List<SimulatedBookie> up = new ArrayList<>();
        for (int each : ledger.copies(entry)) {
            SimulatedBookie bookie = bookies.get(each);
            if (bookie.isUp()) {
                up.add(bookie);
                found = found == null ? bookie.read(id, entry) : found;
            }
        }
        if (found == null) {
            if (ledger.quorum.write() - up.size() >= ledger.quorum.ack()) {
                throw new IOException("too few bookies to tell whether entry " + entry + " is there");
            }
            return false;
        }
        if (up.size() < ledger.quorum.ack()) {
            throw new IOException("too few bookies to write entry " + entry + " again");
        }
        for (SimulatedBookie bookie : up) {
            bookie.addStably(id, entry, found);
        }
        return true;
    }

    // ---- Reading ----

    /** A ledger that is not closed, with the entries that can be read at this moment; nothing changes. */
    LedgerReader lookInto(long id) throws IOException {
        Metadata ledger = metadata(id);
        long confirmed = ledger.ensembles.lastEntry().getValue().stream()
                .map(bookies::get)
                .filter(SimulatedBookie::isUp)
                .mapToLong(each -> each.lastConfirmed(id))
                .max()
                .orElse(-1);
        long end = 0;
        long bytes = 0;
        for (SimulatedBookie.Entry entry = find(id, 0); entry != null; entry = find(id, end)) {
            end++;
            bytes += entry.bytes().remaining();
        }
        long count = end;
        long size = bytes;
        return new SimulatedReader(this, id, () -> count, () -> confirmed + 1, () -> size, false);
    }

    /** How many entries of a ledger are known to be acknowledged to somebody who asks those bookies that happen to answer first. */
    long confirmed(long id) throws IOException {
        Metadata ledger = metadata(id);
        if (ledger.closed) {
            return ledger.last + 1;
        }
        List<Integer> asked = upBookies();
        asked.retainAll(ledger.ensembles.lastEntry().getValue());
        int enough = ledger.quorum.ensemble() - ledger.quorum.ack() + 1;
        if (asked.size() < enough) {
            throw new IOException("too few bookies say up to where ledger " + id + " is acknowledged");
        }
        return 1
                + asked.subList(0, enough + random.nextInt(asked.size() - enough + 1)).stream()
                        .mapToLong(each -> bookies.get(each).lastConfirmed(id))
                        .max()
                        .orElse(-1);
    }

    private SimulatedBookie.@Nullable Entry find(long id, long entry) throws IOException {
        for (int each : metadata(id).copies(entry)) {
            SimulatedBookie bookie = bookies.get(each);
            SimulatedBookie.Entry found = bookie.isUp() ? bookie.read(id, entry) : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    ByteBuffer read(long id, long entry) throws IOException {
        SimulatedBookie.Entry found = find(id, entry);
        if (found != null) {
            return found.bytes().duplicate();
        }
        throw new IOException("no bookie that is up has entry " + entry + " of ledger " + id);
    }
}
