package io.plog.app.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.client.FakeServer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class RecoveryLoadTest {
    @Test
    void anAnswerThatFollowsALossBeforeTheKillIsNotThatOfTheNewServer() throws Exception {
        AtomicBoolean dropped = new AtomicBoolean();
        try (FakeServer first = FakeServer.answering((request, count) ->
                        List.of(dropped.getAndSet(true) ? FakeServer.reply(request) : FakeServer.CLOSE));
                RecoveryLoad load = new RecoveryLoad(first.port(), "a", 1)) {
            load.awaitAcknowledged(10);
            long killed = load.kill(first::stop);
            try (FakeServer second = FakeServer.goodOn(first.port())) {
                assertThat(load.finish() - killed).isPositive();
                assertThat(second.requests()).isNotEmpty();
            }
        }
    }
}
