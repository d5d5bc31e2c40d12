package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.DiskStorage;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogLockedException;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The last batch of a segment takes the seal with it, if the next segment is ready. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SealedBatchTest {
    private static final int RECORD_BYTES = 5000;
    private static final int FITTING = 6; // into a segment
    private static final String FIRST = SegmentHeader.fileName(1);
    private static final String SECOND = SegmentHeader.fileName(2);

    @TempDir
    private Path directory;

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile boolean failing;

    /** Holds the first batch in its force until others wait. */
    private MessageLog open(HookedStorage storage) throws Exception {
        // With two in reserve, the first of them is open when the log is.
        MessageLog log = MessageLog.open(
                Logs.options(directory)
                        .withForce(Force.FDATASYNC)
                        .withGroupsInFlight(1)
                        .withReserveSegments(2),
                storage);
        storage.clearEvents();
        storage.hook((operation, file) -> {
            if (operation.equals("fdatasync") && held.getCount() > 0) {
                held.countDown();
                Logs.await(goOn);
            } else if (failing && operation.equals("write") && file.equals(SECOND)) {
                throw new IOException("Input/output error");
            }
        });
        return log;
    }

    private static ByteBuffer record(int number) {
        return Logs.bytes(RECORD_BYTES, number);
    }

    /** Appends as many records, of which all but the first wait until that is forced; returns the outcomes. */
    private List<CompletableFuture<Long>> append(MessageLog log, int records) throws Exception {
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        appends.add(log.append(record(0)));
        held.await();
        for (int i = 1; i < records; i++) {
            appends.add(log.append(record(i)));
        }
        goOn.countDown();
        return appends;
    }

    @Test
    void theChangeOfSegmentNeedsNoForceOfItsOwn() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        int records = FITTING + 2;
        try (MessageLog log = open(storage)) {
            for (CompletableFuture<Long> append : append(log, records)) {
                append.get();
            }
            assertThat(storage.events().stream()
                            .filter(event -> event.startsWith("write 0") || event.startsWith("fdatasync 0"))
                            .filter(event -> event.endsWith(FIRST) || event.endsWith(SECOND)))
                    .containsExactly(
                            "write " + FIRST,
                            "fdatasync " + FIRST,
                            "write " + FIRST,
                            "fdatasync " + FIRST,
                            "write " + SECOND,
                            "fdatasync " + SECOND);
        }
        assertThat(LogTools.inspect(directory).segments().get(0).state()).isEqualTo("sealed");
        assertThat(LogTools.inspect(directory).records()).isEqualTo(records);
    }

    /** Its seal was written before the batch was durable, so it does not say that it is; the next segment does. */
    @Test
    void theBatchIsInDoubtUntilTheNextSegmentHoldsARecord() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = open(storage);
        failing = true;
        List<CompletableFuture<Long>> appends = append(log, FITTING + 1);
        for (int i = 0; i < FITTING; i++) {
            assertThat(appends.get(i).get()).isEqualTo(i + 1);
        }
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);

        LogTools.Inspection found = LogTools.inspect(directory);
        assertThat(found.records()).isEqualTo(FITTING);
        long first = SegmentHeader.BLOCK_BYTES + RecordHeader.encodedBytes(RECORD_BYTES);
        long block = first / SegmentHeader.BLOCK_BYTES * SegmentHeader.BLOCK_BYTES;
        assertThat(found.windows()).containsExactly(new LogTools.Window("", FIRST, block, 2, FITTING));
    }

    /** The writer before looks at the claim on the segment that it sealed, for as long as it does not change it. */
    @Test
    void whoTakesTheLogOverBeforeTheChangeOfSegmentIsNoticedByTheFirst() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        HookedStorage storage = new HookedStorage(disk);
        MessageLog first = open(storage);
        List<MessageLog> second = new ArrayList<>();
        storage.hook((operation, file) -> {
            if (!operation.equals("fdatasync") || !file.equals(FIRST)) {
                return;
            }
            if (held.getCount() > 0) {
                held.countDown();
                Logs.await(goOn);
            } else {
                disk.dropLock();
                second.add(MessageLog.open(Logs.options(directory), disk));
                first.housekeeper().look();
                assertThat(first.failure()).isNotNull().hasRootCauseInstanceOf(LogLockedException.class);
            }
        });
        for (CompletableFuture<Long> append : append(first, FITTING + 1).subList(1, FITTING + 1)) {
            assertThatThrownBy(append::get).hasCauseInstanceOf(LogFailedException.class);
        }
        assertThat(second).hasSize(1);
        assertThat(second.get(0).recovery().lastIndex()).isEqualTo(FITTING);
        assertThatThrownBy(first::close).hasRootCauseInstanceOf(LogLockedException.class);
        second.get(0).close();
    }
}
