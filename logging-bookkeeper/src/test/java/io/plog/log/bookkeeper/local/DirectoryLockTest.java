package io.plog.log.bookkeeper.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLockTest {
    @TempDir
    Path directory;

    @Test
    void aDirectoryHasOneUserAtATime() throws Exception {
        DirectoryLock first = DirectoryLock.take(directory);
        assertThatThrownBy(() -> DirectoryLock.take(directory, 0))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(directory + " is in use by another process: end it");
        first.close();
        DirectoryLock.take(directory, 0).close();
    }
}
