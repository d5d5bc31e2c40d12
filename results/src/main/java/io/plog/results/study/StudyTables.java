package io.plog.results.study;

import static io.plog.results.study.StudyCells.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.measure.load.LoadSummary;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.samples.Bin;
import io.plog.results.cells.Bins;
import io.plog.results.cells.FigureData;
import io.plog.results.cells.FigureData.Drawn;
import io.plog.results.cells.FigureData.Knot;
import io.plog.results.cells.LatencyPart;
import io.plog.results.model.PlannedFacts;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Inversion;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Results.Part;
import io.plog.results.model.Results.UnderLoad;
import io.plog.results.model.Wording;
import io.plog.results.study.StudyCells.Machine;
import io.plog.results.table.Table;
import io.plog.results.table.TableMapping;
import io.plog.results.verdict.PublishedClaim;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the tables of the second study, of designs under load, show beyond its results. */
public final class StudyTables {
    private final StudyCells study;
    private final FigureData figures;
    private final List<Cell> top;
    private final List<Cell> atOneRate;

    private StudyTables(StudyCells study, FigureData figures) {
        this.study = study;
        this.figures = figures;
        top = study.top();
        Double rate = study.commonRate();
        atOneRate = rate == null ? List.of() : study.atRate(rate);
    }

    /** Those that there are data for; the names of designs come first, since their order decides the colours. */
    public static List<Table> of(Results results, FigureData figures) {
        StudyTables tables = new StudyTables(StudyCells.of(results), figures);
        return Stream.concat(TableMapping.tables("study", tables::rows).stream(), PublishedServers.TABLES.stream())
                .toList();
    }

