package io.plog.page;

import io.plog.report.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Writes what figures draw as CSV, and the figures as SVG if the machine has a browser that draws them. Stateless. */
public final class DrawnFiles {
    private DrawnFiles() {}

    /**
     * Writes all files, or none if one is in the way.
     *
     * @param directory created if it is missing
     * @param force whether files of the same names are replaced
     * @return what was written and, if there are no drawings, how to come by them: for a person, without a line's end
     * @throws FigureFiles.InTheWayException as {@link FigureFiles#check}
     * @throws IOException if a file can't be written
     */
    public static String write(PageData page, Path directory, boolean force) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        for (Table table : page.tables()) {
            files.put(table.name() + ".csv", table.csv());
        }
        FigureFiles.check(files.keySet(), directory, force); // drawing takes seconds
        String drawings = drawings(page, files);
        FigureFiles.check(files.keySet(), directory, force);
        FigureFiles.write(files, directory);
        return directory + ", " + page.tables().size() + " tables as CSV, " + drawings;
    }

    private static String drawings(PageData page, Map<String, String> files) {
        Optional<Path> browser = Chromium.find();
        if (browser.isEmpty()) {
            return "no SVG: figures are drawn by Chromium or Chrome, and none is on the PATH; the buttons of report.html save"
                    + " them, too";
        }
        try {
            Map<String, String> svgs = Chromium.svgs(browser.get(), Page.of(page));
            svgs.forEach((name, svg) -> files.put(name + ".svg", svg));
            return svgs.size() + " figures as SVG";
        } catch (IOException e) {
            return "no SVG: " + e.getMessage() + "; the buttons of report.html save them, too";
        }
    }
}
