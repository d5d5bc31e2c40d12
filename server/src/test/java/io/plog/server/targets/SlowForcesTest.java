package io.plog.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.server.monitoring.ServerNotices;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowForcesTest {
    private static final long MILLI = 1_000_000;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final SlowForces slow =
            new SlowForces("t", new ServerNotices(out, () -> 0), () -> 192L << 20, Runnable::run);

    private void forced(long atMillis, long forceMillis) {
        slow.forced(atMillis * MILLI, 64, 70_000, 3 * MILLI, forceMillis * MILLI, 190);
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void aSlowForceIsALineWithWhatWasUnderWay() {
        forced(0, 96);
        assertThat(lines()).isEmpty();
        forced(5, 412);
        assertThat(lines())
                .containsExactly(
                        "1970-01-01T00:00:00.000Z target t: a group of 64 records, 70000 bytes, took 3 ms to write"
                                + " and 412 ms to force; 190 wait for the next, 192 MiB of its reserve are ready");
    }

    @Test
    void thereIsAtMostOneASecondAndTheNextCountsTheOthers() {
        for (long at : new long[] {0, 200, 999, 1_000}) {
            forced(at, 150);
        }
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(0)).endsWith("are ready");
        assertThat(lines().get(1)).endsWith("; 2 more were as slow since the last line");
    }

    @Test
    void itIsAnEventOfTheFlightRecorder(@TempDir Path directory) throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable("io.plog.SlowForce");
            recording.start();
            forced(0, 412);
            recording.stop();
            recording.dump(directory.resolve("recording.jfr"));
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(directory.resolve("recording.jfr"));
        assertThat(events).hasSize(1);
        assertThat(events.get(0).getString("target")).isEqualTo("t");
        assertThat(events.get(0).getLong("force")).isEqualTo(412 * MILLI);
        assertThat(events.get(0).getInt("waiting")).isEqualTo(190);
    }
}
