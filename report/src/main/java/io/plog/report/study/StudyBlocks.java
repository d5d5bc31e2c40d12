package io.plog.report.study;

import io.plog.report.study.StudyResults.Capacity;
import io.plog.report.study.StudyResults.Comparison;
import io.plog.report.study.StudyResults.Latency;
import io.plog.report.study.StudyResults.Load;
import io.plog.report.study.StudyResults.Machine;
import io.plog.report.study.StudyResults.Row;
import io.plog.report.study.StudyResults.Workload;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the page says besides its figures, by section: our numbers beside the published tables, and a sentence on each. */
public final class StudyBlocks {
    private final StudyView study;
    private final Agreement agreement;

    private StudyBlocks(StudyView study) {
        this.study = study;
        agreement = new Agreement(study);
    }

    /**
     * A part of a section, as text.
     *
     * @param kind {@code table}, {@code folded} (a table that a click opens), {@code agreement}, {@code heading}, {@code note} or
     *     {@code empty}
     * @param caption of a table
     * @param texts sentences; of what is folded its summary
     */
    public record Block(
            String kind, String caption, List<String> columns, List<List<String>> rows, List<String> texts) {
        static Block of(String kind, String... texts) {
            return new Block(kind, "", List.of(), List.of(), List.of(texts));
        }

        static Block table(String caption, List<String> columns, List<List<String>> rows) {
            return new Block("table", caption, columns, rows, List.of());
        }

        static Block agreement(List<String> sentences) {
            return new Block("agreement", "", List.of(), List.of(), sentences);
        }

        Block folded(String summary) {
            return new Block("folded", caption, columns, rows, List.of(summary));
        }
    }

    /** The blocks of each place of the page that has some. */
    public static Map<String, List<Block>> of(StudyView study) {
        StudyBlocks blocks = new StudyBlocks(study);
        Map<String, List<Block>> all = new LinkedHashMap<>();
        all.put("capacity", blocks.capacity());
        all.put("percentiles", blocks.percentiles());
        all.put("refused", blocks.refused());
        all.put("inversion", List.of(Block.agreement(blocks.agreement.inversion())));
        all.put("factors", blocks.factors());
        all.put("workloads", blocks.workloads());
        all.put("machines", blocks.machines());
        return all;
    }

    private List<Block> capacity() {
        List<Capacity> capacities = study.capacities();
        if (capacities.isEmpty()) {
            return List.of();
        }
        List<List<String>> rows = new ArrayList<>();
        for (Capacity c : capacities) {
            rows.add(new ArrayList<>(List.of(
                    c.design(),
                    c.sizes(),
                    StudyNumbers.interval(c.requestsPerSecond(), StudyNumbers::perSecond),
                    StudyNumbers.interval(c.megabytesPerSecond(), Units::fourDigits),
                    StudyNumbers.perSecond(8 * c.megabytesPerSecond().value()),
                    StudyNumbers.orNone(c.serverMicrosPerRequest(), Units::fourDigits))));
            rows.get(rows.size() - 1)
                    .addAll(published(DesignLabel.of(c.design()).publishedFamily()));
        }
        return List.of(
                Block.table(
                        "Here beside " + PublishedTables.STUDY_2004 + ": Mb/s with 500 MB, 1.5 GB and 3.3 GB of data",
                        List.of(
                                "design",
                                "sizes",
                                "requests/s [95 %]",
                                "MB/s [95 %]",
                                "Mb/s",
                                "server µs/request",
                                "published server",
                                "500 MB, Mb/s",
                                "1.5 GB, Mb/s",
                                "3.3 GB, Mb/s"),
                        rows),
                Block.agreement(agreement.capacities()));
    }

    private static List<String> published(String family) {
        return PublishedTables.CAPACITIES.stream()
                .filter(row -> row.server().equals(family))
                .findFirst()
                .map(row -> List.of(
                        family,
                        Units.fourDigits(row.mb500()),
                        Units.fourDigits(row.gb1()),
                        Units.fourDigits(row.gb3())))
                .orElse(List.of(family.isEmpty() ? "–" : family + ", not given", "–", "–", "–"));
    }

