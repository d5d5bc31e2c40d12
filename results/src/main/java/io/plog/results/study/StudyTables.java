package io.plog.results.study;

import static io.plog.results.study.StudyCells.latency;
import static io.plog.results.study.StudyCells.load;

import io.plog.measure.load.LoadSummary;
import io.plog.measure.plan.SizeShare;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.samples.Bin;
import io.plog.measure.samples.ForceLabel;
import io.plog.results.cells.Bins;
import io.plog.results.cells.FigureData;
import io.plog.results.cells.FigureData.Drawn;
import io.plog.results.cells.FigureData.Place;
import io.plog.results.cells.LatencyPart;
import io.plog.results.model.PlannedFacts;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Components;
import io.plog.results.model.Results.Deciles;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Inversion;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Results.Part;
import io.plog.results.model.Results.UnderLoad;
import io.plog.results.model.Wording;
import io.plog.results.study.StudyCells.Machine;
import io.plog.results.table.Table;
import io.plog.results.table.TableOf;
import io.plog.results.verdict.PublishedClaim;
import io.plog.stats.Estimate;
import io.plog.stats.Percentile;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of what designs do under load: the second study. */
public final class StudyTables {
    private final StudyCells study;
    private final FigureData figures;
    private final List<Cell> relative;
    private final List<Cell> loads;

    private StudyTables(StudyCells study, FigureData figures) {
        this.study = study;
        this.figures = figures;
        relative = study.relative();
        loads = study.loads();
    }

    /** Those that there are data for; the names of designs come first, since their order decides the colours. */
    public static List<Table> of(Results results, FigureData figures) {
        StudyTables tables = new StudyTables(StudyCells.of(results), figures);
        return Stream.of(
                        Stream.of(
                                tables.designs(),
                                tables.summary(),
                                tables.capacity(),
                                tables.trials(),
                                tables.loads(),
                                tables.latencies(),
                                tables.distribution(),
                                tables.deciles(),
                                tables.randomOrders(),
                                tables.inversion(),
                                tables.turns(),
                                tables.turnMeans(),
                                tables.components(),
                                tables.processor(),
                                tables.factors()),
                        WorkloadTables.of(tables.study.workloads(), figures.curves()).stream(),
                        PublishedServers.TABLES.stream())
                .flatMap(all -> all)
                .filter(table -> !table.rows().isEmpty())
                .toList();
    }

    /** What stands in the texts of the list of figures. */
    public static Map<String, String> words(Results results) {
        StudyCells study = StudyCells.of(results);
        Double level = study.topLevel();
        Double rate = study.commonRate();
        int trials = results.plan().trials();
        return Map.of(
                "level", level == null ? "none" : Units.significantDigits(level, 3),
                "rate", rate == null ? "none" : Wording.perSecond(rate),
                "trials", trials == 1 ? "1 trial" : trials + " trials",
                "layout", results.kind().label() + ", " + results.schemaVersion(),
                "published",
                        StudyClaims.ROWS.stream()
                                .map(PublishedClaim::source)
                                .distinct()
                                .collect(Collectors.joining("; ")));
    }

    private Table designs() {
        return TableOf.each(study.designs(), "designs", 1)
                .column("design", design -> design)
                .table();
    }

    private List<String> withCapacity() {
        return study.designs().stream()
                .filter(design -> study.capacity(design).isPresent())
                .toList();
    }

    private Table summary() {
        return TableOf.each(withCapacity(), "summary", 1)
                .column("design", design -> design)
                .estimate(
                        "requests/s with the log",
                        "with the log low",
                        "with the log high",
                        design -> study.capacity(design).orElse(null))
                .estimate(
                        "requests/s in memory",
                        "in memory low",
                        "in memory high",
                        design -> study.inMemory(design)
                                .map(StudyCells::perSecond)
                                .orElse(null))
                .estimate(
                        "share of in memory:share",
                        "share low:share",
                        "share high:share",
                        design -> study.loggedShare(design).orElse(null))
                .table();
    }

