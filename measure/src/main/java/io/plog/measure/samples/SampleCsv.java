package io.plog.measure.samples;

import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Exports a sample file as text: a header line with the column names, then a line for each sample, cell by cell. The
 * first two columns are the target's name and the payload size, then come those of {@link Column}, as numbers, and last the way of
 * forcing and what else tells the targets from each other (empty where one has none of it).
 */
public final class SampleCsv {
    private SampleCsv() {}

    /**
     * Writes all samples.
     *
     * @param out gets lines that end in a single newline; is not closed
     */
    public static void write(SampleFileReader reader, Writer out) throws IOException {
        Map<Integer, RunInfo.Target> targets = new LinkedHashMap<>();
        Set<String> dimensions = new LinkedHashSet<>();
        for (RunInfo.Target target : reader.info().targets()) {
            targets.putIfAbsent(target.id(), target);
            dimensions.addAll(target.dimensions().keySet());
        }
        StringBuilder line = new StringBuilder("target,payloadBytes");
        for (Column column : Column.values()) {
            line.append(',').append(column.name());
        }
        line.append(",force");
        dimensions.forEach(dimension -> line.append(',').append(quoted(dimension)));
        out.append(line.append('\n'));
        for (CellKey cell : reader.cells()) {
            int id = cell.targetId();
            RunInfo.Target target = targets.getOrDefault(id, new RunInfo.Target(id, String.valueOf(id), "", Map.of()));
            String begin = quoted(target.name()) + "," + cell.payloadBytes();
            StringBuilder end = new StringBuilder(",").append(target.force());
            for (String dimension : dimensions) {
                end.append(',').append(quoted(target.dimensions().getOrDefault(dimension, "")));
            }
            Samples samples = reader.samples(cell);
            for (long i = 0; i < samples.count(); i++) {
                line.setLength(0);
                line.append(begin);
                for (Column column : Column.values()) {
                    line.append(',').append(samples.get(column, i));
                }
                out.append(line.append(end).append('\n'));
            }
        }
    }

    private static String quoted(String name) {
        boolean plain = name.chars().noneMatch(c -> c == ',' || c == '"' || c < ' ');
        return plain ? name : '"' + name.replace("\"", "\"\"") + '"';
    }
}
