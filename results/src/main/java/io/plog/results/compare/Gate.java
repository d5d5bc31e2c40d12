package io.plog.results.compare;

import io.plog.stats.text.ByteSize;
import io.plog.stats.text.ClosestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A condition under which what was measured is not good enough.
 * {@code docs/measurement.md} has the grammar.
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
    private static final Pattern LIMIT =
            Pattern.compile("([+-]?)(\\d{1,12}(?:\\.\\d{1,9})?)\\s*(x|%|ns|us|[µμ]s|ms|s|)");
    private static final String REFUSED = "refusedShare";
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

    /**
     * The gate that fails where a condition does not hold, which is a gate turned round, such as {@code p99 < 10ms}. A latency without
     * its measure counts from the intended time.
     *
     * @throws IllegalArgumentException if the text is none for a latency or a share; the message says what would have been right
     */
    public static Gate ofCondition(String given) {
        String text = given.strip().replaceFirst("^(p\\d\\d)\\.(\\d\\d?)(?=\\W)", "$1$2");
        boolean bare = Statistic.labels().contains(text.split("[@<>\\s]", 2)[0]);
        Gate gate = parse((bare ? Measure.FROM_INTENDED.label() + "." : "") + text);
        if (gate.above
                || gate.relative
                || !(gate.isOfLatency() || gate.figure.name().equals(REFUSED))) {
            throw new IllegalArgumentException("condition '" + given + "': expected a latency or " + REFUSED
                    + ", then < or <=, then a limit, as 'p99 < 10ms' or 'refusedShare < 0.01'");
        }
        return new Gate(given.strip(), gate.figure, gate.where, true, !gate.inclusive, false, gate.limit);
    }

    /** Whether it is about a latency. */
    public boolean isOfLatency() {
        return figure.latency() != null;
    }

    /** Whether it is about what a search for the largest rate finds. */
    public boolean isOfMaxRate() {
        return figure.name().equals("maxRate");
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

    /**
     * The cells that it is meant for: those that have its figure and every value that it names, at least one.
     *
     * @throws IllegalArgumentException if none has the figure, or the gate names a dimension or a value that none of them has, or
     *     values that none has together; the message says what there is
     */
    List<MeasuredCell> cells(List<MeasuredCell> all) {
        List<MeasuredCell> cells = all.stream()
                .filter(cell -> figure.isOfLoad() ? cell.isLoad() : cell.target() != null)
                .toList();
        if (cells.isEmpty() && figure.isOfLoad()) {
            throw refused(figure.name() + " is a figure of a load, and this is none");
        }
        List<Map<String, String>> dimensions =
                cells.stream().map(MeasuredCell::dimensions).toList();
        where.forEach((name, value) -> check(dimensions, name, value));
        List<MeasuredCell> named = cells.stream()
                .filter(cell -> cell.dimensions().entrySet().containsAll(where.entrySet()))
                .toList();
        if (named.isEmpty()) {
            throw refused("no cell that was measured has all that it names");
        }
        return figure.latency() == null
                ? named
                : withLatency(named, figure.latency().measure());
    }

    private List<MeasuredCell> withLatency(List<MeasuredCell> named, Measure measure) {
        List<MeasuredCell> found =
                named.stream().filter(cell -> cell.has(measure)).toList();
        if (found.isEmpty()) {
            throw refused("what it names "
                    + (measure == Measure.END_TO_END || measure == Measure.FROM_INTENDED
                            ? "is an append without a request, so it has no latency end to end; its own is log"
                            : "is not logged, so it has no " + measure.words() + " latency; it has "
                                    + Measure.END_TO_END.label() + " and " + Measure.FROM_INTENDED.label()));
        }
        return found;
    }

    private void check(List<Map<String, String>> cells, String name, String value) {
        Set<String> names = new LinkedHashSet<>();
        Set<String> values = new LinkedHashSet<>();
        for (Map<String, String> cell : cells) {
            names.addAll(cell.keySet());
            String found = cell.get(name);
            if (found != null) {
                values.add(MeasuredCell.words(name, found));
            }
        }
        if (!names.contains(name)) {
            throw unknown("dimension " + name, name, names);
        }
        String words = MeasuredCell.words(name, value);
        if (!values.contains(words)) {
            throw unknown(name + " " + words, words, values);
        }
    }

    private IllegalArgumentException unknown(String what, String name, Set<String> known) {
        return refused("there is no " + what
                + ClosestName.to(name, new ArrayList<>(known))
                        .map(nearest -> "; did you mean " + nearest + "?")
                        .orElse(".")
                + " Expected one of " + known.stream().collect(Collectors.joining(", ")));
    }

    IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("gate '" + text + "': " + why);
    }
}
