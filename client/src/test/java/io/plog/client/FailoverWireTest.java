package io.plog.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Which of several servers is asked next. Each test holds the time in its hands. */
class FailoverWireTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);
    private final RpcException why = new NoReplyException("it said nothing", true);

    private final List<String> asked = new ArrayList<>();
    private final List<CompletableFuture<Wire.Connection>> attempts = new ArrayList<>();
    private long now;

    private final class Server implements Wire {
        private final String name;

        Server(String name) {
            this.name = name;
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public Runnable schedule(Runnable task, long delayNanos) {
            throw new AssertionError("nothing is to be done later");
        }

        @Override
        public CompletableFuture<Connection> connect(Consumer<RpcException> ended) {
            asked.add(name);
            attempts.add(new CompletableFuture<>());
            return attempts.get(attempts.size() - 1);
        }
    }

    private Wire of(String... names) {
        return new FailoverWire(
                List.of(names), List.of(names).stream().map(Server::new).toList(), PATIENCE);
    }

    private void askAndLeave(Wire wire, boolean silent) {
        var unused = wire.connect(why -> {});
        wire.leave(why, silent);
    }

    private void askAndFail(Wire wire, long nanos) {
        var unused = wire.connect(why -> {});
        now += nanos;
        attempts.get(attempts.size() - 1).completeExceptionally(why);
    }

    @Test
    void theyAreAskedInTurn() {
        Wire wire = of("a", "b", "c");
        for (int i = 0; i < 4; i++) {
            askAndLeave(wire, false);
        }
        assertThat(asked).containsExactly("a", "b", "c", "a");
    }

    @Test
    void oneThatWasSilentIsPassedOverForAWhile() {
        Wire wire = of("a", "b", "c");
        askAndLeave(wire, true);
        for (int i = 0; i < 4; i++) {
            askAndLeave(wire, false);
        }
        now = PATIENCE;
        askAndLeave(wire, false);
        askAndLeave(wire, false);
        assertThat(asked).containsExactly("a", "b", "c", "b", "c", "b", "c");
        askAndLeave(wire, false);
        assertThat(asked.get(7)).isEqualTo("a");
    }

    @Test
    void theOnlyOtherOneIsAskedAgainMeanwhile() {
        Wire wire = of("a", "b");
        askAndLeave(wire, true);
        askAndLeave(wire, false);
        askAndLeave(wire, false);
        assertThat(asked).containsExactly("a", "b", "b");
    }

    @Test
    void whereAllWereSilentTheyAreAskedInTurn() {
        Wire wire = of("a", "b");
        for (int i = 0; i < 4; i++) {
            askAndLeave(wire, true);
        }
        assertThat(asked).containsExactly("a", "b", "a", "b");
    }

    @Test
    void anAttemptToConnectThatFailsLateWasASilenceAndOneThatFailsAtOnceWasNot() {
        Wire wire = of("a", "b");
        askAndFail(wire, TimeUnit.MILLISECONDS.toNanos(5));
        askAndFail(wire, TimeUnit.SECONDS.toNanos(5));
        askAndFail(wire, TimeUnit.MILLISECONDS.toNanos(5));
        askAndFail(wire, TimeUnit.MILLISECONDS.toNanos(5));
        assertThat(asked).containsExactly("a", "b", "a", "a");
    }
}
