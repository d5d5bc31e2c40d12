package io.plog.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ServerNoticesTest {
    private static final long NOW = Instant.parse("2026-11-22T11:24:06.007Z").toEpochMilli();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ServerNotices notices = new ServerNotices(out, () -> NOW);

    @Test
    void aNoticeIsOneLineWithTheTimeInUtc() {
        notices.say("target ä: its log failed");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("2026-11-22T11:24:06.007Z target ä: its log failed\n");
    }

    @Test
    void whatAPeerSentMakesNoSecondLineAndNoEscapeSequence() {
        notices.say("a\nb\rc\u001b]0;title\u0007\u009bd");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("2026-11-22T11:24:06.007Z a b?c?]0;title??d\n");
    }

    @Test
    void aNoticeCanBeAnObjectOfJson() {
        notices.asJson();
        notices.say("target \"a\" in C:\\log\nfailed");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"time\":\"2026-11-22T11:24:06.007Z\",\"message\":\"target \\\"a\\\" in C:\\\\log failed\"}\n");
    }

    @Test
    void anUnexpectedFailureIsReportedWithItsCausesAndWhereTheyCameFrom() {
        notices.say("a connection failed", new IllegalStateException("no", new IOException("disk\nbroken")));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .matches("2026-11-22T11:24:06.007Z a connection failed: java.lang.IllegalStateException: no at"
                        + " io.plog.server.monitoring.ServerNoticesTest.anUnexpected\\w+:\\d+; caused by java.io.IOException: disk"
                        + " broken at io.plog.server.monitoring.ServerNoticesTest.anUnexpected\\w+:\\d+\n");
    }

    @Test
    void aStreamThatIsNotReadHarmsNoOther() {
        ServerNotices closed = new ServerNotices(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("Broken pipe");
                    }
                },
                () -> NOW);
        assertThatCode(() -> closed.say("anything")).doesNotThrowAnyException();
    }
}
