package io.plog.app.view;

import io.plog.measure.samples.SampleFileException;
import io.plog.page.Page;
import io.plog.page.PageData;
import io.plog.page.RunPage;
import io.plog.results.Analysis;
import io.plog.results.compare.Trend;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** The runs below a directory as files that any web server can give away: a list, and a page of each run. */
final class Gallery {
    private Gallery() {}

    /**
     * Writes {@code index.html}, {@code NAME/report.html} for each run that has ended, and {@code trend-N.html} for those that did the
     * same work; replaces those that are there.
     *
     * @param say gets a sentence for each run that is left out
     * @return how many runs there are
     * @throws IOException if a file cannot be written
     */
    static int write(Path root, Path out, Consumer<String> say) throws IOException {
        RunList runs = new RunList(root);
        Map<String, ViewedRun> found = runs.find();
        List<ViewedRun.Line> lines = new ArrayList<>();
        for (ViewedRun.Line line : runs.lines(found.values())) {
            Path source =
                    Objects.requireNonNull(found.get(line.name())).source().orElse(null);
            if (line.isGrowing() || source == null) {
                say.accept(line.name() + " is left out: it is under way, or has no samples");
                continue;
            }
            try {
                Page.write(RunPage.of(Analysis.of(source), null), out.resolve(line.name()), ResultsFile.HTML);
                lines.add(line);
            } catch (SampleFileException e) {
                say.accept(line.name() + " is left out: " + e.getMessage());
            }
        }
        List<RunList.Trending> trends = RunList.trends(lines);
        for (int i = 0; i < trends.size(); i++) {
            Trend trend = RunList.trend(trends.get(i).of(), lines);
            Page.write(RunPage.of(trend).with("published", true), out, "trend-" + (i + 1) + ".html");
        }
        String note = lines.isEmpty() ? "There is no run." : "";
        Map<String, Object> documents =
                Map.of("subtitle", "", "lines", lines, "trends", trends, "note", note, "published", true);
        PageData list = new PageData("list", "Runs of plog", "", documents, List.of(), List.of());
        Page.write(list, out, "index.html");
        return lines.size();
    }
}
