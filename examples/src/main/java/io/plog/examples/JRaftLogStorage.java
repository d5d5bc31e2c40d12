package io.plog.examples;

import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.conf.ConfigurationEntry;
import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.codec.LogEntryCodecFactory;
import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a SOFAJRaft node: its entry n is record n. An entry is forced before it counts, whatever {@code RaftOptions.isSync}
 * says. JRaft changes the log on one thread and reads it on many.
 *
 * <p>After {@link #reset} the storage is empty, as the Javadoc of {@link LogStorage} has it. (JRaft's own keeps the entry at that index,
 * or makes one up.)
 */
public final class JRaftLogStorage implements LogStorage {
    private static final Logger LOG = LoggerFactory.getLogger(JRaftLogStorage.class);

    private final LogOptions options;
    private volatile @Nullable MessageLog log;
    private LogEntryCodecFactory codec = LogEntryV2CodecFactory.getInstance();

    /** The log drops whole segments, and may hold entries before it. They count again after a restart, until JRaft drops them again. */
    private volatile long first;

    /** @param options of the log, with its directory */
    public JRaftLogStorage(LogOptions options) {
        this.options = options;
    }

    MessageLog log() {
        return Objects.requireNonNull(log, "the storage is not initialised, or was shut down");
    }

    @Override
    public boolean init(LogStorageOptions given) {
        codec = given.getLogEntryCodecFactory();
        boolean done = attempt("open", false, () -> {
            log = MessageLog.open(options);
            first = log().firstIndex();
            try (LogReader reader = log().read(first)) {
                while (reader.next()) {
                    addConfiguration(codec.decoder().decode(reader.bytes()), given.getConfigurationManager());
                }
            }
            return true;
        });
        if (!done) {
            shutdown();
        }
        return done;
    }

    private static void addConfiguration(LogEntry entry, ConfigurationManager manager) {
        if (entry.getType() == EntryType.ENTRY_TYPE_CONFIGURATION) {
            Configuration old = new Configuration();
            if (entry.getOldPeers() != null) {
                old = new Configuration(entry.getOldPeers(), entry.getOldLearners());
            }
            Configuration now = new Configuration(entry.getPeers(), entry.getLearners());
            manager.add(new ConfigurationEntry(entry.getId(), now, old));
        }
    }

    @Override
    public void shutdown() {
        if (log != null) {
            attempt("close", false, () -> {
                log().close();
                log = null;
                return true;
            });
        }
    }

    @Override
    public long getFirstLogIndex() {
        return first;
    }

    /** One less than the first if there is none. */
    @Override
    public long getLastLogIndex() {
        return log().durableIndex();
    }

    @Override
    public @Nullable LogEntry getEntry(long index) {
        if (index < first) {
            return null;
        }
        return attempt(
                "read",
                null,
                () -> log().get(index).map(codec.decoder()::decode).orElse(null));
    }

    @Override
    @Deprecated
    public long getTerm(long index) {
        LogEntry entry = getEntry(index);
        return entry == null ? 0 : entry.getId().getTerm();
    }

    @Override
    public boolean appendEntry(LogEntry entry) {
        return appendEntries(List.of(entry)) == 1;
    }

    /** A short count stops the node. What is behind it was not appended, or the log has failed, and its next opening tells. */
    @Override
    public int appendEntries(List<LogEntry> entries) {
        int appended = 0;
        while (appended < entries.size()) {
            long index = entries.get(appended).getId().getIndex();
            List<ByteBuffer> list = nextList(entries.subList(appended, entries.size()));
            if (getLastLogIndex() < first && index != first) {
                reset(index); // an empty storage begins with the first entry that it is given
            }
            if (!attempt("append to", false, () -> log().appendAndWait(index, list) >= index)) {
                break;
            }
            appended += list.size();
        }
        return appended;
    }

    /** As many as the log takes at once, and at least one. */
    private List<ByteBuffer> nextList(List<LogEntry> entries) {
        List<ByteBuffer> list = new ArrayList<>();
        long room = options.maxBatchBytes();
        for (LogEntry entry : entries) {
            ByteBuffer record = ByteBuffer.wrap(codec.encoder().encode(entry));
            room -= record.remaining();
            if (!list.isEmpty() && (room < 0 || list.size() == LogOptions.MOST_LISTED_RECORDS)) {
                break;
            }
            list.add(record);
        }
        return list;
    }

    @Override
    public boolean truncatePrefix(long kept) {
        if (kept > getLastLogIndex() + 1) {
            return reset(kept); // a snapshot from the leader is ahead of the log
        }
        return attempt("drop the beginning of", false, () -> {
            log().truncateBefore(kept);
            first = kept;
            return true;
        });
    }

    @Override
    public boolean truncateSuffix(long kept) {
        if (kept < first - 1) {
            return reset(kept + 1);
        }
        return attempt("cut", false, () -> {
            log().truncateAfter(Math.min(kept, getLastLogIndex()));
            return true;
        });
    }

    @Override
    public boolean reset(long next) {
        return attempt("reset", false, () -> {
            log().reset(next);
            first = next;
            return true;
        });
    }

    /** JRaft's interface has no exceptions: it stops a node whose storage fails. */
    private <T extends @Nullable Object> T attempt(String what, T failed, Callable<T> work) {
        try {
            return work.call();
        } catch (Exception e) {
            LOG.error("Cannot {} the log in {}", what, options.directories(), e);
            return failed;
        }
    }
}
