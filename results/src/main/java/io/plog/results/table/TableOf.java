package io.plog.results.table;

import io.plog.stats.Estimate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a table with a row for each of some things, such as cells: next to a column's heading stands what it says of a thing. For one
 * thread.
 */
public final class TableOf<T> {
    private final Collection<T> things;
    private final String name;
    private final int keys;
    private final List<String> columns = new ArrayList<>();
    private final List<Function<? super T, ? extends @Nullable Object>> values = new ArrayList<>();

    private TableOf(Collection<T> things, String name, int keys) {
        this.things = things;
        this.name = name;
        this.keys = keys;
    }

    /** A table without columns; its name and keys are those of {@link Table}. */
    public static <T> TableOf<T> each(Collection<T> things, String name, int keys) {
        return new TableOf<>(things, name, keys);
    }

    /** Adds a column: a heading, and behind a colon its unit if it has one. */
    public TableOf<T> column(String heading, Function<? super T, ? extends @Nullable Object> value) {
        columns.add(heading);
        values.add(value);
        return this;
    }

    /** Adds three columns, the figure and the ends of its interval; all are empty where there is no figure. */
    public TableOf<T> estimate(
            String value, String low, String high, Function<? super T, ? extends @Nullable Estimate> figure) {
        return column(value, of(figure, Estimate::value))
                .column(low, of(figure, Estimate::low))
                .column(high, of(figure, Estimate::high));
    }

    /** The same of a time in microseconds, with headings that begin with its name. */
    public TableOf<T> micros(String time, Function<? super T, ? extends @Nullable Estimate> figure) {
        return estimate(time + ":µs", time + " low:µs", time + " high:µs", figure);
    }

    private static <T> Function<T, @Nullable Object> of(
            Function<? super T, ? extends @Nullable Estimate> figure, Function<Estimate, @Nullable Double> part) {
        return thing -> {
            Estimate found = figure.apply(thing);
            return found == null ? null : part.apply(found);
        };
    }

    /** The table with all rows. */
    public Table table() {
        Table table = Table.of(name, keys, columns.toArray(String[]::new));
        for (T thing : things) {
            List<@Nullable Object> row = new ArrayList<>();
            values.forEach(value -> row.add(value.apply(thing)));
            table.row(row.toArray());
        }
        return table;
    }
}
