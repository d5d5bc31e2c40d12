package io.plog.app.view;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The runs below a directory, looked for anew each time. A run is known by its name in this list only, so no name from outside ever
 * becomes a path. Safe for any thread.
 *
 * @param root absolute
 * @param lines those of runs that have ended, by the version of their results
 */
record RunList(Path root, Map<String, ViewedRun.Line> lines) {
    /** The name of the directory itself. */
    static final String ITSELF = ".";

    private static final int DEEPEST = 5;
    private static final int MOST_DIRECTORIES = 10_000;

    RunList(Path root) {
        this(root, new ConcurrentHashMap<>());
    }

    /** All runs by their names. */
    Map<String, ViewedRun> find() {
        Map<String, ViewedRun> found = new TreeMap<>();
        List<Path> level = List.of(root);
        int looked = 0;
        for (int depth = 0; depth <= DEEPEST; depth++) {
            List<Path> next = new ArrayList<>();
            for (Path directory : level) {
                ViewedRun run = new ViewedRun(nameOf(directory), directory);
                if (run.isThere()) {
                    found.put(run.name(), run); // what lies below belongs to it
                } else if (looked++ < MOST_DIRECTORIES) {
                    next.addAll(below(directory));
                }
            }
            level = next;
        }
        return found;
    }

    private String nameOf(Path directory) {
        String name = root.relativize(directory).toString();
        return name.isEmpty() ? ITSELF : name.replace(root.getFileSystem().getSeparator(), "/");
    }

    /** Directories that may not be read have no runs for this user. */
    private static List<Path> below(Path directory) {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(RunList::isLookedInto).toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    private static boolean isLookedInto(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                && !String.valueOf(path.getFileName()).startsWith(".");
    }

    /** A line for each run: those under way, then the newest first. */
    List<ViewedRun.Line> all() {
        return find().values().stream()
                .map(this::line)
                .sorted(Comparator.comparing((ViewedRun.Line line) -> !line.isGrowing())
                        .thenComparing(ViewedRun.Line::startedAt, Comparator.reverseOrder()))
                .toList();
    }

    ViewedRun.Line line(ViewedRun run) {
        try {
            String version = run.version();
            return version.isEmpty() ? run.line() : lines.computeIfAbsent(version, key -> run.line());
        } catch (IOException goneMeanwhile) {
            return run.line();
        }
    }
}
