package io.plog.server.targets;

import java.time.Duration;

/**
 * How long the steps took in which a standby took a log over.
 *
 * @param waited for its turn, since it joined the queue
 * @param all from its turn until requests were served
 * @param opening the log was opened, which fences the server before, and the state was made again
 */
public record TakeoverReport(Duration waited, Duration all, OpeningReport opening) {
    /** The report as a part of a sentence. */
    public String sentence() {
        ReplayReport replay = opening.replay();
        long followed = replay.followedIndex();
        return "waited " + waited.toMillis() + " ms for its turn, "
                + (followed == 0 ? "" : "had applied up to record " + followed + ", ") + "fenced and opened in "
                + opening.duration().toMillis() + " ms, replayed " + replay.requests() + " records in "
                + replay.duration().toMillis() + " ms, serves " + all.toMillis() + " ms after its turn came";
    }
}
