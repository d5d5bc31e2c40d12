package io.plog.measure.load;

import io.plog.measure.samples.RunInfo;
import io.plog.stats.text.ByteSize;
import io.plog.stats.text.ClosestName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which payload sizes a load has, and how often: classes with weights. Classes do not overlap, so a size names its class.
 *
 * @param label as an option says it; {@link #parse} reads it
 * @param classes ascending
 */
public record Mix(String label, List<SizeClass> classes) {
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

    /** Behind which of the 36 sizes each of the study's series ends: 0.5 kB, 4 kB, 6 kB and 900 kB. */
    private static final int[] SERIES_ENDS = {5, 13, 15, 36};

    private static final int MOST_CLASSES = 100;

    /**
     * Sorts the classes and checks that they are apart.
     *
     * @throws IllegalArgumentException if there is none, more than a hundred, or two overlap
     */
    public Mix {
        if (classes.isEmpty() || classes.size() > MOST_CLASSES) {
            throw new IllegalArgumentException(
                    "mix has " + classes.size() + " classes of sizes: expected 1 to " + MOST_CLASSES);
        }
        List<SizeClass> sorted = new ArrayList<>(classes);
        sorted.sort(Comparator.comparingInt(SizeClass::leastBytes));
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i).leastBytes() <= sorted.get(i - 1).mostBytes()) {
                throw new IllegalArgumentException("mix has " + name(sorted.get(i - 1)) + " and " + name(sorted.get(i))
                        + ": expected classes of sizes that do not overlap");
            }
        }
        classes = List.copyOf(sorted);
    }

    /** One size only. */
    public static Mix only(int bytes) {
        return new Mix(
                ByteSize.format(bytes), List.of(new SizeClass(1, List.of(new SizeClass.Sizes(bytes, bytes, 1)))));
    }

    /** The sizes of the study: 36 of 100 bytes to 900 kB in four series of about equal shares, 14.4 kB on average. */
    public static Mix study() {
        List<SizeClass> classes = new ArrayList<>();
        int from = 0;
        for (int to : SERIES_ENDS) {
            List<SizeClass.Sizes> sizes = new ArrayList<>();
            double weight = 0;
            for (int i = from; i < to; i++) {
                int bytes = (i % POPULARITY.length + 1) * (int) Math.pow(10, 2 + i / POPULARITY.length);
                double share = DIRECTORIES[i / POPULARITY.length] * POPULARITY[i % POPULARITY.length] / 1000.0;
                sizes.add(new SizeClass.Sizes(bytes, bytes, share));
                weight += share;
            }
            classes.add(new SizeClass(weight, sizes));
            from = to;
        }
        return new Mix(STUDY, classes);
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
        List<SizeClass> classes = new ArrayList<>();
        double sum = 0;
        for (String part : stripped.split(",", -1)) {
            int equals = part.indexOf('=');
            double weight = equals < 0 ? 1 : weight(text, part.substring(equals + 1));
            sum += weight;
            SizeClass.Sizes sizes = sizes(text, equals < 0 ? part : part.substring(0, equals));
            if (weight > 0) {
                classes.add(new SizeClass(weight, List.of(sizes)));
            }
        }
        if (!(sum > 0)) {
            throw new IllegalArgumentException(
                    "mix is '" + text + "', whose weights are all 0: expected at least one over 0, as 100=25,1k=75");
        }
        return new Mix(stripped, classes);
    }

    private static SizeClass.Sizes sizes(String mix, String text) {
        int dash = text.indexOf('-');
        try {
            int least = ByteSize.parseInt(dash < 0 ? text : text.substring(0, dash));
            return new SizeClass.Sizes(least, dash < 0 ? least : ByteSize.parseInt(text.substring(dash + 1)), 1);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("mix is '" + mix + "': " + e.getMessage(), e);
        }
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
        return classes.get(0).leastBytes();
    }

    /** The largest size. */
    public int mostBytes() {
        return classes.get(classes.size() - 1).mostBytes();
    }

    /** The sizes that cells go by, ascending. */
    public List<Integer> cellBytes() {
        return classes.stream().map(SizeClass::mostBytes).toList();
    }

    /**
     * The size that a cell goes by.
     *
     * @param payloadBytes a size of the mix
     */
    int cellBytes(int payloadBytes) {
        for (int i = 0; i < classes.size(); i++) {
            if (payloadBytes <= classes.get(i).mostBytes()) {
                return classes.get(i).mostBytes();
            }
        }
        throw new IllegalArgumentException(payloadBytes + " bytes: expected at most " + mostBytes());
    }

    /** As a run's description has it. */
    public List<RunInfo.SizeShare> shares() {
        double weights = weights();
        return classes.stream()
                .map(c -> new RunInfo.SizeShare(c.leastBytes(), c.mostBytes(), c.weight() / weights))
                .toList();
    }

    private double weights() {
        return classes.stream().mapToDouble(SizeClass::weight).sum();
    }

    private static String name(SizeClass sizes) {
        return ByteSize.format(sizes.leastBytes())
                + (sizes.mostBytes() == sizes.leastBytes() ? "" : "-" + ByteSize.format(sizes.mostBytes()));
    }
}
