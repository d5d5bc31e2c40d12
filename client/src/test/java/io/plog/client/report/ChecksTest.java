package io.plog.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.client.load.Column;
import io.plog.client.load.RunInfo;
import io.plog.client.load.Samples;
import io.plog.client.report.Results.Severity;
import io.plog.client.report.Results.Validity;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ChecksTest {
    private static final SyntheticRun RUN = SyntheticRun.of(120, 8, List.of("fdatasync", "off"), List.of(100, 1000));

    private static Validity check(SampleSource run, String id) throws IOException {
        return Report.compute(run).validity().stream()
                .filter(check -> check.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no check " + id));
    }

    /** The run with one column of the sample at 60, which counts, changed in every cell. */
    private static SampleSource tamperedWith(Column column, long value) {
        return new SampleSource() {
            @Override
            public RunInfo info() {
                return RUN.info();
            }

            @Override
            public Optional<RunInfo.End> end() {
                return RUN.end();
            }

            @Override
            public Samples samples(String target, int payloadBytes) {
                Samples samples = RUN.samples(target, payloadBytes);
                Samples changed = new Samples(samples.count());
                for (int i = 0; i < samples.count(); i++) {
                    changed.begin();
                    for (Column each : Column.values()) {
                        changed.set(each, i == 60 && each == column ? value : samples.get(each, i));
                    }
                }
                return changed;
            }
        };
    }

    @Test
    void aCompleteRunOnADiskPassesEveryCheck() throws IOException {
        assertThat(Report.compute(RUN).validity()).allMatch(Validity::ok).hasSizeGreaterThan(5);
    }

    @Test
    void aRunThatEndedEarlyIsPartial() throws IOException {
        Validity check = check(RUN.ending(Optional.of(new RunInfo.End(true, "interrupted", 1))), "complete");
        assertThat(check.ok()).isFalse();
        assertThat(check.detail()).contains("interrupted");
    }

    @Test
    void aFileWithoutAnEndIsPartial() throws IOException {
        Results results = Report.compute(RUN.ending(Optional.empty()));
        assertThat(results.partial().partial()).isTrue();
        assertThat(results.partial().reason()).contains("no end");
    }

    @Test
    void aFailedRequestMakesTheRunInvalidAndIsInNoFigure() throws IOException {
        SampleSource failing = tamperedWith(Column.STATUS, 4);
        Validity check = check(failing, "failures");
        assertThat(check.ok()).isFalse();
        assertThat(check.severity()).isEqualTo(Severity.INVALID);
        Results.Cell cell = Report.compute(failing).cells().get(0);
        assertThat(cell.failures()).isEqualTo(1);
        assertThat(cell.count()).isEqualTo(119);
    }

    @Test
    void durationsBeyondWhatTheClientSawMakeTheRunInvalid() throws IOException {
        assertThat(check(tamperedWith(Column.RESIDENCE, Long.MAX_VALUE / 1000), "durations")
                        .ok())
                .isFalse();
    }

    @Test
    void aSharedForceWithOneRequestOutstandingMakesTheRunInvalid() throws IOException {
        assertThat(check(tamperedWith(Column.BATCH_RECORDS, 2), "one-force-each")
                        .ok())
                .isFalse();
    }

    @Test
    void memoryIsNotStableStorage() throws IOException {
        SyntheticRun run = RUN.on(SyntheticRun.diskFacts("tmpfs", "unknown"), "loopback");
        Validity check = check(run, "stable-storage:fdatasync");
        assertThat(check.ok()).isFalse();
        assertThat(check.detail()).contains("memory");
    }

    @Test
    void aRotationalDiskThatIsAsFastAsTheBookIsAWarning() throws IOException {
        SyntheticRun run = RUN.on(SyntheticRun.diskFacts("ext4", "yes"), "loopback");
        Validity check = check(run, "plausible:fdatasync");
        assertThat(check.ok()).isFalse();
        assertThat(check.severity()).isEqualTo(Severity.WARNING);
        assertThat(check.detail()).contains("8.33 ms", "cache");
    }
}
