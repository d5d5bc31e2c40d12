package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plog.log.file.DiskStorage;
import io.plog.log.file.LogFiles;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reader whose records are dropped while it reads. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DroppedRecordsTest {
    private static final int RECORDS = 30;

    @TempDir
    private Path directory;

    private MessageLog open(Storage storage) throws Exception {
        return open(List.of(storage));
    }

    private MessageLog open(List<? extends Storage> storages) throws Exception {
        MessageLog log = MessageLog.open(Logs.options(directory), List.copyOf(storages));
        for (int i = 1; i <= RECORDS; i++) {
            log.appendAndWait(Logs.bytes(10_000, i));
        }
        return log;
    }

    private static void readOne(LogReader reader, long index) throws IOException {
        assertThat(reader.next()).isTrue();
        assertThat(reader.index()).isEqualTo(index);
        assertThat(reader.payload()).isEqualTo(Logs.bytes(10_000, (int) index));
    }

    /** Reads on until the records are gone, which they are at the latest where the next segment was. */
    private static LogReader.RecordsDroppedException readUntilGone(LogReader reader, long from) {
        long[] next = {from};
        LogReader.RecordsDroppedException gone = catchThrowableOfType(LogReader.RecordsDroppedException.class, () -> {
            while (true) {
                readOne(reader, next[0]);
                next[0]++;
            }
        });
        assertThat(gone.wantedIndex()).isEqualTo(next[0]);
        assertThat(gone)
                .hasMessageContaining("records " + next[0] + " to " + (gone.firstIndex() - 1) + " are no longer there")
                .hasMessageContaining("read from " + gone.firstIndex() + " on");
        return gone;
    }

    @Test
    void aReaderOfALiveLogLearnsThatItsRecordsWereDroppedAndWhereToGoOn() throws Exception {
        try (MessageLog log = open(new DiskStorage(directory));
                LogReader reader = log.read(1)) {
            readOne(reader, 1);
            long first = log.truncateBefore(21);
            LogReader.RecordsDroppedException gone = readUntilGone(reader, 2);
            assertThat(gone.firstIndex()).isEqualTo(first);
            try (LogReader again = log.read(gone.firstIndex())) {
                for (long index = first; index <= RECORDS; index++) {
                    readOne(again, index);
                }
            }
        }
    }

    @Test
    void aReaderOfADirectoryGetsTheSameWhenTheWriterDropsRecords() throws Exception {
        try (MessageLog log = open(new DiskStorage(directory));
                LogReader reader = LogReader.open(directory, 0)) {
            readOne(reader, 1);
            long first = log.truncateBefore(21);
            assertThat(readUntilGone(reader, 2).firstIndex()).isEqualTo(first);
        }
    }

    /** The files go one by one, and a reader that misses one in between is informed, too. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aReaderThatComesInTheMiddleOfADropSeesNoDamage(int directories) throws Exception {
        List<HookedStorage> storages = new ArrayList<>();
        for (int i = 0; i < directories; i++) {
            storages.add(
                    new HookedStorage(new DiskStorage(Files.createDirectory(directory.resolve(Integer.toString(i))))));
        }
        HookedStorage storage = storages.get(0);
        try (MessageLog log = open(storages)) {
            LogReader reader = log.read(1);
            readOne(reader, 1);
            int[] renamed = {0};
            LogReader.RecordsDroppedException[] gone = new LogReader.RecordsDroppedException[1];
            storage.hook((operation, file) -> {
                if (operation.equals("rename")
                        && file.endsWith(LogFiles.TEMPORARY_SUFFIX)
                        && ++renamed[0] == 4 / directories) {
                    gone[0] = readUntilGone(reader, 2);
                }
            });
            long first = log.truncateBefore(25);
            assertThat(gone[0]).isNotNull();
            assertThat(gone[0].firstIndex()).isEqualTo(first);
            storage.hook((operation, file) -> {});
            reader.close();
        }
    }
}
