package io.plog.measure.load;

import io.plog.stats.text.ClosestName;
import java.util.List;
import java.util.Locale;

/** What decides when a request is sent. {@code docs/measurement.md} defines the three. */
public enum LoadMode {
    /** The next one when a reply is there: each connection keeps so many under way. */
    CLOSED,
    /** At its intended time, whether or not earlier ones were answered. */
    OPEN,
    /** At its intended time, but on its connection only behind the reply before it; connections are made anew. */
    PARTLY_OPEN;

    /** As options and files say it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether requests have intended times. */
    public boolean isScheduled() {
        return this != CLOSED;
    }

    /**
     * The mode with this label.
     *
     * @throws IllegalArgumentException if there is none; the message names the nearest
     */
    public static LoadMode of(String label) {
        return ClosestName.choose("load", label, List.of(values()), LoadMode::label);
    }
}