    /** Whether it is one of several machines that are compared. */
    private static boolean isOfMachine(Cell cell) {
        return !cell.dimension(StudyCell.MACHINE).isEmpty();
    }

    /** The machine's columns are empty where there is one only. */
    private static TableOf<Cell> ofMachines(List<Cell> cells, String name, int keys) {
        return TableOf.each(cells, name, keys)
                .column("kind", cell -> isOfMachine(cell) ? "machine" : cell.dimension(StudyCell.LOAD))
                .column("design", Cell::target)
                .column("machine", cell -> isOfMachine(cell) ? cell.dimension(StudyCell.MACHINE) : null)
                .column(
                        "processors",
                        cell -> isOfMachine(cell) ? (Double) StudyCells.number(cell, StudyCell.PROCESSORS) : null);
    }

    private Table capacity() {
        return ofMachines(withMachines(study.capacities(), study::capacities), "capacity", 5)
                .column("sizes", cell -> cell.dimension(StudyCell.SIZES))
                .estimate("requests/s", "low", "high", StudyCells::perSecond)
                .estimate(
                        "confirmed/s",
                        "confirmed low",
                        "confirmed high",
                        cell -> load(cell).confirmedPerSecond())
                .estimate("MB/s", "MB/s low", "MB/s high", cell -> load(cell).megabytesPerSecond())
                .column("records per force", Cell::recordsPerForce)
                .column("server µs per request", cell -> load(cell).serverMicrosPerRequest())
                .column("published server", cell -> PublishedServers.family(cell.target()))
                .table();
    }

    /** One of several things that a load has. */
    private record Of<P>(Cell load, int at, P part) {
        String design() {
            return load.target();
        }

        @Nullable
        Double level() {
            return StudyCells.level(load);
        }
    }

    private static <P> List<Of<P>> all(List<Cell> loads, Function<Cell, List<P>> parts) {
        List<Of<P>> all = new ArrayList<>();
        for (Cell load : loads) {
            List<P> of = parts.apply(load);
            IntStream.range(0, of.size()).forEach(at -> all.add(new Of<>(load, at, of.get(at))));
        }
        return all;
    }

    private Table trials() {
        return TableOf.each(all(study.capacities(), cell -> load(cell).trials()), "capacity-trials", 2)
                .column("design", Of::design)
                .column("sizes", trial -> trial.load.dimension(StudyCell.SIZES))
                .column("trial", trial -> trial.at + 1)
                .column("requests/s", trial -> trial.part.acceptedPerSecond())
                .table();
    }

    private static String kept(Cell cell) {
        return StudyCells.isJudged(cell) ? "yes" : "no";
    }

    private static Distribution intended(Cell cell) {
        return Objects.requireNonNullElse(cell.fromIntendedMicros(), latency(cell));
    }

    /** Each cell with all that it says of latencies, and whether it has the highest rate that all designs kept. */
    private Table loads() {
        Double rate = study.commonRate();
        List<Cell> atOneRate = rate == null ? List.of() : study.atRate(rate);
        return ofMachines(withMachines(loads, study::relative), "loads", 4)
                .column("level", StudyCells::level)
                .column("at one rate", cell -> atOneRate.contains(cell) ? "yes" : "no")
                .column("offered/s", cell -> load(cell).offeredPerSecond())
                .column("answered/s", cell -> load(cell).mean(LoadSummary::answeredPerSecond))
                .column("judged", StudyTables::kept)
                .column("requests:count", Cell::count)
                .micros("mean", cell -> latency(cell).meanEstimate())
                .column("5 %:µs", cell -> latency(cell).at(Percentile.P5).micros())
                .micros("median", cell -> latency(cell).at(Percentile.P50).estimate())
                .column("90 %:µs", cell -> latency(cell).at(Percentile.P90).micros())
                .micros("95 %", cell -> latency(cell).at(Percentile.P95).estimate())
                .column("99 %:µs", cell -> latency(cell).p99())
                .column("99.9 %:µs", cell -> latency(cell).at(Percentile.P999).micros())
                .column("min:µs", cell -> latency(cell).min())
                .column("max:µs", cell -> latency(cell).max())
                .column("mean from intended:µs", cell -> intended(cell).mean())
                .column("median from intended:µs", cell -> intended(cell).p50())
                .column(
                        "95 % from intended:µs",
                        cell -> intended(cell).at(Percentile.P95).micros())
                .column("99 % from intended:µs", cell -> intended(cell).p99())
                .column(
                        "lag 99 %:µs",
                        cell -> load(cell).trials().stream()
                                .flatMap(trial -> Stream.ofNullable(trial.lag()))
                                .mapToDouble(LoadSummary.Times::p99)
                                .max()
                                .orElse(0))
                .column("published server", cell -> PublishedServers.row(cell.target()))
                .table();
    }

