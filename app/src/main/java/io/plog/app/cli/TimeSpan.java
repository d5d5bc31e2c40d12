package io.plog.app.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them: {@code 100ms}, {@code 30s}, {@code 5m}, {@code 1h}. */
public final class TimeSpan {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\s?(ms|s|m|min|h)");

    private TimeSpan() {}

    /**
     * The time that this text says.
     *
     * @param option whose value it is, for the message
     * @throws IllegalArgumentException if it is not written as above
     */
    public static Duration parse(String option, String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(option + " is '" + text + "': expected a time as 100ms, 30s, 5m or 1h");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofMinutes(number);
        };
    }
}
