package io.plog.report.figure;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a figure draws, as rows of numbers and words.
 *
 * @param columns names with units
 * @param rows as many values each as there are columns: numbers, text, or null where there is none
 */
public record Table(List<String> columns, List<List<@Nullable Object>> rows) {

    /** A row. */
    public static List<@Nullable Object> row(@Nullable Object... values) {
        return Collections.unmodifiableList(Arrays.asList(values));
    }

    /** As {@link io.plog.report.table.Table#csv}. */
    public String csv() {
        return new io.plog.report.table.Table(
                        "",
                        0,
                        columns.stream()
                                .map(name -> new io.plog.report.table.Table.Column(name, ""))
                                .toList(),
                        rows)
                .csv();
    }
}
