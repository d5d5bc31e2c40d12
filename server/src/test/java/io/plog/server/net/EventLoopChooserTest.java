package io.plog.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorChooserFactory.EventExecutorChooser;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No connection is given to a loop that waits for a disk, and no loop begins to wait when one is about to be given to it. */
@Timeout(60)
class EventLoopChooserTest {
    private static final int TIMES = 100_000;

    private final EventLoopChooser chooser = new EventLoopChooser();
    private final EventExecutor accepting = new DefaultEventExecutor(); // never started
    private final EventExecutor one = new DefaultEventExecutor();
    private final EventExecutor two = new DefaultEventExecutor();
    private final EventExecutorChooser loops = chooser.newChooser(new EventExecutor[] {accepting, one, two});

    private Channel connect() {
        Channel connection = new EmbeddedChannel();
        chooser.accepted(connection);
        return connection;
    }

    @Test
    void connectionsGoToTheOtherLoopsInTurnAndNotToTheOneThatAccepts() {
        assertThat(loops.next()).isSameAs(one);
        assertThat(loops.next()).isSameAs(two);
        assertThat(loops.next()).isSameAs(one);
    }

    @Test
    void aLoopThatWaitsGetsNoConnectionUntilItReturns() {
        connect();
        assertThat(chooser.beginDiskWait(one)).isTrue();
        assertThat(loops.next()).isSameAs(two);
        assertThat(loops.next()).isSameAs(two);
        chooser.endDiskWait();
        assertThat(loops.next()).isSameAs(one);
    }

    @Test
    void ifTheOnlyOtherLoopWaitsTheOneThatAcceptsServes() {
        EventLoopChooser small = new EventLoopChooser();
        EventExecutorChooser ofTwo = small.newChooser(new EventExecutor[] {accepting, one});
        assertThat(small.beginDiskWait(one)).isTrue();
        assertThat(ofTwo.next()).isSameAs(accepting);
    }

    @Test
    void onlyTheLoopOfTheOnlyConnectionWaitsAndNeverTheOneThatAccepts() throws Exception {
        connect();
        Channel second = connect();
        assertThat(chooser.mayWaitForDisk()).isFalse();
        assertThat(chooser.beginDiskWait(one)).isFalse();
        assertThat(loops.next()).as("it did not begin to wait").isSameAs(one);
        second.close().sync();
        assertThat(chooser.mayWaitForDisk()).isTrue();
        assertThat(chooser.beginDiskWait(accepting)).isFalse();
        assertThat(chooser.beginDiskWait(one)).isTrue();
    }

    /** If either looked before it said what it does, both would pass now and then. */
    @Test
    void noneIsGivenToALoopThatBeganToWaitBefore() throws Exception {
        EventLoopChooser small = new EventLoopChooser();
        EventExecutorChooser ofTwo = small.newChooser(new EventExecutor[] {accepting, one});
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        small.accepted(new EmbeddedChannel());
        FutureTask<@Nullable Void> waits = new FutureTask<>(() -> {
            for (int waited = 0; waited < TIMES; ) {
                if (small.beginDiskWait(one)) {
                    waited++;
                    together.addAndGet(inside.incrementAndGet() - 1);
                    inside.decrementAndGet();
                    small.endDiskWait();
                }
            }
            return null;
        });
        new Thread(waits, "waits").start();
        for (int given = 0; given < TIMES / 10; ) {
            EmbeddedChannel next = new EmbeddedChannel();
            small.accepted(next);
            if (ofTwo.next().equals(one)) {
                given++;
                together.addAndGet(inside.incrementAndGet() - 1);
                inside.decrementAndGet();
            }
            next.close();
            next.runPendingTasks();
        }
        waits.get();
        assertThat(together).as("how often both were there").hasValue(0);
    }
}
