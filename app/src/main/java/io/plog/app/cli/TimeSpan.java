package io.plog.app.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as people write them, in the options of every command: {@code 500us}, {@code 20ms}, {@code 2.5s}, {@code 5m},
 * {@code 1h}, and {@code 0}. Stateless.
 */
public final class TimeSpan {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)(us|[µμ]s|ms|s|m|h)");

    private TimeSpan() {}

    /** A limit that is far from overflowing a long in nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(365);

    /**
     * Reads a time of at most a year. Parts of a nanosecond are cut off.
     *
     * @throws IllegalArgumentException if it is not written as above, or is longer
     */
    public static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no time: expected a number and a unit, as 500us, 20ms, 2.5s, 5m or 1h, or 0");
        }
        long unitNanos = switch (matcher.group(2)) {
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> 1_000L;
        };
        BigDecimal nanos = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unitNanos));
        if (nanos.compareTo(BigDecimal.valueOf(LONGEST.toNanos())) > 0) {
            throw new IllegalArgumentException("'" + text + "' is too long: expected at most 8760h");
        }
        return Duration.ofNanos(nanos.longValue());
    }
}
