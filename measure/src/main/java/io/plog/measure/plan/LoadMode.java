package io.plog.measure.plan;

/** What decides when a request is sent. {@code docs/measurement.md} defines the three. */
public enum LoadMode implements JsonLabelled {
    /** The next one when a reply is there: each connection keeps so many under way. */
    CLOSED,
    /** At its intended time, whether or not earlier ones were answered. */
    OPEN,
    /** At its intended time, but on its connection only behind the reply before it; connections are made anew. */
    PARTLY_OPEN;

    /** Whether requests have intended times. */
    public boolean isScheduled() {
        return this != CLOSED;
    }
}
