package io.plog.app.view;

import io.plog.measure.samples.SampleFileException;
import io.plog.page.Page;
import io.plog.page.PageData;
import io.plog.page.RunPage;
import io.plog.results.Analysis;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The runs below a directory as files that any web server can give away: a list, and a page of each run. */
final class Gallery {
    private Gallery() {}

    /**
     * Writes {@code index.html}, and {@code NAME/report.html} for each run that has ended; replaces those that are there.
     *
     * @param say gets a sentence for each run that is left out
     * @return how many runs there are
     * @throws IOException if a file cannot be written
     */
    static int write(Path root, Path out, Consumer<String> say) throws IOException {
        RunList runs = new RunList(root);
        Map<String, ViewedRun> found = runs.find();
        List<ViewedRun.Line> lines = new ArrayList<>();
        for (ViewedRun.Line line : runs.all()) {
            Path source = found.containsKey(line.name())
                    ? found.get(line.name()).source().orElse(null)
                    : null;
            if (line.isGrowing() || source == null) {
                say.accept(line.name() + " is left out: it is under way, or has no samples");
                continue;
            }
            try {
                Page.write(RunPage.of(Analysis.of(source), null), out.resolve(line.name()));
                lines.add(line);
            } catch (SampleFileException e) {
                say.accept(line.name() + " is left out: " + e.getMessage());
            }
        }
        String note = lines.isEmpty() ? "There is no run." : "";
        Map<String, Object> documents = Map.of("subtitle", "", "lines", lines, "note", note, "published", true);
        Page.writeIndex(new PageData("list", "Runs of plog", "", documents, List.of(), List.of()), out);
        return lines.size();
    }
}