    private List<Block> percentiles() {
        Double rate = study.commonRate();
        if (rate == null) {
            return List.of(
                    Block.of("empty", "No absolute rate was measured, so the designs cannot be compared at one rate."));
        }
        return Stream.concat(
                        Stream.of(tableOf(rate), Block.agreement(agreement.percentiles(rate))),
                        study.absoluteRates().stream()
                                .filter(other -> !other.equals(rate))
                                .map(other -> tableOf(other)
                                        .folded("The same at " + StudyNumbers.perSecond(other) + " requests/s")))
                .toList();
    }

    /** The study's table: all designs at one rate. */
    private Block tableOf(double rate) {
        List<List<String>> rows = new ArrayList<>();
        Set<String> beside = new HashSet<>();
        for (Load load : study.atRate(rate)) {
            Latency latency = load.latency();
            String server = DesignLabel.of(load.design()).publishedServer();
            beside.add(server);
            List<String> row = new ArrayList<>(List.of(
                    load.design() + (load.sustained() ? "" : " (rate not kept)"),
                    Micros.millis(latency.p5()),
                    Micros.millis(latency.p50().value()),
                    Micros.millis(latency.p95().value()),
                    StudyNumbers.interval(latency.mean(), Micros::millis)));
            row.addAll(publishedRow(server));
            rows.add(row);
        }
        PublishedTables.AT_2300.stream()
                .filter(row -> !beside.contains(row.server()))
                .forEach(row -> {
                    List<String> alone = new ArrayList<>(List.of("–", "–", "–", "–", "–"));
                    alone.addAll(publishedRow(row.server()));
                    rows.add(alone);
                });
        return Block.table(
                "Here at " + StudyNumbers.perSecond(rate) + " requests/s, beside " + PublishedTables.STUDY_2004
                        + ", 3.3 GB at 2300 requests/s; all in ms",
                List.of(
                        "design",
                        "5 %",
                        "median",
                        "95 %",
                        "mean [95 %]",
                        "published server",
                        "5 %",
                        "median",
                        "95 %",
                        "mean"),
                rows);
    }

    private static List<String> publishedRow(String server) {
        return PublishedTables.AT_2300.stream()
                .filter(row -> row.server().equals(server))
                .findFirst()
                .map(row -> List.of(
                        server,
                        StudyNumbers.twoDigits(row.p5()),
                        StudyNumbers.twoDigits(row.median()),
                        StudyNumbers.twoDigits(row.p95()),
                        StudyNumbers.twoDigits(row.mean())))
                .orElse(List.of(server.isEmpty() ? "–" : server + ", not given", "–", "–", "–", "–"));
    }

    /** Only what went wrong: refused and failed requests. */
    private List<Block> refused() {
        Map<String, String> rows = new TreeMap<>();
        for (Load load : study.results().loads()) {
            if (load.refusedShare() > 0 || !load.errors().isEmpty()) {
                Double level = load.level();
                rows.put(
                        load.design()
                                + (level == null
                                        ? " at " + StudyNumbers.perSecond(load.offeredPerSecond()) + "/s"
                                        : " at load " + StudyNumbers.level(level)),
                        (load.refusedShare() > 0 ? Units.percent(load.refusedShare()) + " refused as overloaded. " : "")
                                + load.errors().entrySet().stream()
                                        .map(error -> error.getKey() + ": " + Units.count(error.getValue()))
                                        .collect(Collectors.joining(", ")));
            }
        }
        return List.of(
                rows.isEmpty()
                        ? Block.of("note", "No request was refused and none failed.")
                        : Block.table(
                                        "Requests without the answer that was asked for",
                                        List.of("design and load", "what became of them"),
                                        rows.entrySet().stream()
                                                .map(row -> List.of(row.getKey(), row.getValue()))
                                                .toList())
                                .folded("Refused and failed requests"));
    }

