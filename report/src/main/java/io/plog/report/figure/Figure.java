package io.plog.report.figure;

import java.util.List;

/**
 * A figure, complete and independent of how it is shown: in a file of its own, in the report, on paper.
 *
 * @param name of its files, without an extension
 * @param title in a few words
 * @param alternative what it shows, in sentences, for who can't see it
 * @param key what its lines and areas mean
 * @param rows its panels, row by row; rows may differ in length
 * @param notes small print below it, a sentence each
 * @param table what is drawn
 */
public record Figure(
        String name,
        String title,
        String alternative,
        List<KeyEntry> key,
        List<List<Panel>> rows,
        List<String> notes,
        Table table) {

    /** Copies the lists. */
    public Figure {
        key = List.copyOf(key);
        rows = rows.stream().map(List::copyOf).toList();
        notes = List.copyOf(notes);
    }

    /** The SVG text of this figure, for a file of its own: with the XML declaration. */
    public String svg() {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + SvgFigure.of(this, false);
    }

    /**
     * The svg element alone, to stand in a page: the same drawing, with what a page needs to read values from it. Lines have the words
     * of the key as {@code data-name}; panels are groups of the class {@code panel} with their frame and axes; {@link Mark.Reading}s
     * are there, unseen.
     */
    public String svgElement() {
        return SvgFigure.of(this, true);
    }
}
