package io.plog.measure.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plog.measure.plan.Load;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.TrialRecord;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LoadTallyTest {
    private static final long MILLI = 1_000_000;
    private static final Load.Span OPEN = new Load.Span(100 * MILLI, 1_000 * MILLI, 0, 10);

    private final Samples samples = new Samples(16);

    private void add(long intendedMillis, long lagMillis, long tookMillis, int status, int bytes) {
        samples.begin();
        samples.set(Column.PHASE, intendedMillis < 100 ? 1 : 0);
        samples.set(Column.INTENDED, intendedMillis * MILLI);
        samples.set(Column.SENT, (intendedMillis + lagMillis) * MILLI);
        samples.set(Column.END_TO_END, tookMillis * MILLI);
        samples.set(Column.STATUS, status);
        samples.set(Column.PAYLOAD_BYTES, bytes);
    }

    private LoadSummary summary() {
        return summary(false);
    }

    private LoadSummary summary(boolean partial) {
        LoadTally tally = new LoadTally(OPEN, true);
        tally.add(samples);
        return tally.summary("main", Stream.of(new TrialRecord.LoadCounts(1, 0, 0, 0, 0, 3)), partial);
    }

    @Test
    void ratesOfALoadThatEndedEarlyAreOfTheTimeThatItHad() {
        for (int i = 0; i < 60; i++) {
            add(i * 10L, 0, 10, 0, 1_000);
        }
        assertThat(summary(true).seconds()).isEqualTo(0.5);
        assertThat(summary(true).answeredPerSecond()).isCloseTo(100, within(3.0));
        assertThat(summary(false).answeredPerSecond()).isCloseTo(50, within(3.0));
    }

    @Test
    void ratesAreOfTheCountedStretchByWhenRepliesCame() {
        for (int i = 0; i < 110; i++) {
            add(i * 10L, 0, 5, 0, 1_000);
        }
        LoadSummary summary = summary();
        assertThat(summary.offeredPerSecond()).isEqualTo(100);
        assertThat(summary.answeredPerSecond()).isEqualTo(100);
        assertThat(summary.megabytesPerSecond()).isEqualTo(0.1);
        assertThat(summary.sent()).isEqualTo(100);
        assertThat(summary.sustained()).isTrue();
        assertThat(summary.backlogAtStart()).isZero();
        assertThat(summary.connectionsLost()).isEqualTo(3);
        assertThat(summary.latency()).isEqualTo(new LoadSummary.Times(100, 5_000, 5_000, 5_000, 5_000));
    }

    @Test
    void aServerThatFallsBehindDoesNotSustainTheRate() {
        // Each takes longer than the one before: the queue grows by one request in two.
        for (int i = 0; i < 110; i++) {
            add(i * 10L, 0, 20 + i * 10L, 0, 1_000);
        }
        LoadSummary summary = summary();
        assertThat(summary.offeredPerSecond()).isEqualTo(100);
        assertThat(summary.answeredPerSecond()).isEqualTo(50);
        assertThat(summary.sustained()).isFalse();
        assertThat(summary.backlogAtStart()).isEqualTo(6);
        assertThat(summary.backlogAtEnd()).isEqualTo(56);
        // All are answered in the end, so none is an error.
        assertThat(summary.accepted()).isEqualTo(100);
    }

    @Test
    void refusalsAreAnsweredButNotAccepted() {
        for (int i = 0; i < 110; i++) {
            add(i * 10L, 0, 5, i % 4 == 0 ? 2 : 0, 1_000);
        }
        LoadSummary summary = summary();
        assertThat(summary.sustained()).isTrue();
        assertThat(summary.answeredPerSecond()).isEqualTo(100);
        assertThat(summary.acceptedPerSecond()).isEqualTo(75);
        assertThat(summary.errors()).isEqualTo(Map.of("OVERLOADED", 25L));
        assertThat(summary.refusedShare()).isEqualTo(0.25);
        assertThat(summary.latency()).isNotNull().matches(latency -> latency.count() == 75);
    }

    @Test
    void whatTheConnectionHeldBackIsNoLag() {
        add(100, 0, 30, 0, 1);
        add(110, 25, 5, 0, 1);
        samples.set(Column.HELD, 20 * MILLI);
        samples.set(Column.CONNECT, 7 * MILLI);
        LoadSummary summary = summary();
        assertThat(summary.lag()).isEqualTo(new LoadSummary.Times(2, 2_500, 0, 5_000, 5_000));
        assertThat(summary.held()).isEqualTo(new LoadSummary.Times(1, 20_000, 20_000, 20_000, 20_000));
        assertThat(summary.connects()).isEqualTo(new LoadSummary.Times(1, 7_000, 7_000, 7_000, 7_000));
    }
}
