package io.plog.study.page;

import io.plog.report.figure.Figure;
import io.plog.report.html.Choice;
import io.plog.report.html.Page;
import io.plog.report.html.Section;
import io.plog.study.StudyResults;
import java.util.ArrayList;
import java.util.List;

/**
 * The study's report as one file that opens offline. All that it says is in it as text and drawings; scripts only fade designs,
 * change the theme and take figures along.
 */
final class StudyPage {
    /** After how many sections the choice of designs stands: before the first whose figures follow it. */
    private static final int BEFORE_CHOICES = 2;

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
        sections.add(Page.files("Beside this file lies study.json, with every number of this page."));
    }

    /** All figures, in the order of the page. */
    List<Figure> figures() {
        return sections.stream().flatMap(section -> section.figures().stream()).toList();
    }

    String html() {
        StringBuilder body = new StringBuilder("<div class=\"study\">\n" + top.header());
        for (int i = 0; i < sections.size(); i++) {
            body.append(i == BEFORE_CHOICES ? choices() : "")
                    .append(sections.get(i).html());
        }
        return Page.of(
                "plog study " + study.results().startedAt(),
                study.source(),
                body.append("</div>\n").toString());
    }

    private String choices() {
        return "<nav class=\"filters\" aria-label=\"What the figures show\">\n"
                + Choice.anyOf(
                        "design",
                        "Designs",
                        study.designs().stream()
                                .map(design -> new Choice.Value(
                                        design,
                                        design,
                                        StudyPalette.line(study.index(design)).colour(),
                                        Choice.selector("data-name", design)))
                                .toList())
                + "</nav>\n";
    }
}
