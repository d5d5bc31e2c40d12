package io.plog.log.spi;

import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** Opens a {@link MessageLog} in the directory of a {@code file:} address. */
public final class FileLogProvider implements DurableLogProvider {
    /** For {@link java.util.ServiceLoader}. */
    public FileLogProvider() {}

    @Override
    public String scheme() {
        return "file";
    }

    @Override
    public DurableLog open(URI address, LogOptions options) throws IOException {
        return MessageLog.open(options.withDirectories(List.of(Path.of(address))));
    }

    @Override
    public StoredLog openStored(URI address) {
        return StoredLog.in(List.of(Path.of(address)));
    }
}
