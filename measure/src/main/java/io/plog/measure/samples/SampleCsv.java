package io.plog.measure.samples;

import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Exports a sample file as text: a header line with the column names, then a line for each sample, cell by cell. The
 * first two columns are the target's name and the payload size; the others are those of {@link Column}, as numbers.
 */
public final class SampleCsv {
    private SampleCsv() {}

    /**
     * Writes all samples.
     *
     * @param out gets lines that end in a single newline; is not closed
     */
    public static void write(SampleFileReader reader, Writer out) throws IOException {
        Map<Integer, String> names = reader.info().targets().stream()
                .collect(Collectors.toMap(RunInfo.Target::id, RunInfo.Target::name, (first, second) -> first));
        StringBuilder line = new StringBuilder("target,payloadBytes");
        for (Column column : Column.values()) {
            line.append(',').append(column.name());
        }
        out.append(line.append('\n'));
        for (CellKey cell : reader.cells()) {
            String name = quoted(names.getOrDefault(cell.targetId(), String.valueOf(cell.targetId())));
            Samples samples = reader.samples(cell);
            for (int i = 0; i < samples.count(); i++) {
                line.setLength(0);
                line.append(name).append(',').append(cell.payloadBytes());
                for (Column column : Column.values()) {
                    line.append(',').append(samples.get(column, i));
                }
                out.append(line.append('\n'));
            }
        }
    }

    private static String quoted(String name) {
        boolean plain = name.chars().noneMatch(c -> c == ',' || c == '"' || c < ' ');
        return plain ? name : '"' + name.replace("\"", "\"\"") + '"';
    }
}
