package io.plog.measure.samples;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Exports the counted samples as an HdrHistogram log, which existing viewers open: two tagged histograms for each cell,
 * {@code <target>-<bytes>B-endToEnd} and {@code <target>-<bytes>B-logging}. Values are nanoseconds with three
 * significant digits, the intervals' times are seconds since the epoch, and the log's own maximum column is in
 * milliseconds.
 */
public final class HdrLog {
    /** The name of the file within a results directory. */
    public static final String FILE_NAME = "latency.hlog";

    private static final double NANOS_PER_MILLI = 1e6;
    private static final int SIGNIFICANT_DIGITS = 3;

    private HdrLog() {}

    /**
     * Writes the log, in place of one that may be there.
     *
     * @throws IOException if the samples cannot be read or the log not be written
     */
    public static void write(SampleFileReader reader, Path file) throws IOException {
        try (OutputStream bytes = Files.newOutputStream(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING);
                PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            write(reader, new HistogramLogWriter(out));
            if (out.checkError()) {
                throw new IOException(file + ": cannot be written");
            }
        }
    }

    private static void write(SampleFileReader reader, HistogramLogWriter log) throws IOException {
        RunInfo info = reader.info();
        Map<Integer, String> names = info.targets().stream()
                .collect(Collectors.toMap(RunInfo.Target::id, RunInfo.Target::name, (first, second) -> first));
        long startedAt = Instant.parse(info.startedAt()).toEpochMilli();
        log.outputComment("[plog " + info.plogVersion() + ", values in nanoseconds, counted requests only]");
        log.outputLogFormatVersion();
        log.outputStartTime(startedAt);
        log.outputLegend();
        for (CellKey cell : reader.cells()) {
            Samples samples = reader.samples(cell);
            String tag = tagSafe(names.getOrDefault(cell.targetId(), "target" + cell.targetId())) + "-"
                    + cell.payloadBytes() + "B-";
            output(log, tag + "endToEnd", startedAt, samples, false);
            output(log, tag + "logging", startedAt, samples, true);
        }
    }

    private static void output(HistogramLogWriter log, String tag, long startedAt, Samples samples, boolean logging) {
        Histogram histogram = new Histogram(SIGNIFICANT_DIGITS);
        histogram.setTag(tag);
        long first = Long.MAX_VALUE;
        long last = 0;
        for (int i = 0; i < samples.count(); i++) {
            if (samples.isCounted(i)) {
                long endToEnd = samples.get(Column.END_TO_END, i);
                histogram.recordValue(Math.max(0, logging ? samples.loggingNanos(i) : endToEnd));
                first = Math.min(first, samples.get(Column.SENT, i));
                last = Math.max(last, samples.get(Column.SENT, i) + endToEnd);
            }
        }
        if (histogram.getTotalCount() > 0) {
            histogram.setStartTimeStamp(startedAt + first / 1_000_000);
            histogram.setEndTimeStamp(startedAt + last / 1_000_000);
            log.outputIntervalHistogram(
                    histogram.getStartTimeStamp() / 1000.0,
                    histogram.getEndTimeStamp() / 1000.0,
                    histogram,
                    NANOS_PER_MILLI);
        }
    }

    /** Tags must not hold commas or white space. */
    private static String tagSafe(String name) {
        return name.replaceAll("[,\\s]", "_");
    }
}
