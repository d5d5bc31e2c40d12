package io.plog.results.study;

import io.plog.measure.load.LoadSummary;
import io.plog.measure.study.StudyCell;
import io.plog.protocol.Status;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Results.UnderLoad;
import io.plog.results.model.Results.WorkloadPart;
import io.plog.results.study.StudyCells.Machine;
import io.plog.stats.Percentile;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the page says besides its figures, by section: our numbers beside the published tables, and a sentence on each. */
public final class StudyBlocks {
    private final StudyCells study;
    private final Agreement agreement;

    private StudyBlocks(Results results) {
        study = StudyCells.of(results);
        agreement = new Agreement(study, results.claims());
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
    public static Map<String, List<Block>> of(Results results) {
        StudyBlocks blocks = new StudyBlocks(results);
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

    /** What stands in the texts of the list of figures. */
    public static Map<String, String> words(Results results) {
        StudyCells study = StudyCells.of(results);
        Double level = study.topLevel();
        Double rate = study.commonRate();
        int trials = results.plan().asked().trials();
        return Map.of(
                "level", level == null ? "none" : StudyNumbers.level(level),
                "rate", rate == null ? "none" : StudyNumbers.perSecond(rate),
                "trials", trials == 1 ? "1 trial" : trials + " trials",
                "layout", results.kind().label() + ", " + results.schemaVersion(),
                "published", PublishedTables.STUDY + " (and 2004); " + PublishedTables.THESIS);
    }

    private List<Block> capacity() {
        List<Cell> capacities = study.capacities();
        if (capacities.isEmpty()) {
            return List.of();
        }
        List<List<String>> rows = new ArrayList<>();
        for (Cell c : capacities) {
            rows.add(new ArrayList<>(List.of(
                    c.target(),
                    c.dimension(StudyCell.SIZES),
                    StudyNumbers.interval(StudyCells.perSecond(c), StudyNumbers::perSecond),
                    StudyNumbers.interval(StudyCells.load(c).megabytesPerSecond(), Units::fourDigits),
                    megabits(c),
                    StudyNumbers.orNone(StudyCells.load(c).serverMicrosPerRequest(), Units::fourDigits))));
            rows.get(rows.size() - 1).addAll(published(PublishedServers.family(c.target())));
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

    private static String megabits(Cell capacity) {
        return StudyNumbers.perSecond(
                8 * StudyCells.load(capacity).megabytesPerSecond().value());
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
                        study.rates().stream()
                                .filter(other -> !other.equals(rate))
                                .map(other -> tableOf(other)
                                        .folded("The same at " + StudyNumbers.perSecond(other) + " requests/s")))
                .toList();
    }

    /** The study's table: all designs at one rate. */
    private Block tableOf(double rate) {
        List<List<String>> rows = new ArrayList<>();
        Set<String> beside = new HashSet<>();
        for (Cell load : study.atRate(rate)) {
            Distribution latency = StudyCells.latency(load);
            String server = PublishedServers.row(load.target());
            beside.add(server);
            List<String> row = new ArrayList<>(List.of(
                    load.target() + (StudyCells.load(load).sustained() ? "" : " (rate not kept)"),
                    Micros.millis(latency.at(Percentile.P5).micros()),
                    Micros.millis(latency.p50()),
                    Micros.millis(latency.at(Percentile.P95).micros()),
                    StudyNumbers.interval(latency.meanEstimate(), Micros::millis)));
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
        Stream.of(StudyCell.RELATIVE, StudyCell.ABSOLUTE)
                .flatMap(kind -> study.loads(kind).stream())
                .forEach(cell -> {
                    UnderLoad load = StudyCells.load(cell);
                    double refused = load.mean(LoadSummary::refusedShare);
                    Map<String, Long> errors = new TreeMap<>();
                    load.trials()
                            .forEach(trial ->
                                    trial.errors().forEach((status, count) -> errors.merge(status, count, Long::sum)));
                    errors.remove(Status.OVERLOADED.name());
                    if (refused > 0 || !errors.isEmpty()) {
                        Double level = StudyCells.level(cell);
                        rows.put(
                                cell.target()
                                        + (level == null
                                                ? " at " + StudyNumbers.perSecond(load.offeredPerSecond()) + "/s"
                                                : " at load " + StudyNumbers.level(level)),
                                (refused > 0 ? Units.percent(refused) + " refused as overloaded. " : "")
                                        + errors.entrySet().stream()
                                                .map(error -> error.getKey() + ": " + Units.count(error.getValue()))
                                                .collect(Collectors.joining(", ")));
                    }
                });
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
        List<Overhead> comparisons = study.comparisons();
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
                        comparisons.stream().map(StudyBlocks::factor).toList()),
                Block.agreement(comparisons.stream()
                        .map(Overhead::sentence)
                        .filter(sentence -> !sentence.isEmpty())
                        .toList()));
    }

    private static List<String> factor(Overhead c) {
        Optional<PublishedServers.Factors> published = PublishedServers.factors(c.target(), c.against());
        return List.of(
                c.target(),
                StudyNumbers.perSecond(StudyCells.rate(c)),
                StudyNumbers.interval(c.ratioOfMeans().estimate(), StudyNumbers::factor),
                StudyNumbers.orNone(
                        published.map(PublishedServers.Factors::mean).orElse(null), StudyNumbers::factor),
                StudyNumbers.interval(c.ratioOfMedians().estimate(), StudyNumbers::factor),
                StudyNumbers.orNone(
                        published.map(PublishedServers.Factors::median).orElse(null), StudyNumbers::factor),
                published.map(PublishedServers.Factors::pair).orElse("–"));
    }

    private static String name(Cell workload) {
        return workload.dimension(StudyCell.WORKLOAD) + " ("
                + Units.wholePercent(StudyCells.number(workload, StudyCell.LOGGED)) + " logged), " + workload.target();
    }

    private List<Block> workloads() {
        return study.workloads().stream()
                .flatMap(workload -> Stream.concat(
                        Stream.of(
                                Block.of(
                                        "heading",
                                        name(workload) + ", " + Units.count(workload.count()) + " requests, "
                                                + StudyNumbers.perSecond(StudyCells.load(workload)
                                                        .mean(LoadSummary::answeredPerSecond))
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
                                        StudyCells.parts(workload).stream()
                                                .flatMap(row -> Stream.concat(Stream.of(here(row)), published(row)))
                                                .toList()),
                                Block.agreement(agreement.components(workload))),
                        Objects.requireNonNull(StudyCells.load(workload).workload()).notes().stream()
                                .map(note -> Block.of("note", note))))
                .toList();
    }

    private static String peaks(WorkloadPart row) {
        return row.peaks().isEmpty()
                ? "no peak"
                : row.peaks().stream()
                        .map(peak -> (peak.micros() < WorkloadTables.NO_TIME_MICROS
                                        ? "none"
                                        : Micros.withUnit(peak.micros()))
                                + " (" + Units.wholePercent(peak.share()) + ")")
                        .collect(Collectors.joining(" and "));
    }

    private static List<String> here(WorkloadPart row) {
        Distribution own = row.micros();
        double median = own.p50();
        return List.of(
                row.name(),
                "here",
                Micros.millis(own.mean()),
                Micros.millis(median),
                multiple(own.at(Percentile.P95).micros(), median),
                multiple(own.p99(), median),
                multiple(own.at(Percentile.P999).micros(), median),
                Micros.millis(own.min()),
                Micros.millis(own.max()),
                Units.wholePercent(row.share().value()),
                peaks(row));
    }

    private static String multiple(double micros, double median) {
        return Micros.millis(micros) + (median > 0 ? " (" + Units.fourDigits(rounded(micros / median)) + "x)" : "");
    }

    private static double rounded(double multiple) {
        return multiple >= 10 ? Math.round(multiple) : Math.round(multiple * 10) / 10.0;
    }

    private static Stream<List<String>> published(WorkloadPart own) {
        return PublishedTables.COMPONENTS.stream()
                .filter(row -> row.name().equals(own.name()))
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
                                .flatMap(machine -> study.capacities(machine).stream()
                                        .map(c -> List.of(
                                                machine.label(),
                                                Units.fourDigits(machine.processors()),
                                                c.target(),
                                                c.dimension(StudyCell.SIZES),
                                                StudyNumbers.interval(StudyCells.perSecond(c), StudyNumbers::perSecond),
                                                megabits(c))))
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