    /** A figure of a latency by its name. */
    private record Named(String statistic, Estimate figure) {}

    private static List<Named> figures(Cell cell) {
        Distribution own = latency(cell);
        return List.of(
                new Named("mean", own.meanEstimate()),
                new Named("median", own.at(Percentile.P50).estimate()),
                new Named("p95", own.at(Percentile.P95).estimate()),
                new Named("p99", own.at(Percentile.P99).estimate()));
    }

    /** The same, a row for each figure that is drawn. */
    private Table latencies() {
        return TableOf.each(all(loads, StudyTables::figures), "latency", 3)
                .column("kind", row -> row.load.dimension(StudyCell.LOAD))
                .column("statistic", row -> row.part.statistic)
                .column("design", Of::design)
                .column("at", row -> StudyCells.at(row.load))
                .column("judged", row -> kept(row.load))
                .estimate("latency:µs", "low:µs", "high:µs", row -> row.part.figure)
                .table();
    }

    /** A point of the distribution function of a cell. */
    private record Point(String where, Place knot) {}

    private Table distribution() {
        Double rate = study.commonRate();
        List<Cell> top = study.top();
        List<Point> points = new ArrayList<>(points("near capacity", top));
        if (!points.isEmpty()) {
            points.addAll(points("near capacity", study.loadsInMemory()));
        }
        points.addAll(points("one rate", rate == null ? List.of() : study.atRate(rate)));
        return TableOf.each(points, "distribution", 3)
                .column("where", Point::where)
                .column("design", point -> point.knot.curve().target())
                .column("logged", point -> new ForceLabel(point.knot.curve().force()).isLogged() ? "yes" : "no")
                .column("latency:µs", point -> point.knot.micros())
                .column("share at most:share", point -> Units.rounded(point.knot.shareAtMost(), 6))
                .table();
    }

    private List<Point> points(String where, List<Cell> cells) {
        return cells.stream()
                .flatMap(cell -> figures.curves().stream()
                        .filter(curve -> curve.measure().equals(FigureData.END_TO_END) && curve.isOf(cell)))
                .flatMap(Drawn::knots)
                .map(knot -> new Point(where, knot))
                .toList();
    }

    /** A class of sizes in a tenth of the latencies. */
    private record SizeInTenth(int tenth, int index, int classes, SizeShare size, double share) {
        /** Of cells whose sizes fall into different classes, since each was sent its own sizes at random. */
        String name() {
            return index == 0
                    ? "the smallest"
                    : index == classes - 1 ? "the largest" : "class " + (index + 1) + " of " + classes;
        }
    }

    private static List<SizeInTenth> tenths(Cell cell) {
        Deciles deciles = Objects.requireNonNull(load(cell).deciles());
        int classes = deciles.series().size();
        return IntStream.range(0, deciles.shares().size() * classes)
                .mapToObj(i -> new SizeInTenth(
                        i / classes + 1,
                        i % classes,
                        classes,
                        deciles.series().get(i % classes),
                        deciles.shares().get(i / classes).get(i % classes)))
                .toList();
    }

