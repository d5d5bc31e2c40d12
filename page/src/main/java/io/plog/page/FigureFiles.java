package io.plog.page;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.plog.results.table.Table;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes the files of a page, and of its figures: what they draw as CSV, and each as SVG if the machine has a browser that draws it.
 * Stateless.
 */
public final class FigureFiles {
    private FigureFiles() {}

    /**
     * Writes all files, or none if one is in the way.
     *
     * @param directory created if it is missing
     * @param force whether files of the same names are replaced
     * @return what was written and, if there are no drawings, how to come by them: for a person, without a line's end
     * @throws IOException also if one is in the way and {@code force} is not set; the message names it and says what to do
     */
    public static String write(PageData page, Path directory, boolean force) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        for (Table table : page.tables()) {
            files.put(table.name() + ".csv", table.csv());
        }
        check(files.keySet(), directory, force); // drawing takes seconds
        String drawings = drawings(page, files);
        check(files.keySet(), directory, force);
        write(files, directory);
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

    /**
     * Looks whether files may be written.
     *
     * @param names of the files
     * @param force whether files of the same names are replaced
     * @throws IOException if a file of the same name is there and {@code force} is not set, or the directory is a file
     */
    static void check(Set<String> names, Path directory, boolean force) throws IOException {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new IOException("--figures " + directory + " is a file, expected a directory");
        }
        for (String name : names) {
            if (!force && Files.exists(directory.resolve(name))) {
                throw new IOException("--figures " + directory + " holds " + name
                        + " already; name another directory, or replace the figures with --overwrite");
            }
        }
    }

    /**
     * Writes files, each in one step.
     *
     * @param files their texts by their names
     * @param directory created if it is missing
     * @throws IOException if one cannot be written; it is named
     */
    public static void write(Map<String, String> files, Path directory) throws IOException {
        Files.createDirectories(directory);
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = directory.resolve(file.getKey());
            Path temporary = path.resolveSibling(file.getKey() + ".tmp");
            try {
                Files.writeString(temporary, file.getValue(), CREATE, TRUNCATE_EXISTING, WRITE, NOFOLLOW_LINKS);
            } catch (FileSystemException named) {
                throw named;
            } catch (IOException e) { // of a full disk, or a link, whose words do not name the file
                throw new IOException(temporary + ": " + e.getMessage(), e);
            }
            Files.move(temporary, path, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
