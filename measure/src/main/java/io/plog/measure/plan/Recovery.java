package io.plog.measure.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * How long a server takes to come back from {@code kill -9}, for logs of some lengths with some distances between checkpoints.
 *
 * @param requests after how many acknowledged requests to kill the server of each log
 * @param checkpoints after how many bytes of log its server saves its state; 0 for never
 * @param trials how often each server is killed, in random order over all logs, 1 to 100
 * @param seed decides the order
 */
public record Recovery(
        List<Long> requests, @JsonProperty("checkpoint") List<Long> checkpoints, int trials, long seed)
        implements Plan {
    /** Requests under way at any time. */
    public static final int OUTSTANDING = 64;

    /** Payload of each request. */
    public static final int PAYLOAD_BYTES = 1_000;

    /** The dimension of a log's cell that says after how much of it the server saves its state. */
    public static final String CHECKPOINT = "checkpoint";

    /** The dimension that says after how many requests it was killed first. */
    public static final String REQUESTS = "requests";

    /** The name of the target. */
    public static final String TARGET = "main";

    private static final long MOST_REQUESTS = 100_000_000;

    /**
     * Checks every value and copies the lists.
     *
     * @throws IllegalArgumentException if one is out of its range; the message names it, its value and the range
     */
    public Recovery {
        requests = Values.some("--requests", requests);
        checkpoints = Values.some("--checkpoint", checkpoints);
        requests.forEach(each -> Values.inRange("--requests", each, 2L * OUTSTANDING, MOST_REQUESTS));
        Values.inRange("--trials", trials, 1, 100);
    }

    @Override
    public int blocks() {
        return 1;
    }

    @Override
    public List<Integer> sizesBytes() {
        return List.of(PAYLOAD_BYTES);
    }

    @Override
    public List<String> targets() {
        return List.of(TARGET);
    }

    @Override
    public boolean isScheduled() {
        return false;
    }
}
