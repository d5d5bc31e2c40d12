package io.plog.results.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.results.cells.BlockSeries;
import java.util.List;

/** Which latency; each is named as in {@code results.json}. */
public enum Measure {
    /** From sending a request until its reply had arrived. */
    END_TO_END("endToEnd", "end to end", Column.END_TO_END),
    /** From the time when a request was due until its reply had arrived. */
    FROM_INTENDED("fromIntended", "from the intended time", Column.SENT, Column.END_TO_END) {
        @Override
        long nanos(Samples samples, long sample) {
            return super.nanos(samples, sample) - samples.get(Column.INTENDED, sample);
        }
    },
    /** Waiting, batch wait, write and force, as the server says. */
    LOGGING("log", "logging", Column.WAITING, Column.BATCH_WAIT, Column.WRITE, Column.FORCE),
    /** The write alone. */
    WRITE("write", "write", Column.WRITE),
    /** The force alone. */
    FORCE("force", "force", Column.FORCE);

    private final String label;
    private final String words;

    @SuppressWarnings("ImmutableEnumChecker") // it is
    private final List<Column> columns;

    Measure(String label, String words, Column... columns) {
        this.label = label;
        this.words = words;
        this.columns = List.of(columns);
    }

    /** Of one sample. */
    long nanos(Samples samples, long sample) {
        long nanos = 0;
        for (Column column : columns) {
            nanos += samples.get(column, sample);
        }
        return nanos;
    }

    /** Of a cell's samples that count. */
    BlockSeries of(Samples samples) {
        return BlockSeries.of(samples, sample -> nanos(samples, sample));
    }

    /** As in gates and in JSON. */
    @JsonValue
    public String label() {
        return label;
    }

    /** As people say it. */
    public String words() {
        return words;
    }
}
