package io.plog.measure.load;

import java.time.Duration;

/** Receives the progress of a load, about twice a second, on a thread of the run. */
@FunctionalInterface
public interface LoadListener {
    /** Ignores everything. */
    LoadListener NONE = progress -> {};

    /** Must return quickly. An exception ends the reports, not the run. */
    void progress(Progress progress);

    /**
     * How far it is.
     *
     * @param target the target under load
     * @param elapsed since the load began, warm-up included; zero while it connects
     * @param planned how long it will be; zero if a number of requests ends it
     * @param answered requests with replies so far
     * @param perSecond replies a second since the report before
     * @param outstanding requests due or under way
     */
    record Progress(
            String target, Duration elapsed, Duration planned, long answered, double perSecond, long outstanding) {}
}
