package io.plog.examples;

import com.alipay.sofa.jraft.core.DefaultJRaftServiceFactory;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import com.alipay.sofa.jraft.util.SPI;
import io.plog.log.LogOptions;
import io.plog.log.LogRuntime;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Lets SOFAJRaft keep its log, term and vote in plog. Give a node the same directory as {@code logUri} and {@code raftMetaUri}. It is used
 * by {@code NodeOptions.setServiceFactory}, or by each node of a process if
 * {@code META-INF/services/com.alipay.sofa.jraft.JRaftServiceFactory} names it. Snapshots stay JRaft's.
 */
@SPI(name = "plog", priority = 1)
public final class JRaftServices extends DefaultJRaftServiceFactory {
    private static final int THREADS = 8;

    private final Function<Path, LogOptions> options;

    /** From the making of a node's log storage to that of its meta storage, which follows. */
    private final Map<String, JRaftLogStorage> storages = new ConcurrentHashMap<>();

    /** For JRaft: many small groups that share threads. */
    public JRaftServices() {
        LogRuntime runtime = LogRuntime.ofThreads(THREADS); // lives as long as the process
        options = directory -> LogOptions.small(directory).withRuntime(runtime);
    }

    /** @param options for the log in a directory; {@code maxRecordBytes} bounds a task of JRaft */
    public JRaftServices(Function<Path, LogOptions> options) {
        this.options = options;
    }

    @Override
    public LogStorage createLogStorage(String uri, RaftOptions raftOptions) {
        JRaftLogStorage storage = new JRaftLogStorage(options.apply(Path.of(uri)));
        storages.put(uri, storage);
        return storage;
    }

    @Override
    public RaftMetaStorage createRaftMetaStorage(String uri, RaftOptions raftOptions) {
        JRaftLogStorage storage = storages.remove(uri);
        if (storage == null) {
            throw new IllegalArgumentException("raftMetaUri is " + uri
                    + ": expected the logUri of the node, since its term and vote are kept beside its log");
        }
        return new JRaftMetaStorage(storage);
    }
}
