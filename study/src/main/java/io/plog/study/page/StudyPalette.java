package io.plog.study.page;

import io.plog.report.figure.Fill;
import io.plog.report.figure.Fill.Hatch;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Style;
import java.util.List;

/** Colours and dashes of a study's designs, sizes and components; a page has dark counterparts of the colours. */
final class StudyPalette {
    static final List<String> HUES =
            List.of("#0072b2", "#c9540a", "#00855f", "#a8487d", "#7a6a00", "#5b4bb5", "#8a3b12", "#2f7484");
    private static final List<List<Double>> DASHES = List.of(
            List.of(), List.of(8.0, 3.0), List.of(2.0, 2.5), List.of(9.0, 3.0, 2.0, 3.0), List.of(4.0, 2.0, 1.5, 2.0));
    private static final List<Fill> SERIES = List.of(
            new Fill("#3b2f9e", Hatch.NONE),
            new Fill("#a8487d", Hatch.RISING),
            new Fill("#d9622b", Hatch.NONE),
            new Fill("#e0b040", Hatch.DOTS),
            new Fill("#7fb08a", Hatch.LYING),
            new Fill("#8b949e", Hatch.FALLING));
    static final String PUBLISHED = "#666f7a";
    private static final double WIDTH = 1.8;

    private StudyPalette() {}

    /** The n-th line of a figure. */
    static Style line(int index) {
        return new Style(HUES.get(index % HUES.size()), WIDTH, DASHES.get(index % DASHES.size()));
    }

    /** The n-th line's counterpart in memory: thinner. */
    static Style inMemory(int index) {
        return new Style(HUES.get(index % HUES.size()), 0.8, List.of());
    }

    static Fill series(int index) {
        return SERIES.get(index % SERIES.size());
    }

    static List<KeyEntry> key(List<String> designs, List<String> shown) {
        return shown.stream()
                .map(name -> KeyEntry.line(name, line(designs.indexOf(name))))
                .toList();
    }
}
