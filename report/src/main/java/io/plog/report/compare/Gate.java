package io.plog.report.compare;

import io.plog.stats.text.ByteSize;
import io.plog.stats.text.ClosestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition under which a run is not good enough.
 *
 * <pre>
 * gate    = [measure "."] figure ["@" target] [":" size] operator limit
 * measure = "e2e" | "log"                                        end to end unless said
 * figure  = "mean" | "p5" | "p50" | "p95" | "p99" | "p999" | "max"
 * operator = "&gt;" | "&gt;=" | "&lt;" | "&lt;="
 * limit   = number "x" | ["+" | "-"] number "%"                  of the baseline's figure
 *         | number ("ns" | "us" | "µs" | "ms" | "s")             a time
 * </pre>
 *
 * Without a target or a size it is meant for every target or size.
 *
 * @param text as it was given, without spaces around it
 * @param above whether a figure above the limit fails; otherwise one below it
 * @param inclusive whether a figure equal to the limit fails
 * @param relative whether the limit is a multiple of the baseline's figure
 * @param limit the multiple, above 0; or nanoseconds, at least 0
 */
public record Gate(
        String text,
        Measure measure,
        Statistic figure,
        Optional<String> target,
        OptionalInt payloadBytes,
        boolean above,
        boolean inclusive,
        boolean relative,
        double limit) {

    private static final Pattern TEXT =
            Pattern.compile("([^<>=@:\\s]+)\\s*(?:@([^<>=:\\s]+))?\\s*(?::([^<>=]+?))?\\s*(<=|>=|<|>)\\s*(.+)");
    private static final Pattern LIMIT = Pattern.compile("([+-]?)(\\d{1,12}(?:\\.\\d{1,9})?)\\s*(x|%|ns|us|µs|ms|s)");
    private static final String EXAMPLES = "as 'p99 > 1.1x', 'log.p50@main:1k > 500us' or 'mean > +10%'";

    /**
     * The gate that a text describes.
     *
     * @throws IllegalArgumentException if it does not; the message says where, and what would have been right
     */
    public static Gate parse(String given) {
        String text = given.strip();
        Matcher gate = TEXT.matcher(text);
        if (!gate.matches()) {
            throw new IllegalArgumentException("gate '" + text
                    + "': expected FIGURE[@TARGET][:SIZE], then > >= < or <=, then a limit, " + EXAMPLES);
        }
        String name = gate.group(1);
        boolean logging = name.startsWith("log.");
        String label = logging || name.startsWith("e2e.") ? name.substring(4) : name;
        Statistic figure =
                Statistic.of(label).orElseThrow(() -> new IllegalArgumentException(unknownFigure(text, name)));
        Matcher limit = LIMIT.matcher(gate.group(5));
        if (!limit.matches()) {
            throw new IllegalArgumentException("gate '" + text + "': limit '" + gate.group(5)
                    + "', expected a multiple of the baseline as 1.1x or +10%, or a time as 500us or 10ms");
        }
        return new Gate(
                text,
                logging ? Measure.LOGGING : Measure.END_TO_END,
                figure,
                Optional.ofNullable(gate.group(2)),
                gate.group(3) == null ? OptionalInt.empty() : OptionalInt.of(size(text, gate.group(3))),
                gate.group(4).startsWith(">"),
                gate.group(4).endsWith("="),
                limit.group(3).equals("x") || limit.group(3).equals("%"),
                limit(text, limit));
    }

    private static String unknownFigure(String text, String name) {
        List<String> known = new ArrayList<>(Statistic.labels());
        Statistic.labels().forEach(label -> known.add("log." + label));
        Statistic.labels().forEach(label -> known.add("e2e." + label));
        return "gate '" + text + "': there is no figure " + name
                + ClosestName.to(name, known)
                        .map(nearest -> "; did you mean " + nearest + "?")
                        .orElse("")
                + " Expected one of " + String.join(", ", Statistic.labels()) + ", with log. or e2e. before it";
    }

    private static int size(String text, String size) {
        try {
            return Math.toIntExact(ByteSize.parse(size.strip()));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "gate '" + text + "': size '" + size.strip() + "', expected bytes as 100, 1k or 64KiB", e);
        }
    }

    private static double limit(String text, Matcher limit) {
        boolean signed = !limit.group(1).isEmpty();
        double number = Double.parseDouble(limit.group(2)) * (limit.group(1).equals("-") ? -1 : 1);
        double value = switch (limit.group(3)) {
            case "%" -> 1 + number / 100;
            case "us", "µs" -> number * 1e3;
            case "ms" -> number * 1e6;
            case "s" -> number * 1e9;
            default -> number;
        };
        boolean percent = limit.group(3).equals("%");
        if (value < 0 || (value == 0 && (percent || limit.group(3).equals("x"))) || (signed && !percent)) {
            throw new IllegalArgumentException("gate '" + text + "': limit '" + limit.group()
                    + "', expected a multiple above 0, a change above -100%, or a time without a sign");
        }
        if (percent && !signed) {
            throw new IllegalArgumentException("gate '" + text + "': limit '" + limit.group() + "', expected +"
                    + limit.group() + " for that much more, or -" + limit.group() + " for less");
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
