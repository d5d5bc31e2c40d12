package io.plog.host.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
    /** So many that not each can take so long that an error would not show. */
    private static final int COLLECTIONS = 10;

    @Test
    void collectionsAreRecordedWithoutAFile() throws Exception {
        try (EventRecorder recorder = EventRecorder.start(new EventStore(), List.of())) {
            long from = System.nanoTime();
            List<Event> found = List.of();
            while (found.size() < COLLECTIONS) { // notifications come a moment later
                System.gc();
                found = recorder.recorded(from).events().stream()
                        .filter(event -> event.kind().equals("gc"))
                        .toList();
            }
            long to = System.nanoTime();
            assertThat(recorder.recorded(from).facts()).containsEntry("events", "recorded");
            assertThat(found).allSatisfy(event -> {
                assertThat(event.startNanos()).isBetween(from - 1_000_000_000, to);
                assertThat(event.detail()).contains("System.gc()");
            });
            assertNoFile();
        }
    }

    @Test
    void countersGrowWithWhatIsUsed() {
        try (EventRecorder recorder = EventRecorder.start(new EventStore(), List.of())) {
            Counters before = recorder.recorded(Long.MAX_VALUE).counters();
            Counters after = recorder.recorded(before.atNanos()).counters();
            while (after.processCpuNanos() - before.processCpuNanos() < 30_000_000
                    || LatenessHistogram.quantileNanos(before.lateness(), after.lateness(), 0.5) < 0) {
                after = recorder.recorded(Long.MAX_VALUE).counters();
            }
            assertThat(after.atNanos() - before.atNanos()).isGreaterThan(30_000_000 / after.processors() - 10_000_000);
            assertThat(after.machineBusyTicks()).isGreaterThan(before.machineBusyTicks());
            assertThat(after.machineTicks() - before.machineTicks())
                    .isGreaterThanOrEqualTo(after.machineBusyTicks() - before.machineBusyTicks());
            assertThat(recorder.recorded(before.atNanos()).counters().leastFreeMemoryBytes())
                    .isBetween(1L, after.memoryBytes());
            assertThat(after.clockStepNanos()).isBetween(1L, 1_000_000L);
        }
    }

    /** None of the JVM's, where it keeps them unless asked otherwise. */
    private static void assertNoFile() throws Exception {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        String own = "_" + ProcessHandle.current().pid();
        try (Stream<Path> files = Files.list(temporary)) {
            assertThat(files.filter(file -> file.getFileName().toString().matches("20[0-9_]+" + own)))
                    .isEmpty();
        }
    }
}