    private Stream<?> rows(String source) {
        return switch (source) {
            case "designs" -> study.designs().stream().map(this::design);
            case "capacities" -> withMachines(study.capacities(), study::capacities);
            case "plain capacities" -> study.capacities().stream().map(this::row);
            case "all loads" -> withMachines(study.loads(), study::relative);
            case "loads" -> study.loads().stream().map(this::row);
            case "relative" -> study.relative().stream().map(this::row);
            case "inverted" -> inverted().map(this::row);
            case "random orders" -> randomOrders();
            case "distribution" -> distribution();
            case "tenths" -> tenths();
            case "comparisons" -> study.comparisons().stream().map(StudyTables::comparison);
            case "workloads" -> study.workloads().stream();
            case "shares" -> study.workloads().stream().flatMap(WorkloadTables::shares);
            case "workload runs" -> WorkloadTables.drawn(figures.curves()).flatMap(Drawn::runs);
            case "workload knots" -> WorkloadTables.drawn(figures.curves()).flatMap(Drawn::knots);
            case "workload bins" ->
                WorkloadTables.drawn(figures.curves()).flatMap(curve -> WorkloadTables.mass(study.workloads(), curve));
            default -> throw new IllegalArgumentException(source);
        };
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

    private ObjectNode design(String design) {
        return TableMapping.JSON
                .createObjectNode()
                .put("design", design)
                .putPOJO("capacity", study.capacity(design).orElse(null))
                .putPOJO(
                        "inMemory",
                        study.inMemory(design).map(StudyCells::perSecond).orElse(null))
                .putPOJO("loggedShare", study.loggedShare(design).orElse(null));
    }

    /**
     * A cell, as in the results, with what the study says of it: the kind of its load, or {@code machine} if it is of one of several
     * machines that are compared; whether it has the highest rate that all designs kept; the greatest lag of a trial; the published
     * server that waits as it does.
     */
    private ObjectNode row(Cell cell) {
        UnderLoad load = load(cell);
        Distribution latency = cell.endToEndMicros();
        Distribution intended = cell.fromIntendedMicros();
        boolean ofMachine = !cell.dimension(StudyCell.MACHINE).isEmpty();
        Estimate ready = load.meanReadyChannels();
        ObjectNode row = TableMapping.JSON.valueToTree(cell);
        row.put("kind", ofMachine ? "machine" : cell.dimension(StudyCell.LOAD));
        row.put("machine", ofMachine ? cell.dimension(StudyCell.MACHINE) : null);
        row.put("processors", ofMachine ? (Double) StudyCells.number(cell, StudyCell.PROCESSORS) : null);
        row.put("level", StudyCells.level(cell)).put("at", StudyCells.at(cell));
        row.put("judged", StudyCells.isJudged(cell))
                .put("logged", cell.forceLabel().isLogged());
        row.put("atOneRate", atOneRate.contains(cell));
        row.put("offeredPerSecond", load.offeredPerSecond());
        row.put("answeredPerSecond", load.mean(LoadSummary::answeredPerSecond));
        row.putPOJO("mean", latency == null ? null : latency.meanEstimate());
        row.putPOJO("intended", intended == null ? latency : intended);
        row.put(
                "lag",
                load.trials().stream()
                        .flatMap(trial -> Stream.ofNullable(trial.lag()))
                        .mapToDouble(LoadSummary.Times::p99)
                        .max()
                        .orElse(0));
        row.putPOJO("groups", components(cell));
        row.put("nearCapacity", top.contains(cell));
        row.putPOJO("batches", turns(load.batchRecords())).putPOJO("ready", turns(load.readyChannels()));
        row.putPOJO("meanBatch", mean(load.batchRecords()));
        row.putPOJO("meanReady", ready == null ? mean(load.readyChannels()) : ready);
        row.put("inversionByRandom", load.inversion() == null ? null : byRandom(load.inversion()));
        row.put("published", PublishedServers.row(cell.target()));
        row.put("publishedFamily", PublishedServers.family(cell.target()));
        return row;
    }

    /** Cells outside the comparison of machines, then those of each machine. */
    private Stream<ObjectNode> withMachines(List<Cell> cells, Function<Machine, List<Cell>> ofMachine) {
        return Stream.concat(
                        cells.stream(), study.machines().stream().flatMap(machine -> ofMachine.apply(machine).stream()))
                .map(this::row);
    }

    /** A point of the distribution function of a cell. */
    private record Point(String where, Knot knot) {}

    private Stream<Point> distribution() {
        return Stream.of(
                        points("near capacity", top),
                        points("near capacity", top.isEmpty() ? List.of() : study.loadsInMemory()),
                        points("one rate", atOneRate))
                .flatMap(points -> points);
    }

    private Stream<Point> points(String where, List<Cell> cells) {
        return cells.stream()
                .flatMap(cell -> figures.curves().stream()
                        .filter(curve -> curve.measure().equals(FigureData.END_TO_END) && curve.isOf(cell)))
                .flatMap(Drawn::knots)
                .map(knot -> new Point(where, knot));
    }

    /** The sizes by tenths of the latency; where each cell was sent its own at random, their classes are named by their places. */
    private Stream<ObjectNode> tenths() {
        List<Cell> known =
                top.stream().filter(cell -> load(cell).deciles() != null).toList();
        boolean alike = known.stream().map(StudyTables::classes).distinct().count() == 1;
        return known.stream()
                .map(cell -> row(cell)
                        .putPOJO(
                                "classes",
                                alike ? classes(cell) : places(classes(cell).size())));
    }

    private static List<String> classes(Cell cell) {
        return Objects.requireNonNull(load(cell).deciles()).series().stream()
                .map(PlannedFacts::sizes)
                .toList();
    }

    private static List<String> places(int classes) {
        return IntStream.rangeClosed(1, classes)
                .mapToObj(at ->
                        at == 1 ? "the smallest" : at == classes ? "the largest" : "class " + at + " of " + classes)
                .toList();
    }

    private Stream<Cell> inverted() {
        return inversions().isEmpty()
                ? Stream.of()
                : Stream.concat(study.relative().stream(), study.loadsInMemory().stream());
    }

    private List<Inversion> inversions() {
        return study.relative().stream()
                .flatMap(cell -> Stream.ofNullable(load(cell).inversion()))
                .toList();
    }

    private static @Nullable Double byRandom(Inversion found) {
        double random = found.random().value();
        return random > 0 ? (Double) (found.value().value() / random) : null;
    }

    /** An end of the band of random orders. */
    private record End(int at, double from, double to) {}

    /** The mix is the same in all cells, so their baselines are one; the band holds all of them. */
    private Stream<End> randomOrders() {
        List<Estimate> random = inversions().stream().map(Inversion::random).toList();
        double low = random.stream()
                .mapToDouble(each -> Objects.requireNonNullElse(each.low(), each.value()))
                .min()
                .orElse(0);
        double high = random.stream()
                .mapToDouble(each -> Objects.requireNonNullElse(each.high(), each.value()))
                .max()
                .orElse(0);
        double margin = Math.max(0, 0.006 - (high - low)) / 2; // one too thin to be seen explains nothing
        return IntStream.range(0, random.isEmpty() ? 0 : 2).mapToObj(end -> new End(end, low - margin, high + margin));
    }

    /** What shares a force or a turn of an event loop: a bin with the share of all that it and those before it hold. */
    private record Turn(Bin bin, double shareAtMost) {}

    private static List<Turn> turns(List<Bin> bins) {
        long total = Math.max(1, bins.stream().mapToLong(Bin::count).sum());
        List<Turn> turns = new ArrayList<>();
        long reached = 0;
        for (Bin bin : bins) {
            reached += bin.count();
            turns.add(new Turn(bin, (double) reached / total));
        }
        return turns;
    }

    private static @Nullable Estimate mean(List<Bin> bins) {
        return bins.stream().noneMatch(bin -> bin.count() > 0) ? null : Estimate.unbounded(Bins.mean(bins));
    }

    /** The parts of the latency, some of them together; what is below 0 is no share. */
    private static List<Part> components(Cell load) {
        List<Part> all =
                load.components() == null ? List.of() : load.components().parts();
        boolean unread = all.stream().anyMatch(part -> part.name().equals(LatencyPart.UNREAD_OR_NETWORK));
        Map<String, Double> micros = new LinkedHashMap<>();
        for (LatencyPart.Group group : all.isEmpty() ? List.<LatencyPart.Group>of() : LatencyPart.OF_A_LOAD) {
            List<String> names =
                    group.parts().stream().map(part -> part.label(unread)).toList();
            double sum = all.stream()
                    .filter(part -> names.contains(part.name()))
                    .mapToDouble(Part::micros)
                    .sum();
            micros.put(group.name(unread), Units.rounded(sum, 3));
        }
        double total = Math.max(
                1e-9,
                micros.values().stream().mapToDouble(each -> Math.max(0, each)).sum());
        return micros.entrySet().stream()
                .map(part -> new Part(part.getKey(), part.getValue(), part.getValue() / total))
                .toList();
    }

    /** A design against another, as in the results, next to the published servers that wait as they do. */
    private static ObjectNode comparison(Overhead of) {
        ObjectNode row = TableMapping.JSON.valueToTree(of);
        row.put("rate", StudyCells.rate(of));
        row.put("pair", "");
        PublishedServers.factors(of.target(), of.against()).ifPresent(factors -> {
            row.put("pair", factors.pair());
            row.putPOJO("published", factors);
        });
        return row;
    }
}
