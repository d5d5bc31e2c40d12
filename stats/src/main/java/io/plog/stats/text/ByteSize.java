package io.plog.stats.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes as people write them: {@code 100}, {@code 1k}, {@code 64KiB}. k, M and G are powers of 1000; Ki, Mi and Gi are
 * powers of 1024; a trailing B changes nothing. The one notation for both sides' options.
 */
public final class ByteSize {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})\\s?(k|K|M|G|Ki|Mi|Gi)?B?");
    private static final String[] NAMES = {"GiB", "G", "MiB", "M", "KiB", "k"};
    private static final long[] UNITS = {1L << 30, 1_000_000_000, 1L << 20, 1_000_000, 1L << 10, 1_000};

    private ByteSize() {}

    /**
     * The number of bytes that this text says.
     *
     * @throws IllegalArgumentException if it is not written as above, or is over 2^63 - 1; the message says what is
     *     expected
     */
    public static long parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a size: '" + text + "': expected bytes as 100, 1k, 64KiB or 1M");
        }
        try {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit(matcher.group(2)));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("size '" + text + "' is too large", e);
        }
    }

    /**
     * Reads a size of less than 2 GiB.
     *
     * @throws IllegalArgumentException if it is not a size, or is larger
     */
    public static int parseInt(String text) {
        return toInt(parse(text));
    }

    /**
     * The same number of bytes where an int is what there is room for.
     *
     * @throws IllegalArgumentException if it is over 2^31 - 1
     */
    public static int toInt(long bytes) {
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("size " + format(bytes) + " is too large: expected less than 2GiB");
        }
        return (int) bytes;
    }

    private static long unit(@org.jspecify.annotations.Nullable String name) {
        if (name == null) {
            return 1;
        }
        return switch (name) {
            case "k", "K" -> 1_000L;
            case "M" -> 1_000_000L;
            case "G" -> 1_000_000_000L;
            case "Ki" -> 1L << 10;
            case "Mi" -> 1L << 20;
            default -> 1L << 30;
        };
    }

    /** The shortest way to write exactly this many bytes, one that {@link #parse} reads. */
    public static String format(long bytes) {
        String best = Long.toString(bytes);
        for (int i = 0; bytes != 0 && i < UNITS.length; i++) {
            String number = Long.toString(bytes / UNITS[i]);
            if (bytes % UNITS[i] == 0 && number.length() < best.length() - NAMES[i].length() + 1) {
                return number + NAMES[i];
            }
        }
        return best;
    }
}
