package io.plog.results.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;

/** Which latency; each is named as in {@code results.json}. */
public enum Measure {
    /** From sending a request until its reply had arrived. */
    END_TO_END("endToEnd", "end to end") {
        @Override
        long nanos(Samples samples, int sample) {
            return samples.get(Column.END_TO_END, sample);
        }
    },
    /** Waiting, batch wait, write and force, as the server says. */
    LOGGING("log", "logging") {
        @Override
        long nanos(Samples samples, int sample) {
            return samples.loggingNanos(sample);
        }
    },
    /** The write alone. */
    WRITE("write", "write") {
        @Override
        long nanos(Samples samples, int sample) {
            return samples.get(Column.WRITE, sample);
        }
    },
    /** The force alone. */
    FORCE("force", "force") {
        @Override
        long nanos(Samples samples, int sample) {
            return samples.get(Column.FORCE, sample);
        }
    };

    private final String label;
    private final String words;

    Measure(String label, String words) {
        this.label = label;
        this.words = words;
    }

    /** Of one sample. */
    abstract long nanos(Samples samples, int sample);

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
