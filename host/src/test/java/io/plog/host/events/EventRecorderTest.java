package io.plog.host.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventRecorderTest {
    /** What the conversion from the JVM's clock to ours may be wrong by, generously: it is below 20 µs. */
    private static final long TOLERANCE_NANOS = 1_000_000;

    /** So many that not each can take so long that an error would not show. */
    private static final int COLLECTIONS = 10;

    @TempDir
    private Path directory;

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
            assertThat(recorder.recorded(from).facts().get("jvmEvents")).startsWith("collections only");
            assertThat(found).allSatisfy(event -> {
                assertThat(event.startNanos()).isBetween(from - 1_000_000_000, to);
                assertThat(event.detail()).contains("System.gc()");
            });
            assertNoFile();
        }
    }

    @Test
    void aDirectoryThatCannotBeUsedIsSaidAndNothingFails() {
        Path missing = directory.resolve("missing");
        try (EventRecorder recorder = EventRecorder.start(new EventStore(), List.of(), missing)) {
            assertThat(recorder.recorded(0).facts().get("jvmEvents")).contains("not available", missing.toString());
        }
    }

    @Test
    void aCollectionIsRecordedWhenItWas() {
        try (EventRecorder recorder = EventRecorder.start(new EventStore(), List.of(), directory)) {
            assertThat(recorder.recorded(Long.MAX_VALUE).events()).isEmpty();
            long[] from = new long[COLLECTIONS];
            long[] to = new long[COLLECTIONS];
            for (int i = 0; i < COLLECTIONS; i++) {
                from[i] = System.nanoTime();
                System.gc();
                to[i] = System.nanoTime();
            }
            Recorded recorded = recorder.recorded(from[0] - TOLERANCE_NANOS);
            assertThat(recorded.facts()).containsEntry("events", "recorded").doesNotContainKey("jvmEvents");
            for (int i = 0; i < COLLECTIONS; i++) {
                long begin = from[i];
                long end = to[i];
                assertThat(recorded.events()).anySatisfy(event -> {
                    assertThat(event.kind()).isEqualTo("gc");
                    assertThat(event.startNanos()).isBetween(begin - TOLERANCE_NANOS, end);
                    assertThat(event.endNanos()).isBetween(begin, end + TOLERANCE_NANOS);
                    assertThat(event.durationNanos()).isPositive();
                });
            }
            assertThat(recorded.totals()).anySatisfy(total -> {
                assertThat(total.kind()).isEqualTo("gc");
                assertThat(total.count()).isGreaterThanOrEqualTo(COLLECTIONS);
            });
            assertThat(recorded.events())
                    .as("a collection is not told again as a safepoint")
                    .noneMatch(event -> event.detail().matches("G1Collect.*|GenCollect.*|CollectForMeta.*|Parallel.*"));
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

    @Test
    void noFileIsLeftBehind() throws Exception {
        EventRecorder.start(new EventStore(), List.of(), directory).close();
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
        assertNoFile();
    }

    /** None of the JVM's, where it keeps them unless told otherwise. */
    private static void assertNoFile() throws Exception {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        String own = "_" + ProcessHandle.current().pid();
        try (Stream<Path> files = Files.list(temporary)) {
            assertThat(files.filter(file -> file.getFileName().toString().matches("20[0-9_]+" + own)))
                    .isEmpty();
        }
    }
}
