package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.plog.log.file.DiskStorage;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One {@link Append} after another with the same object, and what an append leaves to the collector. */
class AppendReuseTest {
    private static final int APPENDS = 20_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    Path directory;

    /** A service that keeps one append outstanding, from the callback of the one before. */
    private static final class Chain extends Append {
        final List<Long> indexes = new ArrayList<>();
        final CountDownLatch ended = new CountDownLatch(1);
        private final MessageLog log;
        private final int appends;

        Chain(MessageLog log, int appends) {
            this.log = log;
            this.appends = appends;
        }

        @Override
        protected void onDurable() {
            indexes.add(index());
            if (indexes.size() < appends) {
                log.append(this, Logs.text("record " + (indexes.size() + 1)));
            } else {
                ended.countDown();
            }
        }

        @Override
        protected void onFailed(LogException cause) {
            ended.countDown();
        }
    }

    private static final class Counted extends Append {
        final Semaphore reported = new Semaphore(0);

        @Override
        protected void onDurable() {
            reported.release();
        }

        @Override
        protected void onFailed(LogException cause) {
            reported.release();
        }
    }

    @Test
    void anAppendMayBeUsedAgainInItsOwnCallback() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Chain chain = new Chain(log, 3);
            log.append(chain, Logs.text("record 1"));
            chain.ended.await();
            assertThat(chain.indexes).containsExactly(1L, 2L, 3L);
            log.appendAndWait(new Chain(log, 1), Logs.text("record 4"));
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 4));
    }

    @Test
    void anAppendThatIsUnderWayIsNotUsedForAnother() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        Counted append = new Counted();
        ByteBuffer mine = Logs.text("another");
        try (MessageLog log = MessageLog.open(Logs.options(directory), storage)) {
            storage.hook((operation, file) -> {
                if (operation.equals("write")) {
                    Logs.await(goOn);
                }
            });
            log.append(append, Logs.text("record 1"));
            assertThatThrownBy(() -> log.append(append, mine))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("under way");
            assertThatThrownBy(() -> log.appendAndWait(append, mine)).isInstanceOf(IllegalStateException.class);
            assertThat(mine.position()).isZero();
            goOn.countDown();
            append.reported.acquire();
            log.append(append, Logs.text("record 2"));
            append.reported.acquire();
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 2));
    }

    @Test
    void anAppendThatWasRefusedMayBeUsedAgain() throws Exception {
        Counted append = new Counted();
        MessageLog log = MessageLog.open(Logs.options(directory));
        log.close();
        for (int i = 1; i <= 2; i++) {
            log.append(append, Logs.text("too late"));
            assertThat(append.reported.tryAcquire())
                    .as("refused the %d. time", i)
                    .isTrue();
        }
    }

    /** On the caller's thread; the log's own allocate for each group what the JDK's channels need. */
    @Test
    void anAppendThatIsUsedAgainAllocatesNothing() throws Exception {
        ByteBuffer payload = ByteBuffer.allocateDirect(100);
        try (MessageLog log = MessageLog.open(LogOptions.in(directory).withForce(Force.WRITE))) {
            Counted append = new Counted();
            long bytes = 0;
            for (int i = 0; i < 2 * APPENDS; i++) {
                long before = allocated();
                log.append(append, payload.clear());
                bytes += i < APPENDS ? 0 : allocated() - before;
                append.reported.acquire();
            }
            assertThat(bytes / APPENDS).isZero();
        }
    }

    private static long allocated() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
