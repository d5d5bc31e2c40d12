package io.plog.app.load;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/** The time of {@code --start-at}, at which loads of several processes or machines begin together. Stateless. */
final class StartTime {
    /** From when on a load prepares itself: what it uses up while it waits for longer is none of the run's. */
    static final Duration PREPARATION = Duration.ofSeconds(10);

    private static final Duration LONGEST = Duration.ofHours(24);

    private StartTime() {}

    /**
     * Reads it.
     *
     * @param text an instant as ISO 8601 has it, or a time of today in the zone
     * @throws IllegalArgumentException if it is neither, has passed, or is further away than a day
     */
    static Instant parse(String text, Instant now, ZoneId zone) {
        Instant at;
        try {
            at = text.indexOf('T') > 0
                    ? Instant.parse(text)
                    : LocalDate.ofInstant(now, zone)
                            .atTime(LocalTime.parse(text))
                            .atZone(zone)
                            .toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "--start-at is '" + text + "': expected a time of today, as 14:30:00, or an instant, as "
                            + now.truncatedTo(ChronoUnit.SECONDS),
                    e);
        }
        if (!at.isAfter(now) || Duration.between(now, at).compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("--start-at is " + at + ", and it is " + now
                    + " by this machine's clock: expected a time of the next 24 hours");
        }
        return at;
    }
}
