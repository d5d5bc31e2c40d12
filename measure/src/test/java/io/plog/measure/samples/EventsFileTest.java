package io.plog.measure.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.host.events.Counters;
import io.plog.host.events.Event;
import io.plog.host.events.EventKind;
import io.plog.host.events.KindTotal;
import io.plog.host.events.RecordJson;
import io.plog.host.events.Recorded;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Warmup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events on their way: from the server, into the sample file, and through a merge. */
class EventsFileTest {
    static final RunInfo INFO = new RunInfo(
            "0.1.0",
            Instant.parse("2026-11-20T14:00:00Z"),
            "plog measure",
            new Grid("", List.of(), List.of(), List.of(100), List.of("a"), 10, 1, Warmup.exactly(0), 1, 1, 0, 7),
            Map.of(),
            Map.of(),
            List.of(new RunInfo.Target(0, "a", "fdatasync", Map.of())));
    private static final RunInfo.End WHOLE = new RunInfo.End(false, "", 5_000);
    private static final SideUsage USAGE = new SideUsage(
            12.5,
            2,
            1.25,
            0.75,
            0.01,
            1L << 30,
            1L << 33,
            1_200_000,
            51_000_000,
            25,
            0.25,
            0.125,
            0.0625,
            List.of(new SideUsage.Disk("vda", 1, 1 << 20, -1)));
    private static final SideEvents SERVER = new SideEvents(
            0,
            SideEvents.SERVER,
            Map.of("events", "recorded"),
            80_000,
            List.of(new KindTotal("force", 3, 9_000_000)),
            List.of(USAGE),
            List.of(
                    Event.of(EventKind.FORCE, -50, 3_000_000, "a: 1 record, \"write\" 2 µs"),
                    new Event("something new", 700, 5, 100, "")));
    private static final SideEvents CLIENT =
            SideEvents.none(0, SideEvents.CLIENT, Map.of("events", "not recorded: switched off"));

    @TempDir
    private Path directory;

    private Path write(String name, SideEvents... events) throws Exception {
        Path file = directory.resolve(name);
        try (SampleFileWriter writer = SampleFileWriter.create(file, INFO)) {
            for (SideEvents side : events) {
                writer.append(side);
            }
            writer.end(WHOLE);
        }
        return file;
    }

    private static List<SideEvents> read(Path file) throws Exception {
        try (SampleFileReader reader = SampleFileReader.open(file)) {
            return reader.events();
        }
    }

    @Test
    void whatWasWrittenIsReadAgain() throws Exception {
        assertThat(read(write("file", CLIENT, SERVER))).containsExactly(CLIENT, SERVER);
    }

    @Test
    void aMergeMovesEventsWithTheSamplesOfTheirTrial() throws Exception {
        Path first = write("first", CLIENT, SERVER);
        Path second = write("second", SERVER);
        Path out = directory.resolve("out");
        SampleMerge.write(
                List.of(
                        SampleMerge.Part.ofTrial(first, 0, Set.of()),
                        SampleMerge.Part.ofTrial(second, 1_000_000, Set.of())),
                INFO,
                out);
        assertThat(read(out)).containsExactly(CLIENT, SERVER, SERVER.later(1_000_000));
        assertThat(SERVER.later(1_000_000).events().get(0).startNanos()).isEqualTo(999_950);
        Path kept = directory.resolve("kept");
        SampleMerge.write(List.of(SampleMerge.Part.ofClient(out, 0, 0, 0)), INFO, kept);
        assertThat(read(kept)).isEqualTo(read(out));
    }

    @Test
    void aBodyThatIsNoneIsReportedInASentence() throws Exception {
        byte[] plain = SampleFormat.JSON.writeValueAsBytes(SERVER);
        ByteBuf body = Unpooled.buffer();
        SampleFormat.pack(ByteBuffer.wrap(plain), new Deflater(), body);
        ByteBuffer whole = body.nioBuffer();
        assertThat(SampleFormat.unpack(whole.duplicate(), new Inflater()).array())
                .isEqualTo(plain);
        for (int cut = 0; cut < whole.limit(); cut += 7) {
            ByteBuffer part = whole.duplicate().limit(cut);
            assertThatThrownBy(() -> SampleFormat.unpack(part, new Inflater())).isInstanceOf(DataFormatException.class);
        }
        ByteBuffer huge =
                ByteBuffer.allocate(8).putInt(Integer.MAX_VALUE).putInt(0).flip();
        assertThatThrownBy(() -> SampleFormat.unpack(huge, new Inflater())).hasMessageContaining("2147483647 bytes");
        assertThatThrownBy(() -> SampleFormat.read("null".getBytes(StandardCharsets.UTF_8), SideEvents.class))
                .hasMessage("null, expected an object");
    }

    @Test
    void numbersAndListsThatNoRunHasAreRefused() throws Exception {
        String sound = new String(SampleFormat.JSON.writeValueAsBytes(SERVER), StandardCharsets.UTF_8);
        assertThat(SampleFormat.read(sound.getBytes(StandardCharsets.UTF_8), SideEvents.class))
                .isEqualTo(SERVER);
        for (String wrong : new String[] {"1e400", "-1e16", "\"NaN\"", "null"}) {
            assertRefused(sound.replace("\"processCpu\":1.25", "\"processCpu\":" + wrong), sound);
        }
        assertRefused(sound.replace("\"events\":\"recorded\"", "\"events\":null"), sound);
        assertRefused(sound.replace("\"totals\":[", "\"totals\":[null,"), sound);
        assertRefused(sound.replace("\"side\":\"server\"", "\"side\":null"), sound);
    }

