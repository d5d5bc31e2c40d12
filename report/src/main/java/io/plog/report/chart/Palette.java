package io.plog.report.chart;

import io.plog.measure.samples.ForceLabel;
import io.plog.report.figure.Fill;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Style;
import io.plog.report.results.Results;
import io.plog.stats.text.Units;
import java.util.List;

/**
 * Names, colours and patterns of one run's sizes and targets, the same in each of its figures and on the page.
 * Sizes are ordered, so they run along a ramp whose lightness changes steadily; targets are names, so they
 * have hues that stay apart for colour-blind readers (after Okabe and Ito). Each has a dash pattern as well, for print in grey.
 */
public final class Palette {
    private static final List<String> RAMP = List.of("#3b2f9e", "#8a2f8f", "#c43d6b", "#d9622b", "#b98200");
    private static final List<String> HUES = List.of("#0072b2", "#c9540a", "#00855f", "#a8487d", "#7a6a00");
    private static final String UNLOGGED = "#666f7a";
    private static final List<Double> UNLOGGED_DASH = List.of(5.0, 4.0);
    private static final List<List<Double>> DASHES = List.of(
            List.of(), List.of(8.0, 3.0), List.of(2.0, 2.5), List.of(9.0, 3.0, 2.0, 3.0), List.of(4.0, 2.0, 1.5, 2.0));
    private static final double WIDTH = 1.7;

    private final Results results;
    private final List<Integer> sizes;
    private final List<String> targets;
    private final List<String> logged;

    public Palette(Results results) {
        this.results = results;
        sizes = counted().stream()
                .map(Results.Cell::payloadBytes)
                .distinct()
                .sorted()
                .toList();
        targets = results.environment().targets().stream()
                .map(Results.Target::name)
                .filter(name ->
                        counted().stream().anyMatch(cell -> cell.target().equals(name)))
                .toList();
        logged = targets.stream().filter(name -> !isOff(name)).toList();
    }

    private List<Results.Cell> counted() {
        return results.cells().stream().filter(cell -> cell.count() > 0).toList();
    }

    /** Sizes of which anything was counted, ascending. */
    public List<Integer> sizes() {
        return sizes;
    }

    /** Targets of which anything was counted, the logged ones first. */
    public List<String> targets() {
        return targets;
    }

    /** The targets that log, in the order of {@link #targets}. */
    public List<String> logged() {
        return logged;
    }

    /** Whether a target logs nothing. */
    public boolean isOff(String target) {
        return !force(target).isLogged();
    }

    /** A target's name in figures, with its way of forcing where the name does not say it. */
    public String label(String target) {
        ForceLabel force = force(target);
        if (!force.isLogged()) {
            return "without logging";
        }
        return force.text().equals(target) ? target : target + " (" + force.text() + ")";
    }

    /** The line of a payload size. */
    public Style size(int bytes) {
        int index = sizes.indexOf(bytes);
        double at = sizes.size() < 2 ? 0 : (double) index / (sizes.size() - 1) * (RAMP.size() - 1);
        String colour = mixed(RAMP.get((int) Math.floor(at)), RAMP.get((int) Math.ceil(at)), at - Math.floor(at));
        return new Style(colour, WIDTH, DASHES.get(index % DASHES.size()));
    }

    /** The line of a target. */
    public Style target(String name) {
        if (isOff(name)) {
            return new Style(UNLOGGED, WIDTH, UNLOGGED_DASH);
        }
        int index = logged.indexOf(name);
        return new Style(HUES.get(index % HUES.size()), WIDTH, DASHES.get(index % DASHES.size()));
    }

    /** The area of a part of the latency. */
    public static Fill part(String name) {
        return PartPalette.of(name);
    }

    List<KeyEntry> sizeKey() {
        return sizes.stream()
                .map(bytes -> KeyEntry.line(Units.size(bytes), size(bytes)))
                .toList();
    }

    List<KeyEntry> targetKey(List<String> names) {
        return names.stream()
                .map(name -> KeyEntry.line(label(name), target(name)))
                .toList();
    }

    private ForceLabel force(String target) {
        return results.environment().targets().stream()
                .filter(known -> known.name().equals(target))
                .map(Results.Target::forceLabel)
                .findFirst()
                .orElse(new ForceLabel(""));
    }

    private static String mixed(String from, String to, double share) {
        StringBuilder mixed = new StringBuilder("#");
        for (int i = 1; i < 7; i += 2) {
            int a = Integer.parseInt(from.substring(i, i + 2), 16);
            int b = Integer.parseInt(to.substring(i, i + 2), 16);
            mixed.append(String.format("%02x", Math.round(a * (1 - share) + b * share)));
        }
        return mixed.toString();
    }
}