    private Table deciles() {
        List<Cell> top = study.top().stream()
                .filter(cell -> load(cell).deciles() != null)
                .toList();
        boolean alike = top.stream()
                        .map(cell -> tenths(cell).stream()
                                .map(of -> PlannedFacts.sizes(of.size))
                                .collect(Collectors.toSet()))
                        .distinct()
                        .count()
                == 1;
        return TableOf.each(all(top, StudyTables::tenths), "deciles", 1)
                .column("design", Of::design)
                .column("tenth", row -> row.part.tenth)
                .column("size class", row -> alike ? PlannedFacts.sizes(row.part.size) : row.part.name())
                .column("from:bytes", row -> row.part.size.leastBytes())
                .column("to:bytes", row -> row.part.size.mostBytes())
                .column("share of all:share", row -> row.part.size.share())
                .column("share of the tenth:share", row -> row.part.share)
                .table();
    }

    private static List<Inversion> inversion(Cell load) {
        return Stream.ofNullable(load(load).inversion()).toList();
    }

    private Table inversion() {
        List<Of<Inversion>> rows = all(relative, StudyTables::inversion);
        if (!rows.isEmpty()) {
            rows.addAll(all(study.loadsInMemory(), StudyTables::inversion));
        }
        return TableOf.each(rows, "inversion", 2)
                .column("design", Of::design)
                .column("logged", row -> row.load.forceLabel().isLogged() ? "yes" : "no")
                .column("level", Of::level)
                .column("judged", row -> kept(row.load))
                .estimate("inversion", "low", "high", row -> row.part.value())
                .estimate("random", "random low", "random high", row -> row.part.random())
                .column("by random", row -> byRandom(row.part))
                .table();
    }

    private static @Nullable Double byRandom(Inversion found) {
        double random = found.random().value();
        return random > 0 ? (Double) (found.value().value() / random) : null;
    }

    /** The mix is the same in all cells, so their baselines are one; the band holds all of them. */
    private Table randomOrders() {
        List<Estimate> random = all(relative, StudyTables::inversion).stream()
                .map(row -> row.part.random())
                .toList();
        double low = random.stream()
                .mapToDouble(each -> Objects.requireNonNullElse(each.low(), each.value()))
                .min()
                .orElse(0);
        double high = random.stream()
                .mapToDouble(each -> Objects.requireNonNullElse(each.high(), each.value()))
                .max()
                .orElse(0);
        double margin = Math.max(0, 0.006 - (high - low)) / 2; // one too thin to be seen explains nothing
        return TableOf.each(random.isEmpty() ? List.<Integer>of() : List.of(0, 1), "random-orders", 0)
                .column("at", end -> end)
                .column("from", end -> low - margin)
                .column("to", end -> high + margin)
                .table();
    }

    /** What shares a force or a turn of an event loop, at a load. */
    private record Counted(String of, Function<UnderLoad, List<Bin>> bins) {}

    private static final List<Counted> COUNTED =
            List.of(new Counted("batch", UnderLoad::batchRecords), new Counted("ready", UnderLoad::readyChannels));

    /** A bin with the share of all that it and those before it hold; null if there are none. */
    private record Turn(String of, Bin bin, @Nullable Double atMost) {}

    private static List<Turn> turns(Counted counted, Cell load) {
        List<Bin> bins = counted.bins.apply(load(load)).stream()
                .sorted(Comparator.comparingLong(Bin::from))
                .toList();
        long total = bins.stream().mapToLong(Bin::count).sum();
        List<Turn> turns = new ArrayList<>();
        long reached = 0;
        for (Bin bin : bins) {
            reached += bin.count();
            turns.add(new Turn(
                    counted.of, bin, total == 0 ? null : (Double) Units.significant((double) reached / total, 6)));
        }
        return turns;
    }

    private Table turns() {
        List<Cell> top = study.top();
        List<Of<Turn>> turns = COUNTED.stream()
                .flatMap(counted -> all(relative, load -> turns(counted, load)).stream())
                .toList();
        return TableOf.each(turns, "turns", 4)
                .column("of", row -> row.part.of)
                .column("near capacity", row -> top.contains(row.load) ? "yes" : "no")
                .column("design", Of::design)
                .column("level", Of::level)
                .column("from:count", row -> row.part.bin.from())
                .column("to:count", row -> row.part.bin.to())
                .column("count:count", row -> row.part.bin.count())
                .column("share at most:share", row -> row.part.atMost)
                .table();
    }

