package io.plog.report.disk.page;

import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Style;
import io.plog.stats.text.Units;
import java.util.List;

/** Colours and dashes of the page of a disk: a ramp for sizes, hues for names; a page has dark counterparts of them. */
final class DiskPalette {
    // As many as there are sizes by default, so that no two look alike.
    private static final List<String> RAMP = List.of("#3b2f9e", "#8a2f8f", "#c43d6b", "#cf4f4b", "#d9622b", "#b98200");
    private static final List<String> HUES = List.of("#0072b2", "#c9540a", "#00855f", "#a8487d", "#7a6a00");
    private static final List<List<Double>> DASHES = List.of(
            List.of(),
            List.of(8.0, 3.0),
            List.of(2.0, 2.5),
            List.of(9.0, 3.0, 2.0, 3.0),
            List.of(4.0, 2.0, 1.5, 2.0),
            List.of(12.0, 3.0));
    private static final double WIDTH = 1.6;

    private DiskPalette() {}

    /** The line of a size; sizes ascend. */
    static Style size(List<Integer> sizes, int bytes) {
        int index = sizes.indexOf(bytes);
        int colour = sizes.size() < 2 ? 0 : (int) Math.round((double) index / (sizes.size() - 1) * (RAMP.size() - 1));
        return new Style(RAMP.get(colour), WIDTH, DASHES.get(index % DASHES.size()));
    }

    static List<KeyEntry> sizes(List<Integer> sizes) {
        return sizes.stream()
                .map(bytes -> KeyEntry.line(Units.size(bytes), size(sizes, bytes)))
                .toList();
    }

    /** The line of a name. */
    static Style name(List<String> names, String name) {
        int index = names.indexOf(name);
        return new Style(HUES.get(index % HUES.size()), WIDTH, DASHES.get(index % DASHES.size()));
    }

    static List<KeyEntry> names(List<String> names) {
        return names.stream()
                .map(name -> KeyEntry.line(name, name(names, name)))
                .toList();
    }
}
