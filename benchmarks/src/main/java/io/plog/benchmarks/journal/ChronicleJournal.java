package io.plog.benchmarks.journal;

import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.SyncMode;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.rollcycles.LargeRollCycles;
import net.openhft.chronicle.wire.DocumentContext;

/** Chronicle Queue, the open source version: the appends of a group, then one {@code sync}, which is an {@code msync}. */
final class ChronicleJournal extends GroupedJournal {
    private static final long MIB = 1 << 20;

    private final ChronicleQueue queue;
    private final ExcerptAppender appender;

    ChronicleJournal(Workload workload) {
        super(workload.outstanding());
        queue = SingleChronicleQueueBuilder.binary(workload.directory())
                .rollCycle(LargeRollCycles.LARGE_DAILY)
                .blockSize(Math.max(64 * MIB, Math.min(512 * MIB, Long.highestOneBit(workload.preparedBytes(64)) * 2)))
                .syncMode(SyncMode.SYNC)
                .build();
        appender = queue.createAppender();
        appender.singleThreadedCheckDisabled(true);
    }

    @Override
    public void appendAndWait(ByteBuffer payload) {
        append(payload);
        appender.sync();
    }

    @Override
    void writeAndForce(Pending[] group, int count) {
        for (int i = 0; i < count; i++) {
            append(group[i].payload());
        }
        appender.sync();
    }

    private void append(ByteBuffer payload) {
        try (DocumentContext document = appender.writingDocument()) {
            document.wire().bytes().writeSome(payload);
        }
    }

    @Override
    void closeFiles() {
        appender.close();
        queue.close();
    }
}
