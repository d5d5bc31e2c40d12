package io.plog.results.study;

import io.plog.measure.load.LoadSummary;
import io.plog.measure.samples.RunInfo.SizeShare;
import io.plog.measure.study.Bin;
import io.plog.measure.study.StudyCell;
import io.plog.results.cells.Bins;
import io.plog.results.cells.FigureData;
import io.plog.results.cells.LatencyPart;
import io.plog.results.model.PlannedFacts;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Components;
import io.plog.results.model.Results.Deciles;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Estimate;
import io.plog.results.model.Results.Inversion;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Results.Part;
import io.plog.results.model.Results.UnderLoad;
import io.plog.results.study.StudyCells.Machine;
import io.plog.results.table.Table;
import io.plog.stats.Percentile;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of what designs do under load: the second study. */
public final class StudyTables {
    private final StudyCells study;
    private final FigureData figures;
    private final List<String> designs;
    private final List<Cell> relative;

    private StudyTables(StudyCells study, FigureData figures) {
        this.study = study;
        this.figures = figures;
        designs = study.designs();
        relative = study.relative();
    }

    /** Those that there are data for; the names of designs come first, since their order decides the colours. */
    public static List<Table> of(Results results, FigureData figures) {
        StudyTables tables = new StudyTables(StudyCells.of(results), figures);
        return Stream.of(
                        Stream.of(
                                tables.designs(),
                                tables.summary(),
                                tables.summaryLatency(),
                                tables.capacity(),
                                tables.trials(),
                                tables.loads(),
                                tables.latency(),
                                tables.distribution(),
                                tables.deciles(),
                                tables.randomOrders(),
                                tables.inversion(),
                                tables.publishedInversions(),
                                tables.turns(),
                                tables.turnMeans(),
                                tables.components(),
                                tables.processor(),
                                tables.factors(),
                                tables.machineCapacity(),
                                tables.machineLatency()),
                        WorkloadTables.of(tables.study.workloads(), figures.parts()).stream(),
                        PublishedTables.all().stream(),
                        Stream.of(DesignSketch.table()))
                .flatMap(all -> all)
                .filter(table -> !table.rows().isEmpty())
                .toList();
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

    /** An estimate's value and both ends, as three cells. */
    static List<@Nullable Object> cells(@Nullable Estimate estimate) {
        return estimate == null
                ? Arrays.asList(null, null, null)
                : Arrays.asList(estimate.value(), estimate.low(), estimate.high());
    }

    /** A row of values, of which each list stands for its elements. */
    static void row(Table table, @Nullable Object... values) {
        List<@Nullable Object> cells = new ArrayList<>();
        for (Object value : values) {
            if (value instanceof List<?> several) {
                cells.addAll(several);
            } else {
                cells.add(value);
            }
        }
        table.row(cells.toArray());
    }

    private Table designs() {
        Table table = Table.of("designs", 1, "design");
        designs.forEach(table::row);
        return table;
    }

    private List<String> withCapacity() {
        return designs.stream()
                .filter(design -> study.capacity(design).isPresent())
                .toList();
    }

    private Table summary() {
        Table table = Table.of(
                "summary",
                1,
                "design",
                "requests/s with the log",
                "with the log low",
                "with the log high",
                "requests/s in memory",
                "in memory low",
                "in memory high",
                "share of in memory:share",
                "share low:share",
                "share high:share");
        for (String design : withCapacity()) {
            row(
                    table,
                    design,
                    cells(study.capacity(design).orElse(null)),
                    cells(study.inMemory(design).map(StudyCells::perSecond).orElse(null)),
                    cells(study.loggedShare(design).orElse(null)));
        }
        return table;
    }

    /** At the highest rate that all designs kept. */
    private Table summaryLatency() {
        Table table = Table.of(
                "summary-latency",
                1,
                "design",
                "offered/s",
                "median:µs",
                "median low:µs",
                "median high:µs",
                "mean:µs",
                "mean low:µs",
                "mean high:µs");
        Double rate = study.commonRate();
        List<String> known = withCapacity();
        if (rate != null) {
            study.atRate(rate).stream()
                    .filter(cell -> known.contains(cell.target()))
                    .forEach(cell -> row(
                            table,
                            cell.target(),
                            StudyCells.load(cell).offeredPerSecond(),
                            cells(StudyCells.latency(cell).at(Percentile.P50).estimate()),
                            cells(StudyCells.latency(cell).meanEstimate())));
        }
        return table;
    }

    private Table capacity() {
        Table table = Table.of(
                "capacity",
                2,
                "design",
                "sizes",
                "requests/s",
                "low",
                "high",
                "MB/s",
                "MB/s low",
                "MB/s high",
                "records per force",
                "server µs per request",
                "published server");
        study.capacities()
                .forEach(c -> row(
                        table,
                        c.target(),
                        c.dimension(StudyCell.SIZES),
                        cells(StudyCells.perSecond(c)),
                        cells(StudyCells.load(c).megabytesPerSecond()),
                        c.recordsPerForce(),
                        StudyCells.load(c).serverMicrosPerRequest(),
                        PublishedServers.family(c.target())));
        return table;
    }

    private Table trials() {
        Table table = Table.of("capacity-trials", 2, "design", "sizes", "trial", "requests/s");
        for (Cell c : study.capacities()) {
            for (int i = 0; i < StudyCells.load(c).trials().size(); i++) {
                table.row(
                        c.target(),
                        c.dimension(StudyCell.SIZES),
                        i + 1,
                        StudyCells.load(c).trials().get(i).acceptedPerSecond());
            }
        }
        return table;
    }

    private static String kept(Cell cell) {
        return StudyCells.load(cell).sustained() ? "yes" : "no";
    }

    private Stream<Cell> inOrder() {
        return Stream.of(StudyCell.RELATIVE, StudyCell.ABSOLUTE).flatMap(kind -> study.loads(kind).stream());
    }

    /** Each cell with all that it says of latencies. */
    private Table loads() {
        Table table = Table.of(
                "loads",
                2,
                "kind",
                "design",
                "level",
                "offered/s",
                "answered/s",
                "sustained",
                "requests:count",
                "mean:µs",
                "mean low:µs",
                "mean high:µs",
                "5 %:µs",
                "median:µs",
                "median low:µs",
                "median high:µs",
                "90 %:µs",
                "95 %:µs",
                "95 % low:µs",
                "95 % high:µs",
                "99 %:µs",
                "99.9 %:µs",
                "min:µs",
                "max:µs",
                "mean from intended:µs",
                "median from intended:µs",
                "95 % from intended:µs",
                "99 % from intended:µs",
                "lag 99 %:µs",
                "published server");
        inOrder().forEach(cell -> {
            UnderLoad load = StudyCells.load(cell);
            Distribution own = StudyCells.latency(cell);
            Distribution intended = Objects.requireNonNullElse(cell.fromIntendedMicros(), own);
            row(
                    table,
                    cell.dimension(StudyCell.LOAD),
                    cell.target(),
                    StudyCells.level(cell),
                    load.offeredPerSecond(),
                    load.mean(LoadSummary::answeredPerSecond),
                    kept(cell),
                    cell.count(),
                    cells(own.meanEstimate()),
                    own.at(Percentile.P5).micros(),
                    cells(own.at(Percentile.P50).estimate()),
                    own.at(Percentile.P90).micros(),
                    cells(own.at(Percentile.P95).estimate()),
                    own.p99(),
                    own.at(Percentile.P999).micros(),
                    own.min(),
                    own.max(),
                    intended.mean(),
                    intended.p50(),
                    intended.at(Percentile.P95).micros(),
                    intended.p99(),
                    load.trials().stream()
                            .flatMap(trial -> Stream.ofNullable(trial.lag()))
                            .mapToDouble(LoadSummary.Times::p99)
                            .max()
                            .orElse(0),
                    PublishedServers.row(cell.target()));
        });
        return table;
    }

    /** The same, a row for each figure that is drawn. */
    private Table latency() {
        Table table = Table.of(
                "latency", 3, "kind", "statistic", "design", "at", "sustained", "latency:µs", "low:µs", "high:µs");
        inOrder().forEach(cell -> {
            Distribution own = StudyCells.latency(cell);
            BiConsumer<String, Estimate> add = (statistic, estimate) -> row(
                    table,
                    cell.dimension(StudyCell.LOAD),
                    statistic,
                    cell.target(),
                    StudyCells.at(cell),
                    kept(cell),
                    cells(estimate));
            add.accept("mean", own.meanEstimate());
            add.accept("median", own.at(Percentile.P50).estimate());
            add.accept("p95", own.at(Percentile.P95).estimate());
            add.accept("p99", own.at(Percentile.P99).estimate());
        });
        return table;
    }

    private Table distribution() {
        Table table = Table.of("distribution", 3, "where", "design", "logged", "latency:µs", "share at most:share");
        Double rate = study.commonRate();
        points(table, "near capacity", study.top().stream(), "yes");
        if (!table.rows().isEmpty()) {
            points(table, "near capacity", study.loadsInMemory().stream(), "no");
        }
        points(table, "one rate", rate == null ? Stream.of() : study.atRate(rate).stream(), "yes");
        return table;
    }

    private void points(Table table, String where, Stream<Cell> cells, String logged) {
        cells.forEach(cell -> figures.curves().stream()
                .filter(curve -> curve.measure().equals(FigureData.END_TO_END)
                        && curve.target().equals(cell.target())
                        && curve.force().equals(cell.force())
                        && curve.dimensions().equals(cell.dimensions()))
                .forEach(curve -> points(table, curve.ecdf(), curve.count(), where, cell.target(), logged)));
    }

    /** The points of a distribution function, about which the first columns are. */
    static void points(Table table, long[][] ecdf, long count, Object... about) {
        for (int i = 0; i < ecdf[0].length; i++) {
            row(table, List.of(about), Micros.ofNanos(ecdf[0][i]), Units.rounded((double) ecdf[1][i] / count, 6));
        }
    }

    private Table deciles() {
        Table table = Table.of(
                "deciles",
                1,
                "design",
                "tenth",
                "size class",
                "from:bytes",
                "to:bytes",
                "share of all:share",
                "share of the tenth:share");
        List<Cell> top = study.top().stream()
                .filter(cell -> StudyCells.load(cell).deciles() != null)
                .toList();
        boolean alike = top.stream()
                        .map(cell -> deciles(cell).series().stream()
                                .map(PlannedFacts::sizes)
                                .toList())
                        .distinct()
                        .count()
                == 1;
        for (Cell cell : top) {
            Deciles deciles = deciles(cell);
            for (int tenth = 0; tenth < deciles.shares().size(); tenth++) {
                List<Double> shares = deciles.shares().get(tenth);
                for (int i = 0; i < shares.size(); i++) {
                    SizeShare size = deciles.series().get(i);
                    table.row(
                            cell.target(),
                            tenth + 1,
                            alike ? PlannedFacts.sizes(size) : sizeClass(i, shares.size()),
                            size.leastBytes(),
                            size.mostBytes(),
                            size.share(),
                            shares.get(i));
                }
            }
        }
        return table;
    }

    private static Deciles deciles(Cell cell) {
        return Objects.requireNonNull(StudyCells.load(cell).deciles());
    }

    /** Of cells whose sizes fall into different classes, since each was sent its own sizes at random. */
    private static String sizeClass(int index, int classes) {
        return index == 0
                ? "the smallest"
                : index == classes - 1 ? "the largest" : "class " + (index + 1) + " of " + classes;
    }

    private Table inversion() {
        Table table = Table.of(
                "inversion",
                2,
                "design",
                "logged",
                "level",
                "sustained",
                "inversion",
                "low",
                "high",
                "random",
                "random low",
                "random high",
                "by random");
        relative.forEach(load -> inversion(table, load, "yes"));
        if (!table.rows().isEmpty()) {
            study.loadsInMemory().forEach(load -> inversion(table, load, "no"));
        }
        return table;
    }

    private static void inversion(Table table, Cell load, String logged) {
        Inversion found = StudyCells.load(load).inversion();
        if (found != null) {
            row(
                    table,
                    load.target(),
                    logged,
                    StudyCells.level(load),
                    kept(load),
                    cells(found.value()),
                    cells(found.random()),
                    found.random().value() > 0
                            ? found.value().value() / found.random().value()
                            : null);
        }
    }

    /** The mix is the same in all cells, so their baselines are one; the band holds all of them. */
    private Table randomOrders() {
        Table table = Table.of("random-orders", 0, "at", "from", "to");
        List<Estimate> random = relative.stream()
                .flatMap(cell -> Stream.ofNullable(StudyCells.load(cell).inversion()))
                .map(Inversion::random)
                .toList();
        if (!random.isEmpty()) {
            double low = random.stream()
                    .mapToDouble(each -> Objects.requireNonNullElse(each.low(), each.value()))
                    .min()
                    .orElse(0);
            double high = random.stream()
                    .mapToDouble(each -> Objects.requireNonNullElse(each.high(), each.value()))
                    .max()
                    .orElse(0);
            double margin = Math.max(0, 0.006 - (high - low)) / 2; // one too thin to be seen explains nothing
            table.row(0, low - margin, high + margin);
            table.row(1, low - margin, high + margin);
        }
        return table;
    }

    /** Lines close to each other share a text, on the upper one. */
    private Table publishedInversions() {
        Table table = Table.of("published-inversions", 0, "server", "inversion", "words");
        List<PublishedTables.Inverted> all = PublishedTables.INVERSIONS;
        for (PublishedTables.Inverted one : all) {
            boolean below =
                    all.stream().anyMatch(other -> other.value() > one.value() && other.value() - one.value() < 0.05);
            String near = all.stream()
                    .filter(other -> other.value() <= one.value() && one.value() - other.value() < 0.05)
                    .map(other -> StudyNumbers.twoDigits(other.value()) + " " + other.server())
                    .collect(Collectors.joining(", "));
            table.row(one.server(), one.value(), below ? "" : "published: " + near);
        }
        return table;
    }

    /** What shares a force or a turn of an event loop, at a load. */
    private record Counted(String of, Function<UnderLoad, List<Bin>> bins) {}

    private static final List<Counted> COUNTED =
            List.of(new Counted("batch", UnderLoad::batchRecords), new Counted("ready", UnderLoad::readyChannels));

    private Table turns() {
        Table table = Table.of(
                "turns",
                4,
                "of",
                "near capacity",
                "design",
                "level",
                "from:count",
                "to:count",
                "count:count",
                "share at most:share");
        List<Cell> top = study.top();
        for (Counted counted : COUNTED) {
            for (Cell load : relative) {
                List<Bin> bins = counted.bins().apply(StudyCells.load(load)).stream()
                        .sorted(Comparator.comparingLong(Bin::from))
                        .toList();
                long total = bins.stream().mapToLong(Bin::count).sum();
                long reached = 0;
                for (Bin bin : bins) {
                    reached += bin.count();
                    table.row(
                            counted.of(),
                            top.contains(load) ? "yes" : "no",
                            load.target(),
                            StudyCells.level(load),
                            bin.from(),
                            bin.to(),
                            bin.count(),
                            total == 0 ? null : Units.significant((double) reached / total, 6));
                }
            }
        }
        return table;
    }

    private Table turnMeans() {
        Table table = Table.of("turn-means", 2, "of", "design", "level", "mean", "low", "high");
        for (Counted counted : COUNTED) {
            for (Cell load : relative) {
                List<Bin> bins = counted.bins().apply(StudyCells.load(load));
                if (bins.stream().anyMatch(bin -> bin.count() > 0)) {
                    Estimate known =
                            counted.of().equals("ready") ? StudyCells.load(load).meanReadyChannels() : null;
                    row(
                            table,
                            counted.of(),
                            load.target(),
                            StudyCells.level(load),
                            cells(known == null ? new Estimate(Bins.mean(bins), null, null) : known));
                }
            }
        }
        return table;
    }

    private Table components() {
        Table table = Table.of("components", 2, "design", "level", "part", "mean:µs", "share:share");
        for (Cell load : relative) {
            Components components = load.components();
            if (components != null) {
                boolean unread =
                        components.parts().stream().anyMatch(part -> part.name().equals(LatencyPart.UNREAD_OR_NETWORK));
                double total = Math.max(
                        1e-9,
                        LatencyPart.OF_A_LOAD.stream()
                                .mapToDouble(group -> Math.max(0, micros(components, group, unread)))
                                .sum());
                for (LatencyPart.Group group : LatencyPart.OF_A_LOAD) {
                    double micros = micros(components, group, unread);
                    table.row(load.target(), StudyCells.level(load), group.name(unread), micros, micros / total);
                }
            }
        }
        return table;
    }

    private static double micros(Components components, LatencyPart.Group group, boolean unread) {
        List<String> names =
                group.parts().stream().map(part -> part.label(unread)).toList();
        return Units.rounded(
                components.parts().stream()
                        .filter(part -> names.contains(part.name()))
                        .mapToDouble(Part::micros)
                        .sum(),
                3);
    }

    private Table processor() {
        Table table =
                Table.of("processor", 1, "design", "level", "answered/s", "sustained", "server time per request:µs");
        relative.stream()
                .filter(cell -> StudyCells.load(cell).serverMicrosPerRequest() != null)
                .forEach(cell -> table.row(
                        cell.target(),
                        StudyCells.level(cell),
                        StudyCells.load(cell).mean(LoadSummary::answeredPerSecond),
                        kept(cell),
                        StudyCells.load(cell).serverMicrosPerRequest()));
        return table;
    }

    private Table factors() {
        Table table = Table.of(
                "factors",
                3,
                "statistic",
                "design",
                "rate",
                "by dedicated",
                "low",
                "high",
                "published",
                "published pair");
        for (Overhead c : study.comparisons()) {
            Optional<PublishedServers.Factors> published = PublishedServers.factors(c.target(), c.against());
            String pair = published.map(PublishedServers.Factors::pair).orElse("");
            row(
                    table,
                    "mean",
                    c.target(),
                    StudyCells.rate(c),
                    cells(c.ratioOfMeans().estimate()),
                    published.map(PublishedServers.Factors::mean).orElse(null),
                    pair);
            row(
                    table,
                    "median",
                    c.target(),
                    StudyCells.rate(c),
                    cells(c.ratioOfMedians().estimate()),
                    published.map(PublishedServers.Factors::median).orElse(null),
                    pair);
        }
        return table;
    }

    private Table machineCapacity() {
        Table table = Table.of(
                "machine-capacity", 4, "machine", "processors", "design", "sizes", "requests/s", "low", "high", "MB/s");
        for (Machine machine : study.machines()) {
            study.capacities(machine)
                    .forEach(c -> row(
                            table,
                            machine.label(),
                            machine.processors(),
                            c.target(),
                            c.dimension(StudyCell.SIZES),
                            cells(StudyCells.perSecond(c)),
                            StudyCells.load(c).megabytesPerSecond().value()));
        }
        return table;
    }

    private Table machineLatency() {
        Table table = Table.of(
                "machine-latency", 3, "machine", "processors", "design", "level", "mean:µs", "low:µs", "high:µs");
        for (Machine machine : study.machines()) {
            study.relative(machine)
                    .forEach(cell -> row(
                            table,
                            machine.label(),
                            machine.processors(),
                            cell.target(),
                            StudyCells.level(cell),
                            cells(StudyCells.latency(cell).meanEstimate())));
        }
        return table;
    }
}
