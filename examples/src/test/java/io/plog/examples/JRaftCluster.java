package io.plog.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.RaftGroupService;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.core.StateMachineAdapter;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;
import io.plog.log.LogOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Three nodes of SOFAJRaft in this process. They count: each value applied is one more than the one before, or the
 * same again. */
final class JRaftCluster implements AutoCloseable {
    final List<PeerId> peers = new ArrayList<>();
    private final Path directory;
    private final Map<PeerId, Counter> counters = new ConcurrentHashMap<>();
    private final Map<PeerId, RaftGroupService> services = new ConcurrentHashMap<>();
    private final Object changed = new Object();

    JRaftCluster(Path directory) throws IOException {
        this.directory = directory;
        List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sockets.add(new ServerSocket(0));
        }
        for (ServerSocket socket : sockets) {
            peers.add(new PeerId("127.0.0.1", socket.getLocalPort()));
            socket.close();
        }
    }

    static LogOptions options(Path log) {
        return LogOptions.small(log);
    }

    Path log(PeerId peer) {
        return directory.resolve(peer.getPort() + "/log");
    }

    void start(PeerId peer) throws IOException {
        Files.createDirectories(directory.resolve("" + peer.getPort()));
        Counter counter = new Counter();
        NodeOptions options = new NodeOptions();
        options.setElectionTimeoutMs(1000);
        options.setSnapshotIntervalSecs(0); // only when asked
        options.setInitialConf(new Configuration(peers));
        options.setFsm(counter);
        options.setLogUri(log(peer).toString());
        options.setRaftMetaUri(options.getLogUri());
        options.setSnapshotUri(directory.resolve(peer.getPort() + "/snapshot").toString());
        counters.put(peer, counter);
        RaftGroupService service = new RaftGroupService("counter", peer, options);
        service.start();
        services.put(peer, service);
    }

    void startAll() throws IOException {
        for (PeerId peer : peers) {
            start(peer);
        }
    }

    void stop(PeerId peer) throws InterruptedException {
        RaftGroupService service = services.remove(peer);
        service.shutdown();
        service.join();
    }

    void delete(PeerId peer) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("" + peer.getPort()))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Waits for one that has applied what was before its term. */
    PeerId leader() throws InterruptedException {
        await(() -> services.keySet().stream().anyMatch(peer -> counters.get(peer).leads));
        return services.keySet().stream()
                .filter(peer -> counters.get(peer).leads)
                .findFirst()
                .orElseThrow();
    }

    /** Applies these values in order, each after the one before was acknowledged; again, if the leader changed meanwhile. */
    void apply(long from, long to) throws Exception {
        for (long value = from; value <= to; value++) {
            CompletableFuture<Status> outcome;
            do {
                outcome = new CompletableFuture<>();
                ByteBuffer data = ByteBuffer.allocate(Long.BYTES).putLong(0, value);
                services.get(leader()).getRaftNode().apply(new Task(data, outcome::complete));
            } while (!outcome.get().isOk());
        }
    }

    void snapshotAll() throws Exception {
        for (PeerId peer : services.keySet()) {
            snapshot(peer);
        }
    }

    private void snapshot(PeerId peer) throws Exception {
        CompletableFuture<Status> outcome = new CompletableFuture<>();
        services.get(peer).getRaftNode().snapshot(outcome::complete);
        assertThat(outcome.get().isOk()).as("%s", outcome.get()).isTrue();
    }

    void awaitApplied(PeerId peer, long value) throws InterruptedException {
        await(() -> counters.get(peer).value >= value || counters.get(peer).wrong != null);
        assertThat(counters.get(peer).wrong).isNull();
        assertThat(counters.get(peer).value).isEqualTo(value);
    }

    int snapshotsLoaded(PeerId peer) {
        return counters.get(peer).loaded;
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        synchronized (changed) {
            while (!condition.getAsBoolean()) {
                changed.wait();
            }
        }
    }

    @Override
    public void close() {
        services.values().forEach(RaftGroupService::shutdown);
    }

    private final class Counter extends StateMachineAdapter {
        private volatile long value;
        private volatile boolean leads;
        private volatile int loaded;
        private volatile String wrong;

        private void tell() {
            synchronized (changed) {
                changed.notifyAll();
            }
        }

        @Override
        public void onApply(Iterator iterator) {
            for (; iterator.hasNext(); iterator.next()) {
                long next = iterator.getData().getLong(0);
                if (next != value + 1 && next != value) {
                    wrong = next + " was applied behind " + value;
                }
                value = next;
                Closure done = iterator.done();
                if (done != null) {
                    done.run(Status.OK());
                }
            }
            tell();
        }

        @Override
        public void onLeaderStart(long term) {
            leads = true;
            tell();
        }

        @Override
        public void onLeaderStop(Status status) {
            leads = false;
        }

        @Override
        public void onSnapshotSave(SnapshotWriter writer, Closure done) {
            try {
                Files.writeString(Path.of(writer.getPath(), "value"), "" + value);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            done.run(writer.addFile("value") ? Status.OK() : new Status(1, "not added"));
        }

        @Override
        public boolean onSnapshotLoad(SnapshotReader reader) {
            try {
                value = Long.parseLong(Files.readString(Path.of(reader.getPath(), "value")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            loaded++;
            tell();
            return true;
        }
    }
}
