package io.plog.measure.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleFileWriterTest {
    @Test
    void aFullDiskIsNamedWithTheFileThatHadNoRoomAndLeavesNoFileWithoutADescription(@TempDir Path directory)
            throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full));
        Path file = Files.createFile(directory.resolve("trial-2.plog"));
        FileChannel channel = FileChannel.open(full, StandardOpenOption.WRITE);
        assertThatThrownBy(() -> SampleFileWriter.begin(file, channel, EventsFileTest.INFO))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + ": No space left on device");
        assertThat(file).doesNotExist();
    }
}
