package io.plog.report.disk;

import io.plog.log.Force;
import io.plog.measure.disk.DiskCell;
import io.plog.measure.disk.FileKind;
import io.plog.measure.disk.Neighbour;
import io.plog.measure.disk.Timings;
import io.plog.report.results.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Results whose times are known. */
public final class DiskSamples {
    private DiskSamples() {}

    /** One directory: {@code write} and {@code fdatasync}, 512 B, every kind of file and neighbour, all with these times. */
    public static DiskResults results(long... nanos) {
        List<DiskResults.Cell> cells = new ArrayList<>();
        for (FileKind kind : FileKind.values()) {
            cells.add(cell(new DiskCell(Force.WRITE, kind, 512, 1), nanos));
            cells.add(cell(new DiskCell(Force.FDATASYNC, kind, 512, 1), nanos));
        }
        cells.add(cell(new DiskCell(Force.FDATASYNC, FileKind.INITIALISED, 512, 8), nanos));
        cells.add(cell(new DiskCell(Force.FDATASYNC, FileKind.INITIALISED, 512, 1, Neighbour.LOG), nanos));
        cells.add(cell(new DiskCell(Force.FDATASYNC, FileKind.INITIALISED, 512, 1, Neighbour.READS), nanos));
        Map<String, String> facts =
                Map.of("device", "sda1", "fileSystem", "ext4", "freeBytes", "2147483648", "totalBytes", "1e400");
        return new DiskResults(
                DiskResults.SCHEMA_VERSION,
                DiskResults.KIND,
                "test",
                "2026-11-22T10:00:00Z",
                new Results.Partial(false, ""),
                new DiskResults.Plan(
                        List.of("write", "fdatasync"),
                        List.of(512),
                        List.of(1, 8),
                        List.of("initialised", "growing", "random"),
                        List.of("log", "reads"),
                        1,
                        1,
                        5,
                        5,
                        7),
                Map.of("cpu", "Z80"),
                List.of(new DiskResults.Directory(
                        "/mnt/one",
                        facts,
                        List.of(new DiskResults.Way("fdatasync", true, "written around the page cache")),
                        cells,
                        DiskAnalysis.stableStorage(facts, cells))));
    }

    /** The same on another machine. */
    public static DiskResults on(DiskResults results, Map<String, String> machine) {
        return new DiskResults(
                results.schemaVersion(),
                results.kind(),
                results.plogVersion(),
                results.startedAt(),
                results.partial(),
                results.plan(),
                machine,
                results.directories());
    }

    private static DiskResults.Cell cell(DiskCell cell, long[] nanos) {
        Timings timings = new Timings();
        for (long each : nanos) {
            timings.add(each / 2, each - each / 2);
        }
        return DiskAnalysis.cell(cell, timings);
    }
}
