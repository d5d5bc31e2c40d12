package io.plog.log.spi;

import io.plog.log.Checkpoint;
import io.plog.log.LogReader;
import io.plog.log.LogTools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The log in directories; each call opens them anew. */
final class StoredDirectories implements StoredLog {
    private final List<Path> directories;

    StoredDirectories(List<Path> directories) {
        this.directories = List.copyOf(directories);
    }

    @Override
    public LogReader read(long fromIndex) throws IOException {
        return LogReader.open(directories, fromIndex);
    }

    @Override
    public Optional<Checkpoint> checkpoint() throws IOException {
        return Checkpoint.read(directories.get(0));
    }

    @Override
    public LogTools.Inspection inspect() throws IOException {
        return LogTools.inspect(directories);
    }

    @Override
    public void close() {}
}
