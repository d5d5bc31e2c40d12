package io.plog.report.figure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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
 * @param source where its data come from: program, date, number of requests, machine; empty if nobody said
 */
public record Figure(
        String name,
        String title,
        String alternative,
        List<KeyEntry> key,
        List<List<Panel>> rows,
        List<String> notes,
        Table table,
        String source) {

    /** What the name of its narrow drawing ends with. */
    public static final String NARROW = "-narrow";

    /** A figure whose source is named later. */
    public Figure(
            String name,
            String title,
            String alternative,
            List<KeyEntry> key,
            List<List<Panel>> rows,
            List<String> notes,
            Table table) {
        this(name, title, alternative, key, rows, notes, table, "");
    }

    /** Copies the lists. */
    public Figure {
        key = List.copyOf(key);
        rows = rows.stream().map(List::copyOf).toList();
        notes = List.copyOf(notes);
    }

    /** The same with its source, which makes a file of it stand alone. */
    public Figure from(String where) {
        return new Figure(name, title, alternative, key, rows, notes, table, where);
    }

    /** The SVG text of this figure, for a file of its own: with the XML declaration. */
    public String svg() {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + SvgFigure.of(this, SvgFigure.WIDTH, false);
    }

    /**
     * The svg element alone, to stand in a page: the same drawing, with what a page needs to read values from it. Lines have the words
     * of the key as {@code data-name}; panels are groups of the class {@code panel} with their frame and axes; {@link Mark.Reading}s
     * are there, unseen.
     */
    public String svgElement() {
        return SvgFigure.of(this, SvgFigure.WIDTH, true);
    }

    /**
     * The same for a phone: half as wide, under another name. Its panels stand below each other, those about the same together, each
     * with labels of its own.
     */
    public String narrowSvgElement() {
        Map<Map<String, String>, List<Panel>> bySubject = rows.stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(Panel::about, LinkedHashMap::new, Collectors.toList()));
        List<List<Panel>> column = bySubject.values().stream()
                .flatMap(List::stream)
                .map(Panel::withLabels)
                .map(List::of)
                .toList();
        Figure narrow = new Figure(name + NARROW, title, alternative, key, column, notes, table, source);
        return SvgFigure.of(narrow, SvgFigure.WIDTH / 2, true);
    }
}