    private static void assertRefused(String json, String sound) {
        assertThat(json).isNotEqualTo(sound);
        assertThatThrownBy(() -> SampleFormat.read(json.getBytes(StandardCharsets.UTF_8), SideEvents.class))
                .as(json)
                .isInstanceOf(IOException.class);
    }

    @Test
    void whatTheServerReportsIsWhatTheClientReads() throws Exception {
        Recorded reported = new Recorded(
                Map.of("events", "recorded", "jvmEvents", "not available: \"no\"\n\\"),
                new Counters(
                        -5,
                        2,
                        3,
                        4,
                        5,
                        6,
                        7,
                        8,
                        9,
                        10,
                        15,
                        LongStream.of(1, 0, 2).boxed().toList(),
                        List.of(new Counters.Disk("vda", 11, 12), new Counters.Disk("loop0", 13, 14))),
                List.of(new KindTotal("gc", 1, 2), new KindTotal("segment change", 3, 4)),
                SERVER.events());
        Recorded printable = new Recorded(
                Map.of("events", "recorded", "jvmEvents", "not available: \"no\"\uFFFD\\"),
                reported.counters(),
                reported.totals(),
                reported.events());
        assertThat(SampleFormat.JSON.readValue(RecordJson.of(reported), Recorded.class))
                .isEqualTo(printable);
        Recorded empty = new Recorded(
                Map.of(), new Counters(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, List.of(), List.of()), List.of(), List.of());
        assertThat(SampleFormat.JSON.readValue(RecordJson.of(empty), Recorded.class))
                .isEqualTo(empty);
    }

    /** Two clients of one server: the server reported both, and each client has a machine of its own. */
    @Test
    void ofSeveralClientsTheServerIsTakenOnceAndEachClientConcernsItsOwnRequests() throws IOException {
        Event pause = Event.of(EventKind.GC, 1_000, 50, "young");
        SideUsage usage = new SideUsage(1, 2, 0.1, 0.2, 0, 1L << 30, 2L << 30, 1000, 2000, 25, 0, 0, 0, List.of());
        SideEvents client =
                new SideEvents(0, SideEvents.CLIENT, Map.of(), 0, List.of(), List.of(usage), List.of(pause));
        SideEvents silent = SideEvents.none(0, SideEvents.SERVER, Map.of("events", "not available: no admin port"));
        SideEvents reported =
                new SideEvents(0, SideEvents.SERVER, Map.of(), 5, List.of(), List.of(usage), List.of(pause));
        List<SampleMerge.Part> parts = new ArrayList<>();
        List<List<SideEvents>> all =
                List.of(List.of(client, silent), List.of(client, reported), List.of(client, reported));
        for (int i = 0; i < all.size(); i++) {
            Path file = directory.resolve("client" + i);
            try (SampleFileWriter writer = SampleFileWriter.create(file, INFO)) {
                for (SideEvents each : all.get(i)) {
                    writer.append(each);
                }
                writer.end(new RunInfo.End(false, "", 5_000_000));
            }
            parts.add(SampleMerge.Part.ofClient(file, i * 1_000_000L, i * 2, 2));
        }
        Path merged = directory.resolve("merged");
        SampleMerge.write(parts, INFO, merged);
        try (SampleFileReader reader = SampleFileReader.open(merged)) {
            List<SideEvents> found = reader.events();
            assertThat(found).extracting(SideEvents::side).containsExactly("client", "client", "server", "client");
            assertThat(found.get(2).events())
                    .as("of the first that was reported")
                    .containsExactly(pause.shifted(1_000_000));
            assertThat(found.get(2).concerns(0)).isTrue();
            assertThat(found.get(2).concerns(5)).isTrue();
            assertThat(found.get(1).events()).containsExactly(pause.shifted(1_000_000));
            for (long connection = 0; connection < 6; connection++) {
                assertThat(found.get(1).concerns(connection)).isEqualTo(connection == 2 || connection == 3);
            }
        }
    }

    /** It may come from another machine. */
    @Test
    void whatAServerRevealsItsEventsIsPrintable() throws Exception {
        Recorded reported = new Recorded(
                Map.of("f\n", "v\u001b[2J"),
                new Counters(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, List.of(), List.of(new Counters.Disk("d\n", 1, 1))),
                List.of(new KindTotal("k\u0007", 1, 1)),
                List.of(new Event("k\u001b", 0, 0, 0, "d\u001b[2J")));
        Recorded read = SampleFormat.JSON.readValue(SampleFormat.JSON.writeValueAsBytes(reported), Recorded.class);
        assertThat(read.facts()).containsExactly(Map.entry("f\uFFFD", "v\uFFFD[2J"));
        assertThat(read.counters().disks()).containsExactly(new Counters.Disk("d\uFFFD", 1, 1));
        assertThat(read.totals()).containsExactly(new KindTotal("k\uFFFD", 1, 1));
        assertThat(read.events()).containsExactly(new Event("k\uFFFD", 0, 0, 0, "d\uFFFD[2J"));
    }
}
