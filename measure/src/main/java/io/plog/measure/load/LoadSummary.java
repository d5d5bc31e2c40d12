package io.plog.measure.load;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results of the load on one target: its rates, its errors and whether the offered rate was kept. Counts and rates are of the stretch that
 * counts, without the warm-up; {@code docs/measurement.md} defines every figure.
 *
 * @param target the target's name
 * @param seconds how long that stretch was
 * @param offeredPerSecond requests that were due in it by their intended times, a second; null in a closed loop
 * @param answeredPerSecond replies that came in it, of whatever status, a second
 * @param acceptedPerSecond replies with status OK that came in it, a second
 * @param megabytesPerSecond payload of those one way, in millions of bytes a second
 * @param loggedShare the share of the requests sent that were to be logged; null if none was sent
 * @param sent requests that belong to the stretch
 * @param accepted those of them that were answered with OK
 * @param errors those that were not, by status
 * @param refusedShare the share of {@code OVERLOADED} among the requests sent, 0 to 1
 * @param sustained whether the offered rate was kept: at least 99 % of it answered; true in a closed loop
 * @param latency from sending to reply, of those answered with OK, of whatever size and kind; null if there are none
 * @param lag how much later than it could have been each request was sent; null in a closed loop
 * @param held how long requests that were due waited for their connection; null if none did
 * @param connects how long connections took to be set up, of those made for a counted request; null if none was
 * @param backlogAtStart requests that were due and had no reply, when the stretch began
 * @param backlogAtEnd the same when it ended
 * @param mostOutstanding the most requests that were ever due or under way, warm-up included
 * @param connectionsMade over the whole run
 * @param connectionsFailed attempts that came to nothing, after the load had begun
 * @param connectionsLost connections that ended by themselves
 */
public record LoadSummary(
        String target,
        double seconds,
        @Nullable Double offeredPerSecond,
        double answeredPerSecond,
        double acceptedPerSecond,
        double megabytesPerSecond,
        @Nullable Double loggedShare,
        long sent,
        long accepted,
        Map<String, Long> errors,
        double refusedShare,
        boolean sustained,
        @Nullable Times latency,
        @Nullable Times lag,
        @Nullable Times held,
        @Nullable Times connects,
        long backlogAtStart,
        long backlogAtEnd,
        long mostOutstanding,
        long connectionsMade,
        long connectionsFailed,
        long connectionsLost) {

    /**
     * Durations in microseconds; percentiles by nearest rank.
     *
     * @param count how many there were
     */
    public record Times(long count, double mean, double p50, double p99, double max) {}
}
