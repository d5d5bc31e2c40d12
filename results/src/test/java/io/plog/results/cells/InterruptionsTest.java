package io.plog.results.cells;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.host.events.Event;
import io.plog.host.events.EventKind;
import io.plog.host.events.KindTotal;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.SideEvents;
import io.plog.results.model.Results;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InterruptionsTest {
    private static final RunInfo.Target TARGET = new RunInfo.Target(0, "t", "fdatasync", Map.of());

    /** Requests of trial 1, 10 ms apart: meant for 0, sent 1 ms late, answered after 4 ms, 2 ms and 1 ms of it write and force. */
    private static Samples samples(int count) {
        Samples samples = new Samples(count);
        for (int i = 0; i < count; i++) {
            samples.begin();
            samples.set(Column.TRIAL, 1);
            samples.set(Column.INTENDED, ms(10 * i));
            samples.set(Column.SENT, ms(10 * i + 1));
            samples.set(Column.END_TO_END, ms(4));
            samples.set(Column.WRITE, ms(2));
            samples.set(Column.FORCE, ms(1));
            samples.set(Column.RESIDENCE, ms(3));
            samples.set(Column.BATCH_RECORDS, 1);
        }
        return samples;
    }

    private static long ms(double millis) {
        return Math.round(millis * 1e6);
    }

    private static SideEvents side(int trial, String side, double uncertainMillis, Event... events) {
        return new SideEvents(trial, side, Map.of(), ms(uncertainMillis), List.of(), List.of(), List.of(events));
    }

    private static List<Results.Overlap> during(Samples samples, int sample, boolean open, SideEvents... recorded) {
        return new Interruptions(List.of(recorded))
                .during(samples, sample, new RequestParts(TARGET, samples, open, false));
    }

    @Test
    void everyEventThatOverlapsIsNamedLongestFirst() {
        SideEvents client = side(
                1,
                "client",
                0,
                Event.of(EventKind.GC, ms(2), ms(0.5), "GC Pause"),
                Event.of(EventKind.GC, ms(7), ms(1), ""));
        SideEvents server = side(1, "server", 0.1, Event.of(EventKind.HICCUP, ms(-1), ms(3), ""));
        assertThat(during(samples(1), 0, true, client, server))
                .containsExactly(
                        new Results.Overlap("server", "hiccup", 2_000, ""),
                        new Results.Overlap("client", "gc", 500, "GC Pause"));
    }

    @Test
    void withARateTheTimeFromTheIntendedMomentOnCounts() {
        SideEvents client = side(1, "client", 0, Event.of(EventKind.HICCUP, 0, ms(0.9), ""));
        assertThat(during(samples(1), 0, true, client)).hasSize(1);
        assertThat(during(samples(1), 0, false, client)).isEmpty();
    }

    @Test
    void whatTheClocksCannotReportIsNotNamed() {
        Event event = Event.of(EventKind.HICCUP, ms(4.8), ms(2), "");
        assertThat(during(samples(1), 0, true, side(1, "server", 0.3, event))).isEmpty();
        assertThat(during(samples(1), 0, true, side(1, "server", 0.1, event))).hasSize(1);
    }

    @Test
    void eventsOfAnotherTrialDoNotCount() {
        Event event = Event.of(EventKind.GC, ms(2), ms(1), "");
        assertThat(during(samples(1), 0, true, side(0, "client", 0, event))).isEmpty();
    }

    @Test
    void eventsOfAnotherClientDoNotCount() {
        Event event = Event.of(EventKind.GC, ms(2), ms(1), "");
        for (String connections : List.of("0-3", "4-7", "0-0")) {
            SideEvents client = new SideEvents(
                    1, "client", Map.of("connections", connections), 0, List.of(), List.of(), List.of(event));
            assertThat(during(samples(1), 0, true, client))
                    .as(connections)
                    .hasSize(connections.startsWith("0") ? 1 : 0);
        }
    }

    @Test
    void stolenTimeIsTheMachinesAndAtMostWhatWasStolen() {
        SideEvents client =
                side(1, "client", 0, new Event("steal", ms(-50), ms(10), ms(100), "10 ms stolen within 100 ms"));
        assertThat(during(samples(1), 0, true, client))
                .containsExactly(new Results.Overlap("machine", "steal", 5_000, "10 ms stolen within 100 ms"));
    }

    @Test
    void theRequestsOwnBatchIsDistinguishedFromOthers() {
        SideEvents server = side(
                1,
                "server",
                0,
                Event.of(EventKind.FORCE, ms(1.5), ms(3), "t: 1 record"),
                Event.of(EventKind.FORCE, ms(3), ms(1.9), "u: 1 record"));
        assertThat(during(samples(1), 0, true, server))
                .extracting(Results.Overlap::detail)
                .containsExactly("t: 1 record; its own batch", "u: 1 record");
    }

    @Test
    void pausesAreSummedUpBySideAndKindOverAllTrials() {
        Event gc = Event.of(EventKind.GC, 0, ms(2), "");
        Event longer = Event.of(EventKind.GC, 0, ms(3), "");
        List<SideEvents> recorded = List.of(
                new SideEvents(
                        0, "client", Map.of(), 0, List.of(new KindTotal("gc", 2, ms(2.5))), List.of(), List.of(gc)),
                new SideEvents(
                        1,
                        "client",
                        Map.of(),
                        0,
                        List.of(new KindTotal("gc", 1, ms(3)), new KindTotal("steal", 1, ms(10))),
                        List.of(),
                        List.of(longer)),
                new SideEvents(1, "server", Map.of(), 0, List.of(new KindTotal("gc", 4, ms(1))), List.of(), List.of()));
        assertThat(new Interruptions(recorded).pauses())
                .containsExactly(
                        new Results.Pauses("client", "gc", 3, 5_500, 3_000),
                        new Results.Pauses("machine", "steal", 1, 10_000, 0),
                        new Results.Pauses("server", "gc", 4, 1_000, 0));
    }

    @Test
    void lanesAreBySideAndKindOverAllTrials() {
        List<FigureData.Lane> lanes = new Interruptions(List.of(
                        side(0, "server", 0, Event.of(EventKind.GC, ms(203), ms(0.5), "")),
                        side(
                                1,
                                "server",
                                0,
                                Event.of(EventKind.HICCUP, ms(304), ms(4), ""),
                                Event.of(EventKind.GC, ms(50), ms(2), "")),
                        side(1, "client", 0, Event.of(EventKind.STEAL, ms(1), ms(1), ""))))
                .lanes();
        assertThat(lanes).extracting(FigureData.Lane::side).containsExactly("machine", "server", "server");
        assertThat(lanes).extracting(FigureData.Lane::kind).containsExactly("steal", "gc", "hiccup");
        assertThat(lanes.get(1).startMillis()).containsExactly(50, 203);
        assertThat(lanes.get(1).lengthMillis()).containsExactly(2, 0.5);
    }

    @Test
    void aLaneKeepsTheLongestOfMany() {
        Event[] events = new Event[1000];
        for (int i = 0; i < events.length; i++) {
            events[i] = Event.of(EventKind.HICCUP, ms(10 * i + 2), ms(0.01 * (i + 1)), "");
        }
        List<FigureData.Lane> lanes = new Interruptions(List.of(side(1, "client", 0, events))).lanes();
        assertThat(lanes).hasSize(1);
        assertThat(lanes.get(0).startMillis()).hasSize(400).startsWith(6002).isSorted();
    }
}
