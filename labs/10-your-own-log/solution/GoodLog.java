import io.plog.app.lab.yours.YourLog;
import io.plog.log.storage.Storage;
import io.plog.log.storage.Storage.Access;
import io.plog.log.storage.Storage.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A log that keeps all promises. Each checkpoint begins a new file, whose first entry is the state and whose name is the index of the
 * checkpoint; the records behind it follow. An entry is its length, its index, a CRC-32C of both and of its bytes, and its bytes.
 */
public final class GoodLog implements YourLog {
    private static final int HEADER_BYTES = Integer.BYTES + Long.BYTES + Integer.BYTES;
    private static final int MOST_BYTES = 1 << 16;

    private final Storage disk;
    private final List<byte[]> records = new ArrayList<>(); // behind the checkpoint
    private FileHandle file; // of the last checkpoint
    private long checkpoint;
    private byte[] state = {};
    private long end; // in bytes, of what was written
    private long written; // the last index
    private long forced; // the last index that is stable
    private boolean forcing;
    private IOException failure; // the first one: nothing is acknowledged any more

    /** Reads and writes nothing yet. */
    public GoodLog(Storage disk) {
        this.disk = disk;
    }

    @Override
    public synchronized Recovered recover() throws IOException {
        checkpoint = -1;
        for (String name : disk.list()) {
            if (name.endsWith(".log")) {
                checkpoint = Math.max(checkpoint, Long.parseLong(name.replace(".log", "")));
            } else {
                disk.delete(name); // a checkpoint that was not finished
            }
        }
        if (checkpoint < 0) {
            checkpoint = 0;
            begin(0, state);
        } else {
            file = disk.open(checkpoint + ".log", Access.WRITE);
            scan();
        }
        deleteOthers();
        written = checkpoint + records.size();
        forced = written;
        return new Recovered(checkpoint, state, written);
    }

    /** Reads all entries up to the first that is not whole: it was never acknowledged, nor was anything behind it. */
    private void scan() throws IOException {
        byte[] entry = entryAt(0, checkpoint);
        if (entry == null) {
            throw new IOException("damaged: " + checkpoint + ".log has no state");
        }
        state = entry;
        end = HEADER_BYTES + entry.length;
        while ((entry = entryAt(end, checkpoint + records.size() + 1)) != null) {
            records.add(entry);
            end += HEADER_BYTES + entry.length;
        }
        rewrite();
    }

    /**
     * Writes what was found into a new file in place of this one. So nothing torn is left behind the end, and what a force that failed left
     * only in memory is written, not only forced, before it is shown.
     */
    private void rewrite() throws IOException {
        FileHandle before = file;
        List<byte[]> found = new ArrayList<>(records);
        FileHandle made = disk.create("rewritten");
        write(made, 0, entry(checkpoint, state));
        long at = HEADER_BYTES + state.length;
        for (int i = 0; i < found.size(); i++) {
            write(made, at, entry(checkpoint + 1 + i, found.get(i)));
            at += HEADER_BYTES + found.get(i).length;
        }
        made.force(false);
        disk.rename("rewritten", checkpoint + ".log");
        disk.forceDirectory();
        before.close();
        file = made;
    }

    /** A new file that is stable under its name before anything relies on it. */
    private void begin(long index, byte[] saved) throws IOException {
        FileHandle made = disk.create(index + ".new");
        write(made, 0, entry(index, saved));
        made.force(false);
        disk.rename(index + ".new", index + ".log");
        disk.forceDirectory();
        file = made;
        end = HEADER_BYTES + saved.length;
    }

    private void deleteOthers() throws IOException {
        for (String name : disk.list()) {
            if (!name.equals(checkpoint + ".log")) {
                disk.delete(name);
            }
        }
    }

    @Override
    public long append(byte[] record) throws IOException {
        long index;
        synchronized (this) {
            checkUsable();
            index = written + 1;
            try {
                write(file, end, entry(index, record));
            } catch (IOException e) {
                throw failed(e);
            }
            records.add(record);
            end += HEADER_BYTES + record.length;
            written = index;
        }
        awaitForced(index);
        return index;
    }

    /** One caller forces for all that have written; those that come meanwhile wait for the next force. */
    private void awaitForced(long index) throws IOException {
        while (true) {
            long upTo;
            synchronized (this) {
                while (forcing && forced < index) {
                    waitForForce();
                }
                if (forced >= index) {
                    return;
                }
                checkUsable();
                forcing = true;
                upTo = written;
            }
            IOException thrown = null;
            try {
                file.force(false);
            } catch (IOException e) {
                thrown = e;
            }
            synchronized (this) {
                forcing = false;
                notifyAll();
                if (thrown != null) {
                    throw failed(thrown);
                }
                forced = upTo;
            }
        }
    }

    private void waitForForce() throws IOException {
        try {
            wait();
        } catch (InterruptedException e) {
            throw failed(new IOException("interrupted", e));
        }
    }

    private void checkUsable() throws IOException {
        if (failure != null) {
            throw new IOException("the log has failed: " + failure.getMessage(), failure);
        }
    }

    private IOException failed(IOException e) {
        failure = failure == null ? e : failure;
        return e;
    }

    @Override
    public synchronized byte[] read(long index) throws IOException {
        if (index <= checkpoint || index > written) {
            throw new IOException("there is no record " + index);
        }
        return records.get((int) (index - checkpoint - 1));
    }

    @Override
    public synchronized void checkpoint(long index, byte[] saved) throws IOException {
        checkUsable();
        try {
            FileHandle before = file;
            begin(index, saved);
            before.close();
            checkpoint = index;
            state = saved;
            records.clear();
            deleteOthers();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static ByteBuffer entry(long index, byte[] bytes) {
        ByteBuffer entry = ByteBuffer.allocate(HEADER_BYTES + bytes.length);
        entry.putInt(bytes.length).putLong(index).putInt(check(index, bytes)).put(bytes);
        return entry.flip();
    }

    private static int check(long index, byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(12).putInt(bytes.length).putLong(index).flip());
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** The bytes of an entry, or null if it is not whole. */
    private byte[] entryAt(long at, long index) throws IOException {
        ByteBuffer header = read(at, HEADER_BYTES);
        if (header.remaining() < HEADER_BYTES) {
            return null;
        }
        int length = header.getInt();
        if (header.getLong() != index || length < 0 || length > MOST_BYTES) {
            return null;
        }
        int check = header.getInt();
        ByteBuffer bytes = read(at + HEADER_BYTES, length);
        byte[] found = new byte[bytes.remaining()];
        bytes.get(found);
        return found.length == length && check(index, found) == check ? found : null;
    }

    private ByteBuffer read(long at, int bytes) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(bytes);
        int count = 0;
        while (count >= 0 && target.hasRemaining()) {
            count = file.read(target, at + target.position());
        }
        return target.flip();
    }

    /** A write may write less than it was given. */
    private static void write(FileHandle to, long at, ByteBuffer bytes) throws IOException {
        ByteBuffer[] source = {bytes};
        while (bytes.hasRemaining()) {
            at += to.write(source, 0, 1, at);
        }
    }
}
