package io.plog.log;

import io.plog.log.LogTools.SalvageSink;
import io.plog.log.LogTools.SalvageSummary;
import io.plog.log.file.FileWindow;
import io.plog.log.file.ReadAround;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.Rewind;
import io.plog.log.file.SegmentHeader;
import io.plog.log.segment.Rewinds;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/** Finds every intact record of a log, as {@link LogTools#salvage} says. */
final class LogSalvage {
    private final SalvageSink sink;
    private final FileWindow window = new FileWindow();
    private final RecordHeader record = new RecordHeader();
    private long records;
    private long firstIndex;
    private long lastIndex;
    private long lastOfDirectory;
    private long mostRecords;
    private long acknowledged;
    private int unreadableSegments;
    private final List<String> lost = new ArrayList<>();

    private LogSalvage(SalvageSink sink) {
        this.sink = sink;
    }

    static SalvageSummary search(List<? extends Storage> storages, SalvageSink sink) throws IOException {
        LogSalvage salvage = new LogSalvage(sink);
        for (Storage storage : storages) {
            salvage.mostRecords += mostRecordsOf(storage);
        }
        for (Storage storage : storages) {
            salvage.search(storage, storages.size() == 1 ? "" : storage.describe() + "/");
        }
        return salvage.summary();
    }

    /** How many records a directory can hold, in segments that are missing, too. */
    private static long mostRecordsOf(Storage storage) throws IOException {
        NavigableSet<Long> numbers = SegmentHeader.numbersIn(storage);
        long largest = 0;
        for (long number : numbers) {
            largest = Math.max(largest, storage.sizeOf(SegmentHeader.fileName(number)));
        }
        return numbers.isEmpty() ? 0 : (numbers.last() - numbers.first() + 1) * (largest / RecordHeader.BYTES);
    }

    private void search(Storage storage, String prefix) throws IOException {
        lastOfDirectory = 0;
        NavigableSet<Long> numbers = SegmentHeader.numbersIn(storage);
        Rewinds rewinds = Rewinds.find(storage, numbers);
        for (long number : numbers) {
            if (!rewinds.gone().contains(number)) {
                searchSegment(storage, prefix, SegmentHeader.fileName(number), rewinds.endOf(number));
            }
        }
    }

    private SalvageSummary summary() {
        long missing = records == 0 ? 0 : lastIndex - firstIndex + 1 - records;
        return new SalvageSummary(records, firstIndex, lastIndex, missing, acknowledged, unreadableSegments, lost);
    }

    private void searchSegment(Storage storage, String prefix, String name, @Nullable Rewind cut) throws IOException {
        try (Storage.FileHandle file = ReadAround.open(storage, name)) {
            SegmentHeader header = SegmentHeader.read(file, name, new StringBuilder());
            if (header == null) {
                unreadableSegments++;
                return;
            }
            window.reset();
            long end = Math.min(file.size(), cut == null ? header.segmentBytes() : cut.end());
            long at = SegmentHeader.BLOCK_BYTES;
            while (at + RecordHeader.BYTES <= end) {
                at += isIntact(file, at, end, header.epoch()) ? take(prefix + name, at) : RecordHeader.ALIGNMENT;
            }
            String unread = ReadAround.lostIn(file, 0, end);
            if (!unread.isEmpty()) {
                lost.add(prefix + name + ": " + unread);
            }
        }
    }

    private boolean isIntact(Storage.FileHandle file, long at, long end, long epoch) throws IOException {
        if (window.require(file, at, RecordHeader.BYTES) < RecordHeader.BYTES
                || window.buffer().getLong(window.at(at)) == 0
                || !record.decode(window.buffer(), window.at(at), epoch)
                || !record.isAligned()
                || at + record.totalBytes() > end
                || (records > 0 && record.index - firstIndex > mostRecords)) {
            return false;
        }
        acknowledged = Math.max(acknowledged, record.watermark); // its header is intact, whatever its payload is
        int bytes = RecordHeader.BYTES + record.length;
        return window.require(file, at, bytes) == bytes
                && window.crcOf(at + RecordHeader.BYTES, record.length) == record.payloadCrc;
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
