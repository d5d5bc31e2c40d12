package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * Finds every intact record of a log, also those behind damage, which no reader delivers, because a log with a gap is none.
 * For people who have to save what can be saved; it changes nothing.
 *
 * <p>Each segment is searched by itself, and of a striped log one directory after the other. A record is recognised by its check, which covers its segment's epoch, and by its
 * payload's, and must come later in the order than the one before; so neither old bytes nor damaged ones are taken for
 * records. A segment whose own header is damaged cannot be searched, since its epoch is lost.
 */
public final class LogSalvage {
    /** Receives what is found, in log order; of a striped log, in that of each directory. */
    public interface Sink {
        /**
         * An intact record.
         *
         * @param file the segment's name; of a striped log, with the directory before it
         * @param payload read-only, valid during the call
         */
        void record(String file, long offset, long index, ByteBuffer payload) throws IOException;
    }

    /**
     * What was found.
     *
     * @param records how many intact records
     * @param firstIndex the index of the first of them, 0 if there is none
     * @param lastIndex the index of the last of them, 0 if there is none
     * @param missing how many records between those two are missing, if none was found twice
     * @param acknowledged every record up to this index was acknowledged, as the highest intact watermark says
     * @param unreadableSegments segments whose header is damaged
     */
    public record Summary(
            long records, long firstIndex, long lastIndex, long missing, long acknowledged, int unreadableSegments) {}

    private final Sink sink;
    private final FileWindow window = new FileWindow();
    private final RecordHeader record = new RecordHeader();
    private final CRC32C crc = new CRC32C();
    private long records;
    private long firstIndex;
    private long lastIndex;
    private long lastOfDirectory;
    private long acknowledged;
    private int unreadableSegments;

    private LogSalvage(Sink sink) {
        this.sink = sink;
    }

    /**
     * Searches a directory.
     *
     * @throws IOException if the operating system fails to read, or the sink throws it
     */
    public static Summary search(Path directory, Sink sink) throws IOException {
        return search(List.of(directory), sink);
    }

    /** The same for all directories of a striped log, in any order. */
    public static Summary search(List<Path> directories, Sink sink) throws IOException {
        List<Storage> storages = Directories.open(directories);
        Summary found = searchStorages(storages, sink);
        Directories.close(storages);
        return found;
    }

    /** The same on another storage, which stays open. */
    public static Summary search(Storage storage, Sink sink) throws IOException {
        return searchStorages(List.of(storage), sink);
    }

    /** The same on the storages of a striped log, which stay open. */
    public static Summary searchStorages(List<? extends Storage> storages, Sink sink) throws IOException {
        LogSalvage salvage = new LogSalvage(sink);
        for (Storage storage : storages) {
            salvage.search(storage, storages.size() == 1 ? "" : storage.describe() + "/");
        }
        return salvage.summary();
    }

    private void search(Storage storage, String prefix) throws IOException {
        lastOfDirectory = 0;
        TreeSet<Long> numbers = new TreeSet<>();
        for (String name : storage.list()) {
            if (SegmentHeader.numberOf(name) > 0) {
                numbers.add(SegmentHeader.numberOf(name));
            }
        }
        for (long number : numbers) {
            searchSegment(storage, prefix, SegmentHeader.fileName(number));
        }
    }

    private Summary summary() {
        long missing = records == 0 ? 0 : lastIndex - firstIndex + 1 - records;
        return new Summary(records, firstIndex, lastIndex, missing, acknowledged, unreadableSegments);
    }

    private void searchSegment(Storage storage, String prefix, String name) throws IOException {
        try (StorageFile file = storage.open(name, Storage.Access.READ)) {
            SegmentHeader header = SegmentHeader.read(file, new StringBuilder());
            if (header == null) {
                unreadableSegments++;
                return;
            }
            window.reset();
            long end = Math.min(file.size(), header.segmentBytes());
            long at = SegmentHeader.BLOCK_BYTES;
            while (at + RecordHeader.BYTES <= end) {
                at += isIntact(file, at, end, header.epoch()) ? take(prefix + name, at) : RecordHeader.ALIGNMENT;
            }
        }
    }

    private boolean isIntact(StorageFile file, long at, long end, long epoch) throws IOException {
        if (window.require(file, at, RecordHeader.BYTES) < RecordHeader.BYTES
                || window.buffer().getLong(window.at(at)) == 0
                || !record.decode(window.buffer(), window.at(at), epoch)) {
            return false;
        }
        acknowledged = Math.max(acknowledged, record.watermark); // its header is intact, whatever its payload is
        if (record.totalBytes() % RecordHeader.ALIGNMENT != 0 || at + record.totalBytes() > end) {
            return false;
        }
        int bytes = RecordHeader.BYTES + record.length;
        return window.require(file, at, bytes) == bytes && payloadCrc(at) == record.payloadCrc;
    }

    private int payloadCrc(long at) {
        crc.reset();
        crc.update(payload(at));
        return (int) crc.getValue();
    }

    private ByteBuffer payload(long at) {
        return window.slice(at + RecordHeader.BYTES, record.length);
    }

    /** Delivers the record unless it is a mark; returns how far the next one is. */
    private long take(String name, long at) throws IOException {
        if (record.isData() && record.index > lastOfDirectory) {
            records++;
            firstIndex = firstIndex == 0 ? record.index : Math.min(firstIndex, record.index);
            lastIndex = Math.max(lastIndex, record.index);
            lastOfDirectory = record.index;
            sink.record(name, at, record.index, payload(at));
        }
        return record.totalBytes();
    }
}
