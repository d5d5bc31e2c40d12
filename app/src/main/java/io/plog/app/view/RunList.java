package io.plog.app.view;

import io.plog.results.compare.Trend;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The runs below a directory, looked for anew each time. A run is known by its name in this list only, so no name from outside ever
 * becomes a path. Safe for any thread.
 *
 * @param root absolute
 * @param ended lines of runs that have, by the version of their results
 */
record RunList(Path root, Map<String, ViewedRun.Line> ended) {
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

    /** A line for each: those under way, then the newest first. */
    List<ViewedRun.Line> lines(Collection<ViewedRun> found) {
        return found.stream()
                .map(this::line)
                .sorted(Comparator.comparing((ViewedRun.Line line) -> !line.isGrowing())
                        .thenComparing(ViewedRun.Line::startedAt, Comparator.reverseOrder()))
                .toList();
    }

    ViewedRun.Line line(ViewedRun run) {
        try {
            String version = run.version();
            return version.isEmpty() ? run.line() : ended.computeIfAbsent(version, key -> run.line());
        } catch (IOException goneMeanwhile) {
            return run.line();
        }
    }

    /**
     * Runs that did the same work, enough of them for a trend.
     *
     * @param of the name of the first of them, by which the trend is known
     * @param about what they measured
     */
    record Trending(String of, String about, int runs) {}

    /** All trends there are, in the order of their first runs. */
    static List<Trending> trends(List<ViewedRun.Line> runs) {
        return runs.stream()
                .map(ViewedRun.Line::member)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparing(member -> member.run().startedAt()))
                .collect(Collectors.groupingBy(Trend.Member::work, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .filter(members -> members.size() >= Trend.LEAST_RUNS)
                .map(members ->
                        new Trending(members.get(0).run().path(), members.get(0).about(), members.size()))
                .toList();
    }

    /**
     * The trend of all runs that did the same work as one.
     *
     * @param of its name
     * @throws FileNotFoundException if it is in no trend
     */
    static Trend trend(String of, List<ViewedRun.Line> runs) throws FileNotFoundException {
        Trend.Member one = runs.stream()
                .map(ViewedRun.Line::member)
                .filter(member -> member != null && member.run().path().equals(of))
                .findFirst()
                .orElseThrow(() -> new FileNotFoundException("there is no run '" + of + "' here that a trend is of"));
        List<Trend.Member> members = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        for (ViewedRun.Line run : runs) {
            String differs = run.differsFrom(one);
            if (differs.isEmpty()) {
                members.add(Objects.requireNonNull(run.member()));
            } else {
                leftOut.add(differs);
            }
        }
        return Trend.of(members, leftOut);
    }
}
