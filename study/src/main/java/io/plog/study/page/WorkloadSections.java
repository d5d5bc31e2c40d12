package io.plog.study.page;

import io.plog.report.html.Html;
import io.plog.report.html.Section;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import io.plog.study.PublishedTables;
import io.plog.study.StudyResults.Capacity;
import io.plog.study.StudyResults.Latency;
import io.plog.study.StudyResults.Machine;
import io.plog.study.StudyResults.Row;
import io.plog.study.StudyResults.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The third study, its three workloads, and the comparison of machines. */
final class WorkloadSections {
    private final StudyView study;

    WorkloadSections(StudyView study) {
        this.study = study;
    }

    Section workloads() {
        Section section = study.section("workloads", "Three workloads and their components");
        List<Workload> workloads = study.results().workloads();
        if (workloads.isEmpty()) {
            return section.absent(
                    "The three workloads were not measured: the plan leaves them out, or the study ended before them.");
        }
        section.reading(
                "Mixes of logged and read-only requests, as in the thesis: a read-only request is executed and not logged. In"
                        + " brackets: multiples of the component's own median. Milliseconds.");
        for (Workload workload : workloads) {
            section.add(Html.heading(WorkloadFigures.name(workload) + ", "
                    + StudyNumbers.perSecond(workload.answeredPerSecond()) + " requests/s"));
            section.table(
                    "Here in ms, beside the published table (" + PublishedTables.THESIS + ", small data set)",
                    List.of(
                            "component",
                            "",
                            "mean",
                            "median",
                            "95 %",
                            "99 %",
                            "99.9 %",
                            "min",
                            "max",
                            "share of mean",
                            "peaks"),
                    workload.rows().stream()
                            .flatMap(row -> Stream.concat(Stream.of(here(row)), published(row.component())))
                            .toList());
            section.agreement(new Agreement(study).components(workload));
            workload.notes().forEach(section::note);
        }
        WorkloadFigures figures = new WorkloadFigures(study);
        WorkloadSpreadFigures spread = new WorkloadSpreadFigures(study);
        return section.figure(spread.parts(), "The components were not recorded.")
                .figure(spread.series(), "The order of time was not recorded.")
                .figure(figures.ecdf(), "The distributions of the components were not recorded.")
                .figure(figures.mass(), "The components' probability masses were not recorded.");
    }

    private static List<String> here(Row row) {
        Latency own = row.latency();
        double median = own.p50().value();
        return List.of(
                row.component() + ", " + Units.count(own.count()) + " requests",
                "here",
                Micros.millis(own.mean().value()),
                Micros.millis(median),
                multiple(own.p95().value(), median),
                multiple(own.p99(), median),
                multiple(own.p999(), median),
                Micros.millis(own.min()),
                Micros.millis(own.max()),
                Units.wholePercent(row.shareOfMean()),
                WorkloadFigures.peaks(row));
    }

    private static String multiple(double micros, double median) {
        return Micros.millis(micros) + (median > 0 ? " (" + Units.fourDigits(rounded(micros / median)) + "x)" : "");
    }

    private static double rounded(double multiple) {
        return multiple >= 10 ? Math.round(multiple) : Math.round(multiple * 10) / 10.0;
    }

    private static Stream<List<String>> published(String component) {
        return PublishedTables.COMPONENTS.stream()
                .filter(row -> row.name().equals(component))
                .map(row -> List.of(
                        "",
                        "published",
                        StudyNumbers.twoDigits(row.mean()),
                        StudyNumbers.twoDigits(row.median()),
                        multiple(row.p95() * 1000, row.median() * 1000),
                        multiple(row.p99() * 1000, row.median() * 1000),
                        multiple(row.p999() * 1000, row.median() * 1000),
                        StudyNumbers.twoDigits(row.min()),
                        StudyNumbers.twoDigits(row.max()),
                        switch (row.name()) {
                            case "network" -> "over 50 %";
                            case "service" -> "about 30 %";
                            default -> "100 %";
                        },
                        switch (row.name()) {
                            case "latency" -> "0.58 ms (memory) and about 1.1 ms (disk)";
                            case "service" -> PublishedTables.SERVICE_PEAKS;
                            default -> "–";
                        }));
    }

    Section machines() {
        Section section = study.section("machines", "Does a faster processor help?");
        List<Machine> machines = study.results().machines().stream()
                .sorted(Comparator.comparingDouble(Machine::processors))
                .toList();
        if (machines.isEmpty()) {
            return section.absent(
                    "Only one machine was measured. plog study can limit the server's processor step by step where root"
                            + " allows it (cgroup cpu.max), and then lays the steps side by side here; see docs/measurement.md, load study.");
        }
        MachineFigures figures = new MachineFigures(study);
        section.reading(
                        "The same study with different processors. If the disk holds a design back, its capacity does not grow with the"
                                + " processor, and at equal relative load its latency does not fall.")
                .figure(figures.capacity(), "No capacity was measured on these machines.");
        List<List<String>> rows = new ArrayList<>();
        for (Machine machine : machines) {
            for (Capacity c : figures.capacities(machine.label())) {
                rows.add(List.of(
                        machine.label(),
                        Units.fourDigits(machine.processors()),
                        c.design(),
                        c.sizes(),
                        StudyNumbers.interval(c.requestsPerSecond(), StudyNumbers::perSecond),
                        StudyNumbers.perSecond(8 * c.megabytesPerSecond().value())));
            }
        }
        if (!rows.isEmpty()) {
            section.table(
                    "Capacity here",
                    List.of("machine", "processors", "design", "sizes", "requests/s [95 %]", "Mb/s"),
                    rows);
        }
        return section.table(
                        "Published capacity, Mb/s (" + PublishedTables.STUDY + ")",
                        List.of("server", "workload", "Pentium II", "Pentium III", "Pentium 4", "growth"),
                        PublishedTables.GENERATIONS.stream()
                                .map(g -> List.of(
                                        g.server(),
                                        g.workload(),
                                        Units.fourDigits(g.second()),
                                        Units.fourDigits(g.third()),
                                        Units.fourDigits(g.fourth()),
                                        StudyNumbers.twoDigits(g.fourth() / g.second()) + " times"))
                                .toList())
                .agreement(new Agreement(study).machines(machines, figures))
                .figure(figures.latency(), "No latency was measured on these machines.");
    }
}
