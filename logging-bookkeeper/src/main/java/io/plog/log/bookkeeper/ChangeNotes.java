package io.plog.log.bookkeeper;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.ReferenceCounted;
import io.plog.log.storage.LogDamagedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.WriteFlag;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.proto.BookieClient;
import org.apache.bookkeeper.proto.BookieProtocol;
import org.apache.bookkeeper.proto.LedgerMetadataFormat.DigestType;
import org.apache.bookkeeper.proto.checksum.DigestManager;

/**
 * How often a log's list was changed, noted on the bookies themselves. The list is in ZooKeeper; who puts back an older copy of
 * ZooKeeper's data puts back an older list, which names fewer ledgers and looks whole. The notes do not go back with it.
 *
 * <p>A note is an entry without content of a ledger of the log's own, whose number follows from the log's name and which is therefore
 * found whatever ZooKeeper knows; the entry's number is how often the list was changed. For BookKeeper that ledger is closed and empty, so
 * that nobody recovers it and nothing of it is missed: notes are written and read past its metadata, on every bookie that is there.
 */
final class ChangeNotes {
    /** No ledger that BookKeeper numbers by itself comes so far. */
    private static final long OWN_NUMBERS = 1L << 62;

    private final long ledger;
    private final BookieClient bookies;
    private final byte[] key;
    private final DigestManager digests;

    ChangeNotes(String log, byte[] password, BookieClient bookies) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(log.getBytes(StandardCharsets.UTF_8));
            ledger = OWN_NUMBERS | ByteBuffer.wrap(hash).getLong() >>> 2;
            key = DigestManager.generateMasterKey(password);
            digests = DigestManager.instantiate(ledger, password, DigestType.CRC32C, ByteBufAllocator.DEFAULT, true);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has these", e);
        }
        this.bookies = bookies;
    }

    /** The ledger of the notes. It must be there, closed and empty, or bookies delete them. */
    long ledger() {
        return ledger;
    }

    /** See {@link LedgerStore#notedChange}. */
    long highest(int silent, long seconds, ZooKeeperSession zooKeeper) throws IOException {
        PresentBookies.Asked asked =
                new PresentBookies.Asked(ledger, BookieProtocol.LAST_ADD_CONFIRMED, silent, seconds);
        return PresentBookies.ask(asked, zooKeeper, bookies, this::number).values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    private long number(ByteBuf entry) throws BKException {
        long number = entry.getLong(entry.readerIndex() + Long.BYTES); // behind the ledger's
        digests.verifyDigestAndReturnData(number, entry);
        return number;
    }

    /** Writes one to all, of which so many have to force it. */
    void write(long change, Set<String> present, int enough) throws IOException {
        BlockingQueue<Integer> codes = new LinkedBlockingQueue<>();
        for (String each : present) {
            // As in a recovery, which a bookie lets write whatever anybody has fenced.
            int flags = BookieProtocol.FLAG_RECOVERY_ADD;
            ReferenceCounted entry =
                    digests.computeDigestAndPackageForSending(change, -1, 0, Unpooled.EMPTY_BUFFER, key, flags);
            bookies.addEntry(
                    BookieId.parse(each),
                    ledger,
                    key,
                    change,
                    entry,
                    (code, ledgerId, entryId, bookie, context) -> codes.add(code),
                    null,
                    flags,
                    false,
                    WriteFlag.NONE);
            entry.release();
        }
        int forced = 0;
        try {
            for (int left = present.size(); forced < enough; left--) {
                Integer code =
                        forced + left < enough ? null : codes.poll(PresentBookies.CALL_SECONDS, TimeUnit.SECONDS);
                if (code == null) {
                    throw new IOException("too few bookies noted that the log's list was changed: " + forced
                            + ", expected " + enough);
                }
                forced += code == BKException.Code.OK ? 1 : 0;
            }
        } catch (InterruptedException e) {
            throw ZooKeeperSession.interrupted(e);
        }
    }

    /** Looks whether a log's list is the last one: throws if bookies have noted a later change. */
    static void check(String log, Quorum quorum, LedgerStore store) throws IOException {
        long noted =
                store.notedChange(quorum.ack() - 1); // before the list is read, which a writer may change meanwhile
        LedgerStore.Node node = store.readNode();
        long changes = node == null ? 0 : LedgerList.decode(log, node.content()).changes();
        if (noted > changes) {
            throw new LogDamagedException(
                    "/plog/" + log + " in ZooKeeper",
                    0,
                    "change " + noted + " of the log's list, which bookies have noted",
                    node == null ? "no list" : "change " + changes,
                    "The data of ZooKeeper are older than those of the bookies, so records may be missing. Nothing was"
                            + " changed; stop the bookies, which delete ledgers that ZooKeeper does not know, and"
                            + " restore the last copy of its data");
        }
    }
}
