package io.plog.report.disk;

import io.plog.host.MachineFacts;
import io.plog.measure.disk.DiskPlan;
import io.plog.measure.disk.DiskRun;
import io.plog.measure.disk.FileKind;
import io.plog.measure.disk.MeasuredDirectory;
import io.plog.measure.disk.Neighbour;
import io.plog.report.results.Results;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Puts a run's results together. Stateless. */
public final class DiskReport {
    private DiskReport() {}

    /**
     * The results of a measurement that began at {@code startedAt}, ISO-8601 in UTC.
     *
     * @param conditions what else is to be known of the machine, by name
     */
    public static DiskResults of(
            DiskPlan plan,
            List<MeasuredDirectory> directories,
            DiskRun run,
            String startedAt,
            Map<String, String> conditions) {
        Map<String, String> machine = new TreeMap<>(MachineFacts.collect());
        machine.putAll(conditions);
        return new DiskResults(
                DiskResults.SCHEMA_VERSION,
                DiskResults.KIND,
                MachineFacts.version(),
                startedAt,
                new Results.Partial(
                        run.isStopped(),
                        run.isStopped()
                                ? "interrupted after " + run.blocksDone() + " of " + DiskPlan.BLOCKS + " blocks"
                                : ""),
                plan(plan, run.blocksDone()),
                machine,
                directories.stream().map(directory -> directory(directory, run)).toList());
    }

    /** What is to be measured, as the results have it. */
    public static DiskResults.Plan plan(DiskPlan plan, int blocksDone) {
        return new DiskResults.Plan(
                plan.forces().stream().map(force -> force.label()).toList(),
                plan.sizesBytes(),
                plan.shared(),
                plan.kinds().stream().map(FileKind::label).toList(),
                plan.neighbours().stream().map(Neighbour::label).toList(),
                plan.seconds(),
                plan.maxWriteBytes(),
                DiskPlan.BLOCKS,
                blocksDone,
                plan.seed());
    }

    private static DiskResults.Directory directory(MeasuredDirectory directory, DiskRun run) {
        List<DiskResults.Cell> cells = run.timings(directory).entrySet().stream()
                .map(measured -> DiskAnalysis.cell(measured.getKey(), measured.getValue()))
                .toList();
        return new DiskResults.Directory(
                directory.path().toString(),
                directory.facts().asMap(),
                directory.ways().stream()
                        .map(way -> new DiskResults.Way(way.force().label(), way.available(), way.detail()))
                        .toList(),
                cells,
                DiskAnalysis.stableStorage(directory.facts().asMap(), cells));
    }
}
