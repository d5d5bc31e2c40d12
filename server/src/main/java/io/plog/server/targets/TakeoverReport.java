package io.plog.server.targets;

import java.time.Duration;

/**
 * How long the steps took in which a standby took a log over.
 *
 * @param waited for its turn, since it joined the queue
 * @param opened from its turn until the log was open: the server before is fenced, and what that wrote is recovered
 * @param replayed until the state was made again
 * @param all from its turn until requests were served
 * @param followed the last record that it had applied while it waited; 0 if none
 * @param records that were replayed
 */
public record TakeoverReport(
        Duration waited, Duration opened, Duration replayed, Duration all, long followed, long records) {
    /** The same in words, a part of a sentence. */
    public String sentence() {
        return "waited " + waited.toMillis() + " ms for its turn, "
                + (followed == 0 ? "" : "had applied up to record " + followed + ", ") + "fenced and opened in "
                + opened.toMillis()
                + " ms, replayed " + records + " records in " + replayed.toMillis() + " ms, serves " + all.toMillis()
                + " ms after its turn came";
    }
}
