package io.plog.report.compare;

import com.fasterxml.jackson.annotation.JsonValue;

/** Which latency. */
public enum Measure {
    /** From sending a request until its reply had arrived. */
    END_TO_END("e2e", "end to end"),
    /** Waiting, batch wait, write and force, as the server says. */
    LOGGING("log", "logging");

    private final String label;
    private final String words;

    Measure(String label, String words) {
        this.label = label;
        this.words = words;
    }

    /** As in gates and in JSON. */
    @JsonValue
    public String label() {
        return label;
    }

    /** As people say it. */
    String words() {
        return words;
    }
}
