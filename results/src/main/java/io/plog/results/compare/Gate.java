package io.plog.results.compare;

import io.plog.stats.text.ByteSize;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition under which what was measured is not good enough.
 *
 * <pre>
 * gate      = figure ["@" dimension "=" value {"," dimension "=" value}] operator limit
 * figure    = measure "." statistic | number of the results     as log.p99 or answeredPerSecond
 * measure   = "endToEnd" | "log" | "write" | "force"
 * statistic = "mean" | "p5" | "p50" | "p95" | "p99" | "p999" | "max"
 * operator  = "&gt;" | "&gt;=" | "&lt;" | "&lt;="
 * limit     = number "x" | ("+" | "-") number "%"                of the baseline's figure
 *           | number ("ns" | "us" | "µs" | "ms" | "s")           a time
 *           | number                                             of what is no time
 * </pre>
 *
 * It is meant for every cell that has the figure and all values named.
 *
 * @param text as it was given, without spaces around it
 * @param where values by dimension; a size in bytes
 * @param above whether a figure above the limit fails; otherwise one below it
 * @param inclusive whether a figure equal to the limit fails
 * @param relative whether the limit is a multiple of the baseline's figure
 * @param limit the multiple, above 0; microseconds of a time, or a number, at least 0
 */
public record Gate(
        String text,
        Figure figure,
        Map<String, String> where,
        boolean above,
        boolean inclusive,
        boolean relative,
        double limit) {

    private static final Pattern TEXT = Pattern.compile("([^<>=@\\s]+)\\s*(?:@\\s*([^<>]+?))?\\s*(<=|>=|<|>)\\s*(.+)");
    private static final Pattern LIMIT = Pattern.compile("([+-]?)(\\d{1,12}(?:\\.\\d{1,9})?)\\s*(x|%|ns|us|µs|ms|s|)");
    private static final String EXAMPLES =
            "as 'endToEnd.p99 > 1.1x', 'log.p50@target=main,size=1k > 500us' or 'answeredPerSecond < 900'";

    /**
     * The gate that a text describes.
     *
     * @throws IllegalArgumentException if it does not; the message says where, and what would have been right
     */
    public static Gate parse(String given) {
        String text = given.strip();
        Matcher gate = TEXT.matcher(text);
        try {
            if (!gate.matches()) {
                throw new IllegalArgumentException(
                        "expected FIGURE[@DIMENSION=VALUE,...], then > >= < or <=, then a" + " limit, " + EXAMPLES);
            }
            Figure figure = Figure.of(gate.group(1));
            Matcher limit = LIMIT.matcher(gate.group(4));
            if (!limit.matches()) {
                throw new IllegalArgumentException("limit '" + gate.group(4) + "', expected " + expected(figure));
            }
            return new Gate(
                    text,
                    figure,
                    where(gate.group(2)),
                    gate.group(3).startsWith(">"),
                    gate.group(3).endsWith("="),
                    limit.group(3).equals("x") || limit.group(3).equals("%"),
                    limit(figure, limit));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("gate '" + text + "': " + e.getMessage(), e);
        }
    }

    private static Map<String, String> where(String given) {
        Map<String, String> where = new LinkedHashMap<>();
        for (String each : given == null ? new String[0] : given.split(",", -1)) {
            String[] parts = each.split("=", 2);
            String name = parts[0].strip();
            if (parts.length < 2 || name.isEmpty() || parts[1].isBlank()) {
                throw new IllegalArgumentException(
                        "'" + each.strip() + "' behind the @, expected DIMENSION=VALUE, " + EXAMPLES);
            }
            String value = parts[1].strip();
            if (where.put(name, name.equals(MeasuredCell.SIZE) ? size(value) : value) != null) {
                throw new IllegalArgumentException(name + " is named twice");
            }
        }
        return where;
    }

    private static String size(String size) {
        try {
            return Integer.toString(Math.toIntExact(ByteSize.parse(size)));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException("size '" + size + "', expected bytes as 100, 1k or 64KiB", e);
        }
    }

    private static String expected(Figure figure) {
        return "a multiple of the baseline as 1.1x or +10%, or a "
                + (figure.isTime() ? "time as 500us or 10ms" : "number as 900 or 0.05");
    }

    private static double limit(Figure figure, Matcher limit) {
        String unit = limit.group(3);
        boolean signed = !limit.group(1).isEmpty();
        double number = Double.parseDouble(limit.group(2)) * (limit.group(1).equals("-") ? -1 : 1);
        double value = switch (unit) {
            case "%" -> 1 + number / 100;
            case "ns" -> number / 1e3;
            case "ms" -> number * 1e3;
            case "s" -> number * 1e6;
            default -> number;
        };
        boolean percent = unit.equals("%");
        boolean relative = percent || unit.equals("x");
        if (!relative && figure.isTime() == unit.isEmpty()) {
            throw new IllegalArgumentException(
                    "limit '" + limit.group() + "' of " + figure.name() + ", expected " + expected(figure));
        }
        if (value < 0 || (value == 0 && relative) || (signed && !percent)) {
            throw new IllegalArgumentException("limit '" + limit.group()
                    + "', expected a multiple above 0, a change above -100%, or a limit without a sign");
        }
        if (percent && !signed) {
            throw new IllegalArgumentException("limit '" + limit.group() + "', expected +" + limit.group()
                    + " for that much more, or -" + limit.group() + " for less");
        }
        return value;
    }

    /** Whether a figure (or a multiple of the baseline's) is beyond the limit. */
    boolean isBeyond(double value) {
        if (value == limit) {
            return inclusive;
        }
        return above ? value > limit : value < limit;
    }
}
