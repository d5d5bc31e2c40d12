package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.file.DiskStorage;
import io.plog.log.storage.Force;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** A log whose lane is in the middle of writing or forcing record 1 until it may go on: what is appended meanwhile is one batch. */
final class HeldLog implements AutoCloseable {
    final HookedStorage storage;
    final MessageLog log;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CompletableFuture<Long> first;

    HeldLog(Path directory, Force force) throws Exception {
        this(directory, Logs.options(directory).withForce(force));
    }

    HeldLog(Path directory, LogOptions options) throws Exception {
        this(directory, options, "write");
    }

    HeldLog(Path directory, LogOptions options, String at) throws Exception {
        storage = new HookedStorage(new DiskStorage(directory));
        log = MessageLog.open(options.withGroupsInFlight(1), storage);
        storage.hook((operation, file) -> {
            if (operation.equals(at) && reached.getCount() > 0) {
                reached.countDown();
                Logs.await(goOn);
            }
        });
        first = log.append(Logs.text("record 1"));
        reached.await();
    }

    void goOn() throws Exception {
        goOn.countDown();
        assertThat(first.get()).isEqualTo(1);
    }

    @Override
    public void close() throws IOException {
        goOn.countDown();
        log.close();
    }
}
