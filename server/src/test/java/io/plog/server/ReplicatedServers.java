package io.plog.server;

import static io.plog.server.Replies.answerOf;
import static io.plog.server.Replies.statusOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.plog.log.bookkeeper.SimulatedBookies;
import io.plog.log.testing.Await;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import io.plog.server.service.ChainModel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;

/** Servers of a chain whose log several machines keep, here simulated ones. */
abstract class ReplicatedServers {
    final SimulatedBookies bookies;
    final ChainModel model = new ChainModel();

    /** Closed after each test, the last first, before the machines. */
    final List<AutoCloseable> open = new ArrayList<>();

    ReplicatedServers(String log, long seed) {
        bookies = SimulatedBookies.start(log, 4, seed);
    }

    @AfterEach
    void end() throws Exception {
        try {
            for (int i = open.size() - 1; i >= 0; i--) {
                open.get(i).close();
            }
        } finally {
            bookies.close(); // or all tests after this one would fail, too
        }
    }

    static byte[] payload(int number) {
        return ("request " + number).repeat(1 + number % 7).getBytes(StandardCharsets.UTF_8);
    }

    static ByteBuf ask(TestClient client, int target, int number) throws Exception {
        return client.call(target, number, payload(number));
    }

    static ByteBuf ask(TestClient client, int number) throws Exception {
        return ask(client, 0, number);
    }

    /** Sends the same request again and again until it is answered, and returns the reply. */
    static ByteBuf insist(TestClient client, int number) throws Exception {
        ByteBuf reply = ask(client, number);
        while (statusOf(reply) != Status.OK) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            reply = ask(client, number);
        }
        return reply;
    }

    /** A moment before it is known why, it is not sure any more that the log is held. */
    static void awaitHealth(PlogServer server, String part) throws Exception {
        Await.until(() -> server.health().sentence().contains(part));
    }

    /** It is the answer to this request, which is that record of the log. */
    void answered(ByteBuf reply, int number) {
        assertThat(statusOf(reply)).as(ReplyHeader.sentence(reply)).isEqualTo(Status.OK);
        assertThat(ReplyHeader.logIndex(reply)).isEqualTo(number);
        assertThat(answerOf(reply)).isEqualTo(model.answer(payload(number)));
    }

    final void crashThree() {
        for (int bookie = 0; bookie < 3; bookie++) {
            bookies.crash(bookie);
        }
    }

    final void restartThree() throws Exception {
        for (int bookie = 0; bookie < 3; bookie++) {
            bookies.restart(bookie);
        }
    }
}
