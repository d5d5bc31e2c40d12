package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.client.Reply;
import io.plog.e2e.support.Acknowledged;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.KillClient;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import io.plog.protocol.RequestRecord;
import io.plog.server.service.Chain;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit of the kill matrix notices what it is there for. */
final class AcknowledgedTest {
    private static final long CLIENT_BASE = 100;
    private static final long[] NUMBERS = {7, 8, 9};

    private final Acknowledged acknowledged = new Acknowledged("t", true);
    private final byte[][] answers = new byte[NUMBERS.length + 1][];

    @TempDir(factory = DiskDirectory.class)
    Path log;

    /** Records 1 to 3: requests 7 to 9 of client 1. */
    @BeforeEach
    void writeLog() throws Exception {
        long state = Chain.INITIAL_STATE;
        try (MessageLog out =
                MessageLog.open(LogOptions.in(log).withMaxRecordBytes(16_384).withSegmentBytes(65_536))) {
            for (int i = 0; i < NUMBERS.length; i++) {
                byte[] payload = KillClient.payload(1, NUMBERS[i]);
                ByteBuffer envelope = ByteBuffer.allocate(RequestRecord.ENVELOPE_BYTES);
                envelope.put(0, (byte) RequestRecord.KIND)
                        .putLong(8, CLIENT_BASE + 1)
                        .putLong(16, NUMBERS[i]);
                out.appendAndWait(envelope, ByteBuffer.wrap(payload));
                ByteBuf bytes = Unpooled.wrappedBuffer(payload);
                state = Chain.next(state, bytes, 0, payload.length);
                answers[i + 1] = new byte[payload.length];
                Chain.answer(state, bytes, 0, Unpooled.wrappedBuffer(answers[i + 1]), 0, payload.length);
            }
        }
    }

    private void acknowledge(int index, long number, byte[] answer) {
        acknowledged.add(1, new Reply(number, index, 0, 0, 0, 0, 0, 0, 1, 0, answer));
    }

    private void acknowledgeAll() {
        for (int index = 1; index <= NUMBERS.length; index++) {
            acknowledge(index, NUMBERS[index - 1], answers[index]);
        }
    }

    @Test
    void aLogThatHoldsEverythingIsFine() {
        acknowledgeAll();
        assertThatCode(() -> acknowledged.audit(log, CLIENT_BASE, true)).doesNotThrowAnyException();
    }

    @Test
    void aRecordThatIsNotInTheLogIsNoticed() {
        acknowledgeAll();
        acknowledge(4, 10, new byte[0]);
        assertThatThrownBy(() -> acknowledged.audit(log, CLIENT_BASE, false)).isInstanceOf(AssertionError.class);
    }

    @Test
    void aRequestInAnotherPlaceIsNoticed() {
        acknowledge(1, 8, answers[2]);
        assertThatThrownBy(() -> acknowledged.audit(log, CLIENT_BASE, false)).isInstanceOf(AssertionError.class);
    }

    @Test
    void aRecordWithoutAnAcknowledgementIsAllowedOnlyBeforeTheEnd() throws Exception {
        acknowledge(1, 7, answers[1]);
        acknowledge(3, 9, answers[3]);
        acknowledged.audit(log, CLIENT_BASE, false);
        assertThatThrownBy(() -> acknowledged.audit(log, CLIENT_BASE, true)).isInstanceOf(AssertionError.class);
    }

    @Test
    void anAnswerThatDoesNotFollowFromTheRequestsBeforeItIsNoticed() {
        acknowledge(1, 7, answers[1]);
        acknowledge(2, 8, answers[2]);
        byte[] wrong = answers[3].clone();
        wrong[wrong.length - 1] ^= 1;
        acknowledge(3, 9, wrong);
        assertThatThrownBy(() -> acknowledged.audit(log, CLIENT_BASE, true)).isInstanceOf(AssertionError.class);
    }

    @Test
    void oneIndexForTwoRequestsIsNoticedAtOnce() {
        acknowledge(2, 8, answers[2]);
        assertThatThrownBy(() -> acknowledge(2, 9, answers[3])).isInstanceOf(AssertionError.class);
    }
}
