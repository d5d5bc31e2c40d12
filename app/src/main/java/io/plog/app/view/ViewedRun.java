package io.plog.app.view;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import io.plog.app.cli.RunProgress;
import io.plog.measure.PartFiles;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.results.compare.Trend;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A directory that holds the results of a run, or of one that is under way.
 *
 * @param name its path below the directory that is viewed, with slashes
 */
record ViewedRun(String name, Path directory) {
    /**
     * A line of the list of runs.
     *
     * @param kind run, load, disk or study; empty if it can't be read, as the date
     * @param state finished, not-valid, partial, under-way, interrupted or unreadable
     * @param text what was found in a sentence, how far it is, or why it can't be read
     * @param done of {@code total}, if it is under way
     * @param member of a trend; null if it is under way or can't be read
     */
    record Line(
            String name,
            String kind,
            String startedAt,
            String state,
            String text,
            String command,
            long done,
            long total,
            @JsonIgnore Trend.@Nullable Member member) {
        /** Why it is in no trend with another; empty if it can be. */
        String differsFrom(Trend.Member other) {
            return member == null ? name + ": " + state.replace('-', ' ') : member.differsFrom(other);
        }

        boolean isGrowing() {
            return state.equals("under-way");
        }
    }

    boolean isThere() {
        return isThere(RunProgress.FILE_NAME) || isThere(ResultsFile.RESULTS);
    }

    /** Links are not followed: what lies elsewhere was not put here to be seen. */
    private boolean isThere(String file) {
        return Files.isRegularFile(directory.resolve(file), LinkOption.NOFOLLOW_LINKS);
    }

    private Path results() {
        return directory.resolve(ResultsFile.RESULTS);
    }

    /**
     * Of what its page is made. Of a run that is under way, or was killed: the samples so far, of several trials those of the last.
     *
     * @return empty if there are none yet
     */
    Optional<Path> source() throws IOException {
        Path samples = directory.resolve(SampleFileWriter.FILE_NAME);
        List<Path> parts = new PartFiles(directory).list();
        Path last = parts.isEmpty() ? samples : parts.get(parts.size() - 1);
        return Stream.of(samples, last)
                .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                .findFirst();
    }

    /** Changes whenever the file does. */
    static String version(Path file) throws IOException {
        return file + " " + Files.getLastModifiedTime(file).toMillis() + " " + Files.size(file);
    }

    /** Changes whenever its results do; empty while there are none. */
    String version() throws IOException {
        return isThere(RunProgress.FILE_NAME) ? "" : version(results());
    }

    Line line() {
        Optional<RunProgress.State> progress = RunProgress.read(directory);
        if (progress.isPresent()) {
            RunProgress.State now = progress.get();
            String state = now.stillRuns() ? "under-way" : "interrupted";
            return new Line(name, now.kind(), now.startedAt(), state, now.text(), "", now.done(), now.total(), null);
        }
        try {
            return line(ResultsFile.read(results()));
        } catch (IOException e) {
            return new Line(name, "", "", "unreadable", String.valueOf(e.getMessage()), "", 0, 0, null);
        }
    }

    private Trend.@Nullable Member member(JsonNode results) {
        try {
            return Trend.Member.of(name, ResultsFile.results(results));
        } catch (IOException | RuntimeException incomplete) { // it has its line in the list nevertheless
            return null;
        }
    }

    private Line line(JsonNode results) {
        boolean partial = results.path("partial").path("partial").asBoolean();
        Optional<String> invalid = StreamSupport.stream(results.path("validity").spliterator(), false)
                .filter(check -> !check.path("ok").asBoolean()
                        && check.path("severity").asText().equals("invalid"))
                .map(check -> check.path("detail").asText())
                .findFirst();
        String found = Stream.of("cost", "stableStorage")
                .map(part -> results.path(part).path(0).path("sentence").asText(""))
                .filter(sentence -> !sentence.isEmpty())
                .findFirst()
                .orElse("");
        return new Line(
                name,
                results.path("kind").asText(""),
                results.path("startedAt").asText(""),
                partial ? "partial" : invalid.isPresent() ? "not-valid" : "finished",
                invalid.orElse(found),
                results.path("command").asText(""),
                0,
                0,
                member(results));
    }
}