    private Table turnMeans() {
        List<Of<Named>> means = COUNTED.stream()
                .flatMap(counted -> all(relative, load -> mean(counted, load)).stream())
                .toList();
        return TableOf.each(means, "turn-means", 2)
                .column("of", row -> row.part.statistic)
                .column("design", Of::design)
                .column("level", Of::level)
                .estimate("mean", "low", "high", row -> row.part.figure)
                .table();
    }

    private static List<Named> mean(Counted counted, Cell load) {
        List<Bin> bins = counted.bins.apply(load(load));
        Estimate known = counted.of.equals("ready") ? load(load).meanReadyChannels() : null;
        return bins.stream().noneMatch(bin -> bin.count() > 0)
                ? List.of()
                : List.of(new Named(counted.of, known == null ? Estimate.unbounded(Bins.mean(bins)) : known));
    }

    private Table components() {
        return TableOf.each(all(relative, StudyTables::components), "components", 2)
                .column("design", Of::design)
                .column("level", Of::level)
                .column("part", row -> row.part.name())
                .column("mean:µs", row -> row.part.micros())
                .column("share:share", row -> row.part.share())
                .table();
    }

    private static List<Part> components(Cell load) {
        Components components = load.components();
        if (components == null) {
            return List.of();
        }
        boolean unread =
                components.parts().stream().anyMatch(part -> part.name().equals(LatencyPart.UNREAD_OR_NETWORK));
        double total = Math.max(
                1e-9,
                LatencyPart.OF_A_LOAD.stream()
                        .mapToDouble(group -> Math.max(0, micros(components, group, unread)))
                        .sum());
        return LatencyPart.OF_A_LOAD.stream()
                .map(group -> new Part(
                        group.name(unread),
                        micros(components, group, unread),
                        micros(components, group, unread) / total))
                .toList();
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
        List<Cell> known = relative.stream()
                .filter(cell -> load(cell).serverMicrosPerRequest() != null)
                .toList();
        return TableOf.each(known, "processor", 1)
                .column("design", Cell::target)
                .column("level", StudyCells::level)
                .column("answered/s", cell -> load(cell).mean(LoadSummary::answeredPerSecond))
                .column("judged", StudyTables::kept)
                .column("server time per request:µs", cell -> load(cell).serverMicrosPerRequest())
                .table();
    }

    /** The mean or the median of a design by that of another, and of the published servers that wait as they do. */
    private record Factor(boolean mean, Overhead of) {
        Estimate ratio() {
            return (mean ? of.ratioOfMeans() : of.ratioOfMedians()).estimate();
        }

        private Optional<PublishedServers.Factors> published() {
            return PublishedServers.factors(of.target(), of.against());
        }
    }

    private Table factors() {
        List<Factor> factors = study.comparisons().stream()
                .flatMap(of -> Stream.of(new Factor(true, of), new Factor(false, of)))
                .toList();
        return TableOf.each(factors, "factors", 3)
                .column("statistic", factor -> factor.mean ? "mean" : "median")
                .column("design", factor -> factor.of.target())
                .column("rate", factor -> StudyCells.rate(factor.of))
                .estimate("by dedicated", "low", "high", Factor::ratio)
                .column(
                        "published",
                        factor -> factor.published()
                                .map(known -> factor.mean ? known.mean() : known.median())
                                .orElse(null))
                .column(
                        "published pair",
                        factor -> factor.published()
                                .map(PublishedServers.Factors::pair)
                                .orElse(""))
                .table();
    }

    /** Cells outside the comparison of machines, then those of each machine. */
    private List<Cell> withMachines(List<Cell> cells, Function<Machine, List<Cell>> ofMachine) {
        return Stream.concat(
                        cells.stream(), study.machines().stream().flatMap(machine -> ofMachine.apply(machine).stream()))
                .toList();
    }
}
