package io.plog.report.study.page;

import io.plog.report.PageParts;
import io.plog.report.figure.Figure;
import io.plog.report.study.StudyResults;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The study's report as one file that opens offline. All that it says is in it as text and drawings; scripts only fade designs,
 * change the theme and take figures along.
 */
final class StudyPage {
    /** In the order in which they need each other. */
    private static final List<String> SCRIPTS = List.of("page.js", "inflate.js", "export.js", "study.js");

    /** Where the choice of designs stands: before the first section whose figures follow it. */
    private static final String CHOICES =
            "<nav class=\"filters\" id=\"choices\" aria-label=\"What the figures show\"></nav>\n";

    private final StudyView study;
    private final TopSections top;
    private final List<Section> sections = new ArrayList<>();

    StudyPage(StudyResults results) {
        study = new StudyView(results);
        top = new TopSections(study);
        WorkloadSections workloads = new WorkloadSections(study);
        sections.addAll(List.of(top.verdict(), top.conditions(), top.designs()));
        sections.addAll(new LoadSections(study).all());
        sections.addAll(List.of(workloads.workloads(), workloads.machines(), ClosingSections.method(study)));
        sections.add(ClosingSections.glossary());
        sections.add(ClosingSections.download(figures()));
    }

    /** All figures, in the order of the page. */
    List<Figure> figures() {
        return sections.stream().flatMap(section -> section.figures().stream()).toList();
    }

    String html() {
        StringBuilder body = new StringBuilder(top.header());
        for (int i = 0; i < sections.size(); i++) {
            body.append(i == 2 ? CHOICES : "").append(sections.get(i).html());
        }
        return PageParts.filled(
                "study.html",
                Map.of(
                        "title",
                        "plog study " + PageParts.escape(study.results().startedAt()),
                        "styles",
                        PageParts.resource("report.css") + PageParts.resource("study.css"),
                        "sections",
                        body.toString(),
                        "data",
                        PageParts.data(data()),
                        "scripts",
                        SCRIPTS.stream().map(PageParts::resource).collect(Collectors.joining("\n"))));
    }

    private Map<String, Object> data() {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put(
                "designs",
                study.designs().stream()
                        .map(design -> List.of(
                                design, StudyInks.line(study.index(design)).colour()))
                        .toList());
        Map<String, String> csv = new LinkedHashMap<>();
        figures().forEach(figure -> csv.put(figure.name(), figure.table().csv()));
        data.put("csv", csv);
        return data;
    }
}
