package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.bookkeeper.local.LocalZooKeeper;
import io.plog.log.testing.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** BookKeeper's client has threads of its own before it is there. */
@Timeout(60)
class InterruptedConnectTest {
    private static final int GET_DATA = 4;

    @TempDir
    Path directory;

    @Test
    void whoIsInterruptedWhileHeConnectsLeavesNoThreadsBehind() throws Exception {
        try (LocalZooKeeper zooKeeper = LocalZooKeeper.start(directory, 0);
                LosingProxy proxy = new LosingProxy(zooKeeper.port())) {
            BookKeeperAddress address =
                    BookKeeperAddress.parse(URI.create("bookkeeper://127.0.0.1:" + proxy.port() + "/r"));
            ThreadGroup group = new ThreadGroup("caller and all threads that it makes");
            CompletableFuture<Throwable> outcome = new CompletableFuture<>();
            Thread caller = new Thread(group, () -> {
                try {
                    BookKeeperStore.connect(address).close();
                    outcome.complete(new AssertionError("connected"));
                } catch (IOException | RuntimeException e) {
                    outcome.complete(e);
                }
            });
            proxy.lose(GET_DATA, "/ledgers/LAYOUT", LosingProxy.Part.REQUEST, caller::interrupt);
            caller.start();
            assertThat(outcome.get()).isInstanceOf(IOException.class).hasMessageContaining("interrupted");
            assertThat(proxy.lost()).isEqualTo(1);
            Await.until(() -> group.activeCount() == 0);
        }
    }
}
