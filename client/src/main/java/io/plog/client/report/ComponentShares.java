package io.plog.client.report;

import io.plog.client.load.Column;
import io.plog.client.load.RunInfo;
import io.plog.client.load.Samples;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the mean end-to-end latency goes.
 *
 * <pre>
 * end to end |-- network and client --|---------------------- residence ----------------------|
 *                                     |-- waiting --|-- batch wait --|-- write --|-- force --|-- rest of the server --|
 *                                                                    |- execution -|   (concurrent: part of no sum)
 * </pre>
 *
 * Execution runs while the record is written and forced, so it is not added; what it lasts beyond the force is in the
 * rest of the server. Without logging nothing runs beside it, and it is a part of its own.
 */
final class ComponentShares {
    private ComponentShares() {}

    static Results.Components of(RunInfo.Target target, int payloadBytes, Samples samples, int[] counted) {
        double endToEnd = mean(Column.END_TO_END, samples, counted);
        double residence = mean(Column.RESIDENCE, samples, counted);
        double execution = mean(Column.EXECUTION, samples, counted);
        double waiting = mean(Column.WAITING, samples, counted);
        double batchWait = mean(Column.BATCH_WAIT, samples, counted);
        double write = mean(Column.WRITE, samples, counted);
        double force = mean(Column.FORCE, samples, counted);
        double onPath = Facts.isOff(target) ? execution : 0;
        double rest = residence - waiting - batchWait - write - force - onPath;
        List<Results.Part> parts = new ArrayList<>();
        parts.add(part("network and client", endToEnd - residence, endToEnd));
        parts.add(part("waiting", waiting, endToEnd));
        parts.add(part("batch wait", batchWait, endToEnd));
        parts.add(part("write", write, endToEnd));
        parts.add(part("force", force, endToEnd));
        parts.add(part("execution", onPath, endToEnd));
        parts.add(part("rest of the server", rest, endToEnd));
        return new Results.Components(
                target.name(),
                payloadBytes,
                Units.micros(endToEnd),
                Units.micros(execution),
                List.copyOf(parts),
                List.of(),
                List.of());
    }

    private static Results.Part part(String name, double nanos, double endToEnd) {
        return new Results.Part(name, Units.micros(nanos), endToEnd == 0 ? 0 : Units.rounded(nanos / endToEnd, 5));
    }

    private static double mean(Column column, Samples samples, int[] counted) {
        long sum = 0;
        for (int i : counted) {
            sum += samples.get(column, i);
        }
        return (double) sum / counted.length;
    }
}
