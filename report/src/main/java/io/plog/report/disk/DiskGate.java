package io.plog.report.disk;

import io.plog.measure.disk.FileKind;
import io.plog.measure.disk.Neighbour;
import io.plog.stats.text.ByteSize;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition under which a disk is not good enough: {@code fdatasync.512.p99 > 10ms}.
 *
 * <pre>
 * gate     = {word "."} figure operator time
 * word     = way of forcing | size | kind of file | neighbour      in any order, each at most once
 * figure   = "mean" | "p5" | "p50" | "p95" | "p99" | "max"         of write and force together, one append at a time
 * operator = "&gt;" | "&gt;=" | "&lt;" | "&lt;="
 * time     = number ("ns" | "us" | "µs" | "ms" | "s")
 * </pre>
 *
 * Without a way of forcing it is meant for all that force; without a size for all sizes; without a kind of file for the one named
 * first, as a rule {@code initialised}; without a neighbour for the disk alone.
 *
 * @param text as it was given, without spaces around it
 * @param above whether a figure above the limit fails; otherwise one below it
 * @param inclusive whether a figure equal to the limit fails
 * @param limitMicros at least 0
 */
public record DiskGate(
        String text,
        Optional<String> force,
        OptionalInt sizeBytes,
        Optional<String> file,
        String beside,
        String figure,
        boolean above,
        boolean inclusive,
        double limitMicros) {

    static final List<String> FIGURES = List.of("mean", "p5", "p50", "p95", "p99", "max");
    static final List<String> FORCES = List.of("write", "fdatasync", "fsync", "dsync", "direct");
    private static final List<String> FILES =
            List.of(FileKind.INITIALISED.label(), FileKind.GROWING.label(), FileKind.RANDOM.label());
    private static final List<String> NEIGHBOURS = List.of(Neighbour.LOG.label(), Neighbour.READS.label());
    private static final Map<String, Double> UNITS = Map.of("ns", 1e-3, "us", 1.0, "µs", 1.0, "ms", 1e3, "s", 1e6);
    private static final Pattern TEXT = Pattern.compile("([^<>=\\s]+)\\s*(<=|>=|<|>)\\s*(.+)");
    private static final Pattern LIMIT = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)\\s*(ns|us|µs|ms|s)");

    /**
     * The gate that a text describes.
     *
     * @throws IllegalArgumentException if it does not; the message says where, and what is known
     */
    public static DiskGate parse(String given) {
        String text = given.strip();
        Matcher gate = TEXT.matcher(text);
        if (!gate.matches()) {
            throw new IllegalArgumentException("gate '" + text
                    + "': expected [WAY.][SIZE.]FIGURE, then > >= < or <=, then a time, as 'fdatasync.512.p99 > 10ms'");
        }
        Matcher limit = LIMIT.matcher(gate.group(3));
        if (!limit.matches()) {
            throw new IllegalArgumentException(
                    "gate '" + text + "': limit '" + gate.group(3) + "', expected a time as 500us or 10ms");
        }
        String[] words = gate.group(1).split("\\.", -1);
        DiskGate parsed = new DiskGate(
                text,
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Neighbour.NONE.label(),
                figure(text, words[words.length - 1]),
                gate.group(2).startsWith(">"),
                gate.group(2).endsWith("="),
                Double.parseDouble(limit.group(1)) * UNITS.getOrDefault(limit.group(2), 1.0));
        for (int i = 0; i < words.length - 1; i++) {
            parsed = parsed.narrowed(words[i]);
        }
        return parsed;
    }

    private static String figure(String text, String word) {
        if (!FIGURES.contains(word)) {
            throw new IllegalArgumentException("gate '" + text + "': there is no figure '" + word
                    + "'; the last word before the operator is one of " + String.join(", ", FIGURES));
        }
        return word;
    }

    private DiskGate narrowed(String word) {
        if (FORCES.contains(word) && force.isEmpty()) {
            return with(Optional.of(word), sizeBytes, file, beside);
        }
        if (FILES.contains(word) && file.isEmpty()) {
            return with(force, sizeBytes, Optional.of(word), beside);
        }
        if (NEIGHBOURS.contains(word) && beside.equals(Neighbour.NONE.label())) {
            return with(force, sizeBytes, file, word);
        }
        if (!word.isEmpty() && Character.isDigit(word.charAt(0)) && sizeBytes.isEmpty()) {
            return with(force, OptionalInt.of(size(word)), file, beside);
        }
        throw new IllegalArgumentException("gate '" + text + "': '" + word
                + "' is not known, or comes twice; expected a way ("
                + String.join(", ", FORCES) + "), a size as 512 or 4Ki, a kind of file (" + String.join(", ", FILES)
                + ") or a neighbour (" + String.join(", ", NEIGHBOURS) + "), and last a figure ("
                + String.join(", ", FIGURES) + ")");
    }

    private int size(String word) {
        try {
            return Math.toIntExact(ByteSize.parse(word));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "gate '" + text + "': size '" + word + "', expected bytes as 512, 4Ki or 64k", e);
        }
    }

    private DiskGate with(
            Optional<String> otherForce, OptionalInt otherSize, Optional<String> otherFile, String otherBeside) {
        return new DiskGate(text, otherForce, otherSize, otherFile, otherBeside, figure, above, inclusive, limitMicros);
    }

    /** Whether it is meant for a cell; {@code usualFile} is the kind of file that it means if it names none. */
    boolean isMeantFor(DiskResults.Cell cell, String usualFile) {
        return cell.appendsPerForce() == 1
                && force.map(cell.force()::equals).orElse(cell.forceLabel().forces())
                && (sizeBytes.isEmpty() || sizeBytes.getAsInt() == cell.sizeBytes())
                && file.orElse(usualFile).equals(cell.file())
                && beside.equals(cell.beside());
    }

    /** Whether a figure is beyond the limit. */
    boolean isBeyond(double micros) {
        if (micros == limitMicros) {
            return inclusive;
        }
        return above ? micros > limitMicros : micros < limitMicros;
    }
}
