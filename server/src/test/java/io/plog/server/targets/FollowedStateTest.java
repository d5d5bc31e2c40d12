package io.plog.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.plog.log.Checkpoint;
import io.plog.log.DurableLog;
import io.plog.log.LogReader;
import io.plog.log.spi.LogFollower;
import io.plog.log.testing.Await;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.service.BreakingService;
import io.plog.server.state.MemoryBounds;
import io.plog.server.state.TargetState;
import io.plog.server.state.TestRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A standby that follows a log which the test plays. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FollowedStateTest {
    private static final DurableLog OPENED = (DurableLog) Proxy.newProxyInstance(
            DurableLog.class.getClassLoader(), new Class<?>[] {DurableLog.class}, (proxy, m, a) -> {
                throw new AssertionError(m);
            });

    private final PlayedLog log = new PlayedLog();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<Executed> services = new ArrayList<>(); // guarded by itself
    private volatile long breaksAt;
    private final FollowedState state = new FollowedState("t", log, this::machine, new ServerNotices(out, () -> 0));

    @AfterEach
    void end() {
        state.end();
    }

    private TargetState machine() {
        Executed service = new Executed();
        synchronized (services) {
            services.add(service);
        }
        return new TargetState("t", service, new MemoryBounds(8, 8, 10_000, 10_000));
    }

    private Executed latest() {
        synchronized (services) {
            return services.get(services.size() - 1);
        }
    }

    private int begun() {
        synchronized (services) {
            return services.size();
        }
    }

    private List<String> said() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private void awaitApplied(long last) throws Exception {
        Await.until(() -> state.progress().startsWith("; applied here up to record " + last + " of "));
    }

    @Test
    void whatWasAppliedIsHandedOverOnceWithTheClientsThatItRemembers() throws Exception {
        log.grow(20);
        state.start();
        awaitApplied(20);
        log.grow(30);
        awaitApplied(30);
        assertThat(state.recordsBehind()).isZero();
        FollowedState.Followed taken = state.take(OPENED);
        assertThat(taken).isNotNull();
        assertThat(taken.lastIndex()).isEqualTo(30);
        assertThat(taken.state().appliedIndex()).isEqualTo(30);
        assertThat(latest().numbers).hasSize(30).isSorted();
        TestRequest repeat = new TestRequest(taken.state(), 5, 30, numbered(30));
        assertThat(repeat.run(taken.state(), 31)).as("a repeat is executed").isFalse();
        log.grow(40);
        assertThat(latest().numbers).as("after it was taken").hasSize(30);
    }

    @Test
    void aStateThatIsNotOfTheLogThatWasOpenedIsNotHandedOver() throws Exception {
        log.grow(5);
        state.start();
        awaitApplied(5);
        log.isBeginning = false;
        assertThat(state.take(OPENED)).isNull();
        assertThat(said()).hasSize(1);
        assertThat(said().get(0)).contains("up to record 5 is of no use for the log that it took over");
    }

    @Test
    void withoutAStateThereIsNothingToHandOverAndNothingIsWaitedFor() throws Exception {
        log.broken = true;
        state.start();
        Await.until(() -> !said().isEmpty());
        assertThat(state.take(OPENED)).isNull();
        assertThat(state.progress()).isEmpty();
        assertThat(state.recordsBehind()).isNaN();
    }

    @Test
    void aStateWithWhichTheServiceFailedIsThrownAway() throws Exception {
        breaksAt = 3;
        log.grow(5);
        state.start();
        Await.until(() -> !said().isEmpty());
        breaksAt = 0;
        awaitApplied(5);
        assertThat(begun()).isEqualTo(2);
        assertThat(latest().numbers).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(said()).hasSize(1);
        assertThat(said().get(0)).contains("cannot follow its log", "failed at record 3", "and tries again");
    }

    @Test
    void aTakeoverThatComesBetweenTheFailureOfTheServiceAndItsReportGetsNoState() throws Exception {
        CompletableFuture<Optional<FollowedState.Followed>> taken = new CompletableFuture<>();
        log.closing = () -> taken.complete(Optional.ofNullable(state.take(OPENED)));
        breaksAt = 3;
        log.grow(5);
        state.start();
        assertThat(taken.get()).isEmpty();
    }

    @Test
    void whenNoServerAnswersForAWhileItSaysSoOnceAndGoesOnBehindWhatItApplied() throws Exception {
        log.grow(5);
        state.start();
        awaitApplied(5);
        log.broken = true;
        long asked = log.asked;
        Await.until(() -> log.asked >= asked + 2);
        log.grow(9);
        log.broken = false;
        awaitApplied(9);
        assertThat(begun()).isEqualTo(1);
        assertThat(latest().numbers).hasSize(9).isSorted();
        assertThat(said()).hasSize(1);
        assertThat(said().get(0)).contains("(no server answers)");
    }

    @Test
    void whenItIsToBeginAnewItDoesSoFromTheNewerCheckpoint() throws Exception {
        log.grow(5);
        state.start();
        awaitApplied(5);
        log.checkpoint = 90;
        log.grow(92);
        awaitApplied(92);
        assertThat(latest().numbers).containsExactly(91L, 92L);
        assertThat(said()).isEmpty();
        FollowedState.Followed taken = state.take(OPENED);
        assertThat(taken).isNotNull();
        assertThat(taken.bytes()).isEqualTo(2L * TestRequest.record(5, 91, numbered(91)).length);
    }

    private static byte[] numbered(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(0, number).array();
    }

    /** Executes requests that are their own numbers. */
    private final class Executed extends BreakingService {
        private final List<Long> numbers = new ArrayList<>();

        Executed() {
            super(false);
        }

        @Override
        protected boolean breaks(ByteBuf request, int from, int length) {
            long number = request.getLong(from);
            numbers.add(number);
            return number == breaksAt;
        }
    }

    private final class PlayedLog implements LogFollower {
        private volatile long confirmed;
        private volatile long checkpoint;
        private volatile boolean broken;
        private volatile boolean isBeginning = true;
        private volatile long asked;
        private volatile Runnable closing = () -> {}; // what happens while a reader is closed

        void grow(long last) {
            confirmed = last;
        }

        private void check() throws IOException {
            asked++;
            if (broken) {
                throw new IOException("no server answers");
            }
        }

        @Override
        public Beginning begin() throws IOException {
            check();
            if (checkpoint == 0) {
                return new Beginning(Optional.empty(), 1);
            }
            ByteBuffer all = ByteBuffer.allocate(10_000);
            TargetState saved = new TargetState("t", new Executed(), new MemoryBounds(8, 8, 10_000, 10_000));
            for (ByteBuffer each : saved.snapshot().encode()) {
                all.put(each);
            }
            return new Beginning(Optional.of(new Checkpoint(checkpoint, all.flip())), checkpoint + 1);
        }

        @Override
        public LogReader read(long fromIndex) throws IOException {
            check();
            if (fromIndex <= checkpoint) {
                throw new StartAnewException("dropped");
            }
            long last = confirmed;
            return new LogReader() {
                private long index = fromIndex - 1;
                private @Nullable ByteBuffer payload;

                @Override
                public boolean next() throws IOException {
                    check();
                    payload = null;
                    if (index == last) {
                        return false;
                    }
                    index++;
                    payload = ByteBuffer.wrap(TestRequest.record(5, index, numbered(index)));
                    return true;
                }

                @Override
                public long index() {
                    return index;
                }

                @Override
                public ByteBuffer payload() {
                    if (payload == null) {
                        throw new IllegalStateException("no record");
                    }
                    return payload;
                }

                @Override
                public void close() {
                    closing.run();
                }
            };
        }

        @Override
        public long confirmedIndex() {
            return confirmed;
        }

        @Override
        public long checkpointIndex() {
            return checkpoint;
        }

        @Override
        public boolean isBeginningOf(DurableLog opened, long index) {
            return isBeginning;
        }

        @Override
        public void close() {}
    }
}
