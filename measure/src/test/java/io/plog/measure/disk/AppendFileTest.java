package io.plog.measure.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.storage.Force;
import io.plog.measure.plan.FileKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each way of forcing asks of the operating system for two appends of 512 bytes and one of 5,000. */
final class AppendFileTest {
    private final ManualClock clock = new ManualClock(0);
    private final RecordedFile file = new RecordedFile(clock);
    private final ByteBuffer source = ByteBuffer.allocateDirect(1 << 20);

    private List<String> calls(Force force, FileKind kind) throws IOException {
        AppendFile appends = new AppendFile(file, force, kind, 1 << 20);
        for (int bytes : new int[] {512, 512, 5000}) {
            appends.append(bytes, source, AppendFile.Timing.UNUSED, clock);
        }
        return file.calls;
    }

    @Test
    void writeOnlyWrites() throws IOException {
        assertThat(calls(Force.WRITE, FileKind.INITIALISED))
                .containsExactly("write 512 at 0", "write 512 at 512", "write 5000 at 1024");
    }

    @Test
    void dsyncOnlyWritesSinceTheFileIsOpenedToForce() throws IOException {
        assertThat(calls(Force.DSYNC, FileKind.GROWING))
                .containsExactly("write 512 at 0", "write 512 at 512", "write 5000 at 1024");
    }

    @Test
    void fsyncForcesDataAndMetadataAfterEachGroup() throws IOException {
        assertThat(calls(Force.FSYNC, FileKind.GROWING))
                .containsExactly("write 512 at 0", "fsync", "write 512 at 512", "fsync", "write 5000 at 1024", "fsync");
    }

    @Test
    void fdatasyncWritesTheBlockItBeganInAgainAsTheLogDoes() throws IOException {
        assertThat(calls(Force.FDATASYNC, FileKind.INITIALISED))
                .containsExactly(
                        "write 4096 at 0", "fdatasync", "write 4096 at 0", "fdatasync", "write 8192 at 0", "fdatasync");
    }

    @Test
    void eachAppendMakesAGrowingFileLonger() throws IOException {
        assertThat(calls(Force.FDATASYNC, FileKind.GROWING))
                .containsExactly(
                        "write 4096 at 0",
                        "fdatasync",
                        "write 4096 at 4096",
                        "fdatasync",
                        "write 8192 at 8192",
                        "fdatasync");
    }

    @Test
    void directPadsEachGroupToWholeBlocks() throws IOException {
        assertThat(calls(Force.DIRECT, FileKind.INITIALISED))
                .containsExactly("write 4096 at 0", "write 4096 at 4096", "write 8192 at 8192");
    }

    @Test
    void writeAndForceAreTimedApart() throws IOException {
        List<Long> times = new ArrayList<>();
        new AppendFile(file, Force.FSYNC, FileKind.INITIALISED, 1 << 20)
                .append(100, source, (began, write, force) -> times.addAll(List.of(began, write, force)), clock);
        assertThat(times).containsExactly(0L, 10L, 300L);
    }

    @Test
    void aWriteThatWasCutShortIsGoneOnWithAndTimedAsOne() throws IOException {
        file.mostBytesAtOnce = 60;
        List<Long> times = new ArrayList<>();
        new AppendFile(file, Force.WRITE, FileKind.INITIALISED, 1 << 20)
                .append(100, source, (began, write, force) -> times.add(write), clock);
        assertThat(file.calls).containsExactly("write 60 at 0", "write 40 at 60");
        assertThat(times).containsExactly(20L);
    }

    @Test
    void aDiskThatWritesNothingIsAFailureAndNotAnEndlessLoop() {
        file.mostBytesAtOnce = 0;
        AppendFile appends = new AppendFile(file, Force.WRITE, FileKind.INITIALISED, 1 << 20);
        assertThatThrownBy(() -> appends.append(100, source, AppendFile.Timing.UNUSED, clock))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("wrote nothing");
    }

    @Test
    void onlyWhatWasWrittenWithoutAForceIsSettledAfterwards() throws IOException {
        new AppendFile(file, Force.DSYNC, FileKind.GROWING, 1 << 20).settle();
        assertThat(file.calls).isEmpty();
        new AppendFile(file, Force.WRITE, FileKind.GROWING, 1 << 20).settle();
        assertThat(file.calls).containsExactly("fdatasync");
    }

    @Test
    void noGroupIsWrittenBeyondTheLimit() throws IOException {
        AppendFile appends = new AppendFile(file, Force.FDATASYNC, FileKind.GROWING, 3 * 4096);
        assertThat(appends.hasRoom(4096)).isTrue();
        appends.append(4096, source, AppendFile.Timing.UNUSED, clock);
        assertThat(appends.hasRoom(4096)).isTrue();
        appends.append(4096, source, AppendFile.Timing.UNUSED, clock);
        assertThat(appends.hasRoom(1)).isFalse();
        appends.rewind();
        assertThat(appends.hasRoom(4096)).isTrue();
    }
}
