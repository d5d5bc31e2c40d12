package io.plog.measure.plan;

import io.plog.stats.text.ByteSize;
import io.plog.stats.text.ClosestName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which payload sizes a load has, and how often. Sizes do not overlap, so one names the cell that its requests belong to.
 *
 * @param label as an option says it; {@link #parse} reads it
 * @param sizes ascending
 */
public record Mix(String label, List<Sizes> sizes) {
    /** The word for {@link #study}. */
    public static final String STUDY = "study";

    /**
     * How often each of the nine sizes of a directory is asked for in SPECweb99, of 1000; the static content of the study's
     * servers was made by it. Together with the shares of the four directories it gives the study's own four series (25.06,
     * 28.05, 23.55 and 23.34 %, Ruan and Pai, USENIX ATC 2006) to within 0.1 %.
     */
    private static final int[] POPULARITY = {39, 59, 88, 177, 353, 118, 71, 50, 45};

    /** The shares of the directories, in per cent: 0.1 to 0.9 kB, 1 to 9 kB, 10 to 90 kB, 100 to 900 kB. */
    private static final int[] DIRECTORIES = {35, 50, 14, 1};

    /** The largest size of each of the study's series. */
    private static final int[] SERIES = {500, 4_000, 6_000, 900_000};

    private static final int MOST_SIZES = 100;

    /**
     * A range of sizes, each as likely as the others.
     *
     * @param cellBytes the size that their cell goes by: the largest of all ranges in it
     * @param weight against the other ranges, over 0
     */
    public record Sizes(int leastBytes, int mostBytes, int cellBytes, double weight) {}

    /**
     * Sorts the sizes and checks that they are apart.
     *
     * @throws IllegalArgumentException if there is none, more than a hundred, or two overlap
     */
    public Mix {
        if (sizes.isEmpty() || sizes.size() > MOST_SIZES) {
            throw new IllegalArgumentException(
                    "mix has " + sizes.size() + " classes of sizes: expected 1 to " + MOST_SIZES);
        }
        sizes = sizes.stream()
                .sorted(Comparator.comparingInt(Sizes::leastBytes))
                .toList();
        for (int i = 1; i < sizes.size(); i++) {
            if (sizes.get(i).leastBytes <= sizes.get(i - 1).mostBytes) {
                throw new IllegalArgumentException("mix has " + name(sizes.get(i - 1)) + " and " + name(sizes.get(i))
                        + ": expected classes of sizes that do not overlap");
            }
        }
    }

    private static String name(Sizes range) {
        return ByteSize.format(range.leastBytes)
                + (range.mostBytes == range.leastBytes ? "" : "-" + ByteSize.format(range.mostBytes));
    }

    /** One size only. */
    public static Mix only(int bytes) {
        return new Mix(ByteSize.format(bytes), List.of(new Sizes(bytes, bytes, bytes, 1)));
    }

    /** The sizes of the study: 36 of 100 bytes to 900 kB in four series of about equal shares, 14.4 kB on average. */
    public static Mix study() {
        List<Sizes> sizes = new ArrayList<>();
        int series = 0;
        int unit = 100;
        for (int share : DIRECTORIES) {
            for (int i = 0; i < POPULARITY.length; i++) {
                int bytes = (i + 1) * unit;
                series += bytes > SERIES[series] ? 1 : 0;
                sizes.add(new Sizes(bytes, bytes, SERIES[series], share * POPULARITY[i] / 1000.0));
            }
            unit *= 10;
        }
        return new Mix(STUDY, sizes);
    }

    /**
     * Reads {@code study}, or a list such as {@code 100=25,1k=25,2k-9k=50}: a size, or a range of which every size is as
     * likely as the others, and its weight; 1 if none is given.
     *
     * @throws IllegalArgumentException if it is neither; the message says what was found and what was expected
     */
    public static Mix parse(String text) {
        String stripped = text.strip();
        if (stripped.equals(STUDY)) {
            return study();
        }
        if (!stripped.isEmpty() && Character.isLetter(stripped.charAt(0))) {
            throw new IllegalArgumentException("mix is '" + text + "'"
                    + ClosestName.to(stripped, List.of(STUDY))
                            .map(near -> " (did you mean '" + near + "'?)")
                            .orElse("")
                    + ": expected " + STUDY + ", or sizes with weights as 100=25,1k=25,10k=50");
        }
        List<Sizes> sizes = new ArrayList<>();
        for (String part : stripped.split(",", -1)) {
            Sizes range = range(text, part);
            if (range.weight > 0) {
                sizes.add(range);
            }
        }
        if (sizes.isEmpty()) {
            throw new IllegalArgumentException(
                    "mix is '" + text + "', whose weights are all 0: expected at least one over 0, as 100=25,1k=75");
        }
        return new Mix(stripped, sizes);
    }

    private static Sizes range(String mix, String text) {
        int equals = text.indexOf('=');
        String range = equals < 0 ? text : text.substring(0, equals);
        int dash = range.indexOf('-');
        int least;
        int most;
        try {
            least = ByteSize.parseInt(dash < 0 ? range : range.substring(0, dash));
            most = dash < 0 ? least : ByteSize.parseInt(range.substring(dash + 1));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("mix is '" + mix + "': " + e.getMessage(), e);
        }
        if (most < least) {
            throw new IllegalArgumentException(
                    "mix is '" + mix + "' with sizes from " + least + " to " + most + ": expected the smaller first");
        }
        return new Sizes(least, most, most, equals < 0 ? 1 : weight(mix, text.substring(equals + 1)));
    }

    private static double weight(String mix, String text) {
        try {
            double weight = Double.parseDouble(text.strip());
            if (weight >= 0 && weight <= 1e9) {
                return weight;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException("mix is '" + mix + "' with the weight '" + text
                + "': expected a number from 0 to 1000000000, as in 100=25,1k=75");
    }

    /** The smallest payload there may be. */
    public int leastBytes() {
        return sizes.get(0).leastBytes;
    }

    public int mostBytes() {
        return sizes.get(sizes.size() - 1).mostBytes;
    }

    /** The sizes that cells go by, ascending. */
    public List<Integer> cellBytes() {
        return sizes.stream().map(Sizes::cellBytes).distinct().toList();
    }

    /** The size that the cell of a payload of this mix goes by. */
    public int cellBytes(int payloadBytes) {
        for (Sizes range : sizes) {
            if (payloadBytes <= range.mostBytes) {
                return range.cellBytes;
            }
        }
        throw new IllegalArgumentException(payloadBytes + " bytes: expected at most " + mostBytes());
    }

    /** As a run's description has it. */
    public List<SizeShare> shares() {
        double all = sizes.stream().mapToDouble(Sizes::weight).sum();
        List<SizeShare> shares = new ArrayList<>();
        for (int cell : cellBytes()) {
            List<Sizes> its =
                    sizes.stream().filter(each -> each.cellBytes == cell).toList();
            double weight = its.stream().mapToDouble(Sizes::weight).sum();
            shares.add(new SizeShare(its.get(0).leastBytes, cell, weight / all));
        }
        return shares;
    }
}