    private List<Block> factors() {
        List<Comparison> comparisons = study.results().comparisons();
        if (comparisons.isEmpty()) {
            return List.of();
        }
        return List.of(
                Block.table(
                        "Times as long as dedicated, here and published",
                        List.of(
                                "design",
                                "requests/s",
                                "mean [95 %]",
                                "published",
                                "median [95 %]",
                                "published",
                                "published pair"),
                        comparisons.stream()
                                .map(c -> List.of(
                                        c.design(),
                                        StudyNumbers.perSecond(c.ratePerSecond()),
                                        StudyNumbers.interval(c.meanRatio(), StudyNumbers::factor),
                                        StudyNumbers.orNone(c.publishedMeanRatio(), StudyNumbers::factor),
                                        StudyNumbers.interval(c.medianRatio(), StudyNumbers::factor),
                                        StudyNumbers.orNone(c.publishedMedianRatio(), StudyNumbers::factor),
                                        c.publishedPair().isEmpty() ? "–" : c.publishedPair()))
                                .toList()),
                Block.agreement(comparisons.stream()
                        .map(Comparison::sentence)
                        .filter(sentence -> !sentence.isEmpty())
                        .toList()));
    }

    private static String name(Workload workload) {
        return workload.name() + " (" + Units.wholePercent(workload.loggedShare()) + " logged), " + workload.design();
    }

    private List<Block> workloads() {
        return study.results().workloads().stream()
                .flatMap(workload -> Stream.concat(
                        Stream.of(
                                Block.of(
                                        "heading",
                                        name(workload) + ", " + StudyNumbers.perSecond(workload.answeredPerSecond())
                                                + " requests/s"),
                                Block.table(
                                        "Here in ms, beside the published table (" + PublishedTables.THESIS
                                                + ", small data set)",
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
                                                .flatMap(row -> Stream.concat(Stream.of(here(row)), published(row)))
                                                .toList()),
                                Block.agreement(agreement.components(workload))),
                        workload.notes().stream().map(note -> Block.of("note", note))))
                .toList();
    }

    private static String peaks(Row row) {
        return row.peaks().isEmpty()
                ? "no peak"
                : row.peaks().stream()
                        .map(peak -> (peak.micros() < WorkloadTables.NO_TIME_MICROS
                                        ? "none"
                                        : Micros.withUnit(peak.micros()))
                                + " (" + Units.wholePercent(peak.share()) + ")")
                        .collect(Collectors.joining(" and "));
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
                peaks(row));
    }

    private static String multiple(double micros, double median) {
        return Micros.millis(micros) + (median > 0 ? " (" + Units.fourDigits(rounded(micros / median)) + "x)" : "");
    }

    private static double rounded(double multiple) {
        return multiple >= 10 ? Math.round(multiple) : Math.round(multiple * 10) / 10.0;
    }

    private static Stream<List<String>> published(Row own) {
        return PublishedTables.COMPONENTS.stream()
                .filter(row -> row.name().equals(own.component()))
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

    private List<Block> machines() {
        List<Machine> machines = study.machines();
        if (machines.isEmpty()) {
            return List.of(
                    Block.of(
                            "empty",
                            "Only one machine was measured. plog study can limit the server's processor step by step where root allows"
                                    + " it (cgroup cpu.max), and then lays the steps side by side here; see docs/measurement.md, load study."));
        }
        return List.of(
                Block.table(
                        "Capacity here",
                        List.of("machine", "processors", "design", "sizes", "requests/s [95 %]", "Mb/s"),
                        machines.stream()
                                .flatMap(machine -> study.capacities(machine.label()).stream()
                                        .map(c -> List.of(
                                                machine.label(),
                                                Units.fourDigits(machine.processors()),
                                                c.design(),
                                                c.sizes(),
                                                StudyNumbers.interval(c.requestsPerSecond(), StudyNumbers::perSecond),
                                                StudyNumbers.perSecond(8
                                                        * c.megabytesPerSecond().value()))))
                                .toList()),
                Block.table(
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
                                .toList()),
                Block.agreement(agreement.machines()));
    }
}
