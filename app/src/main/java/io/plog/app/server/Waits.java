package io.plog.app.server;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time as an option has it: {@code 500us}, {@code 20ms}, {@code 2s}, or {@code 0}. */
final class Waits implements ITypeConverter<Duration> {
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(us|ms|s)");

    @Override
    public Duration convert(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            throw new TypeConversionException("'" + text + "': expected a time such as 500us, 20ms or 2s, or 0");
        }
        long number = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "us" -> Duration.ofNanos(1_000 * number);
            case "ms" -> Duration.ofMillis(number);
            default -> Duration.ofSeconds(number);
        };
    }
}
