package io.plog.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.app.CommandRun;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogCopyCommandTest {
    @TempDir
    private Path directory;

    @Test
    void aLogThatIsOpenIsCopiedAndTheCopyIsALog() throws Exception {
        Path source = Files.createDirectory(directory.resolve("log"));
        Path copy = directory.resolve("backups/today");
        try (MessageLog log =
                MessageLog.open(LogOptions.in(source).withSegmentBytes(1 << 20).withMaxRecordBytes(1 << 10))) {
            for (int i = 0; i < 10; i++) {
                log.appendAndWait(ByteBuffer.allocate(100));
            }
            log.saveCheckpoint(4, ByteBuffer.allocate(10));
            CommandRun run = CommandRun.of("log", "copy", source, copy);
            assertThat(run.out)
                    .startsWith(
                            "copied and verified: 10 records (1 to 10), the checkpoint at 4, 1048576 bytes in " + copy);
            run.exited(0);
        }
        assertThat(CommandRun.of("log", "verify", copy).out).startsWith("fine: 10 records (1 to 10)");
        JsonNode json = new ObjectMapper()
                .readTree(CommandRun.of("log", "copy", "--json", copy, directory.resolve("again")).out);
        assertThat(json.get("records").asLong()).isEqualTo(10);

        CommandRun full = CommandRun.of("log", "copy", source, copy).exited(1);
        assertThat(full.err).contains(copy.toString(), "is not empty");
    }

    @Test
    void aLogOfOneDirectoryGoesToOneWhateverItsName() throws Exception {
        Path source = Files.createDirectory(directory.resolve("log"));
        MessageLog.open(LogOptions.in(source).withSegmentBytes(1 << 20).withMaxRecordBytes(1 << 10))
                .close();
        for (String name : List.of("c++", "a+b", "+")) {
            CommandRun.of("log", "copy", source, directory.resolve(name)).exited(0);
            CommandRun.of("log", "verify", directory.resolve(name)).exited(0);
        }
        assertThat(CommandRun.of("log", "copy", source, "-dash").exited(2).err).contains("write ./-dash");
        assertThat(CommandRun.of("log", "verify", "-dash").exited(2).err).contains("write ./-dash");
    }

    @Test
    void whereThereIsNoLogNothingIsCopied() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        Path copy = directory.resolve("copy");
        CommandRun run = CommandRun.of("log", "copy", empty, copy).exited(1);
        assertThat(run.err).contains("there is no log in", empty.toString());
        assertThat(copy).isEmptyDirectory();
    }

    @Test
    void whereThereIsNoLogNothingIsVerifiedOrCalledUndamaged() throws Exception {
        Path unmounted = Files.createDirectory(directory.resolve("unmounted"));
        for (String command : List.of("verify", "repair")) {
            CommandRun run = CommandRun.of("log", command, unmounted).exited(1);
            assertThat(run.err).contains("there is no log in " + unmounted);
            assertThat(run.out).isEmpty();
        }
    }
}
