package io.plog.report.study;

import io.plog.measure.study.Bin;
import io.plog.report.study.StudyResults.Capacity;
import io.plog.report.study.StudyResults.Comparison;
import io.plog.report.study.StudyResults.Control;
import io.plog.report.study.StudyResults.Deciles;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.report.study.StudyResults.Inversion;
import io.plog.report.study.StudyResults.Latency;
import io.plog.report.study.StudyResults.Load;
import io.plog.report.study.StudyResults.Machine;
import io.plog.report.study.StudyResults.MachineLatency;
import io.plog.report.study.StudyResults.Part;
import io.plog.report.study.StudyResults.SizeShare;
import io.plog.report.table.Table;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of what designs do under load: the second study. */
public final class StudyTables {
    private final StudyView study;
    private final List<String> designs;
    private final List<Load> relative;

    private StudyTables(StudyView study) {
        this.study = study;
        designs = study.designs();
        relative = study.loads("relative");
    }

    /** Those that there are data for; the names of designs come first, since their order decides the colours. */
    public static List<Table> of(StudyView study) {
        StudyTables tables = new StudyTables(study);
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
                        WorkloadTables.of(study.results().workloads()).stream(),
                        Stream.of(DesignSketch.table()))
                .flatMap(all -> all)
                .filter(table -> !table.rows().isEmpty())
                .toList();
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
            Optional<Control> control = study.control(design);
            row(
                    table,
                    design,
                    cells(study.capacity(design)
                            .map(Capacity::requestsPerSecond)
                            .orElse(null)),
                    cells(control.map(Control::requestsPerSecond).orElse(null)),
                    cells(control.map(Control::loggedShare).orElse(null)));
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
                    .filter(load -> known.contains(load.design()))
                    .forEach(load -> row(
                            table,
                            load.design(),
                            load.offeredPerSecond(),
                            cells(load.latency().p50()),
                            cells(load.latency().mean())));
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
                "server µs per request");
        study.capacities()
                .forEach(c -> row(
                        table,
                        c.design(),
                        c.sizes(),
                        cells(c.requestsPerSecond()),
                        cells(c.megabytesPerSecond()),
                        c.meanBatchRecords(),
                        c.serverMicrosPerRequest()));
        return table;
    }

    private Table trials() {
        Table table = Table.of("capacity-trials", 2, "design", "sizes", "trial", "requests/s");
        for (Capacity c : study.capacities()) {
            for (int i = 0; i < c.perTrial().size(); i++) {
                row(table, c.design(), c.sizes(), i + 1, c.perTrial().get(i));
            }
        }
        return table;
    }

    private static String kept(Load load) {
        return load.sustained() ? "yes" : "no";
    }

    private Stream<Load> inOrder() {
        return Stream.of("relative", "absolute").flatMap(kind -> study.loads(kind).stream());
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
                "lag 99 %:µs");
        inOrder().forEach(load -> {
            Latency own = load.latency();
            Latency intended = load.fromIntended();
            row(
                    table,
                    load.kind(),
                    load.design(),
                    load.level(),
                    load.offeredPerSecond(),
                    load.answeredPerSecond(),
                    kept(load),
                    own.count(),
                    cells(own.mean()),
                    own.p5(),
                    cells(own.p50()),
                    own.p90(),
                    cells(own.p95()),
                    own.p99(),
                    own.p999(),
                    own.min(),
                    own.max(),
                    intended.mean().value(),
                    intended.p50().value(),
                    intended.p95().value(),
                    intended.p99(),
                    load.lagP99());
        });
        return table;
    }

    /** The same, a row for each figure that is drawn. */
    private Table latency() {
        Table table = Table.of(
                "latency", 3, "kind", "statistic", "design", "at", "sustained", "latency:µs", "low:µs", "high:µs");
        inOrder().filter(load -> load.latency().count() > 0).forEach(load -> {
            Latency own = load.latency();
            BiConsumer<String, Estimate> add = (statistic, estimate) ->
                    row(table, load.kind(), statistic, load.design(), StudyView.at(load), kept(load), cells(estimate));
            add.accept("mean", own.mean());
            add.accept("median", own.p50());
            add.accept("p95", own.p95());
            add.accept("p99", new Estimate(own.p99(), null, null));
        });
        return table;
    }

    private Stream<Load> inMemory() {
        return study.results().controls().stream().map(Control::load).flatMap(Stream::ofNullable);
    }

    private Table distribution() {
        Table table = Table.of("distribution", 3, "where", "design", "logged", "latency:µs", "share at most:share");
        Double rate = study.commonRate();
        points(table, "near capacity", study.top().stream(), "yes");
        if (!table.rows().isEmpty()) {
            points(table, "near capacity", inMemory(), "no");
        }
        points(table, "one rate", rate == null ? Stream.of() : study.atRate(rate).stream(), "yes");
        return table;
    }

    private static void points(Table table, String where, Stream<Load> loads, String logged) {
        loads.forEach(load ->
                load.ecdf().forEach(point -> table.row(where, load.design(), logged, point.micros(), point.share())));
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
        List<Load> top =
                study.top().stream().filter(load -> load.deciles() != null).toList();
        boolean alike = top.stream()
                        .map(load -> Objects.requireNonNull(load.deciles()).series().stream()
                                .map(StudyNumbers::size)
                                .toList())
                        .distinct()
                        .count()
                == 1;
        for (Load load : top) {
            Deciles deciles = Objects.requireNonNull(load.deciles());
            for (int tenth = 0; tenth < deciles.shares().size(); tenth++) {
                List<Double> shares = deciles.shares().get(tenth);
                for (int i = 0; i < shares.size(); i++) {
                    SizeShare size = deciles.series().get(i);
                    table.row(
                            load.design(),
                            tenth + 1,
                            alike ? StudyNumbers.size(size) : sizeClass(i, shares.size()),
                            size.fromBytes(),
                            size.toBytes(),
                            size.share(),
                            shares.get(i));
                }
            }
        }
        return table;
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
            inMemory().forEach(load -> inversion(table, load, "no"));
        }
        return table;
    }

    private static void inversion(Table table, Load load, String logged) {
        Inversion found = load.inversion();
        if (found != null) {
            row(
                    table,
                    load.design(),
                    logged,
                    load.level(),
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
                .flatMap(load -> Stream.ofNullable(load.inversion()))
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
    private record Counted(String of, Function<Load, List<Bin>> bins) {}

    private static final List<Counted> COUNTED =
            List.of(new Counted("batch", Load::batchRecords), new Counted("ready", Load::readyChannels));

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
        List<Load> top = study.top();
        for (Counted counted : COUNTED) {
            for (Load load : relative) {
                List<Bin> bins = counted.bins().apply(load).stream()
                        .sorted(Comparator.comparingLong(Bin::from))
                        .toList();
                long total = bins.stream().mapToLong(Bin::count).sum();
                long reached = 0;
                for (Bin bin : bins) {
                    reached += bin.count();
                    table.row(
                            counted.of(),
                            top.contains(load) ? "yes" : "no",
                            load.design(),
                            load.level(),
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
            for (Load load : relative) {
                List<Bin> bins = counted.bins().apply(load);
                if (bins.stream().anyMatch(bin -> bin.count() > 0)) {
                    Estimate known = counted.of().equals("ready") ? load.meanReadyChannels() : null;
                    row(
                            table,
                            counted.of(),
                            load.design(),
                            load.level(),
                            cells(known == null ? new Estimate(mean(bins), null, null) : known));
                }
            }
        }
        return table;
    }

    /** As if all of a bin lay in its middle; most bins hold one number. */
    static double mean(List<Bin> bins) {
        long total = bins.stream().mapToLong(Bin::count).sum();
        return total == 0
                ? 0
                : bins.stream()
                                .mapToDouble(bin -> (bin.from() + bin.to()) / 2.0 * bin.count())
                                .sum()
                        / total;
    }

    private Table components() {
        Table table = Table.of("components", 2, "design", "level", "part", "mean:µs", "share:share");
        for (Load load : relative) {
            double total = Math.max(
                    1e-9,
                    load.components().stream()
                            .mapToDouble(part -> Math.max(0, part.meanMicros()))
                            .sum());
            for (Part part : load.components()) {
                table.row(load.design(), load.level(), part.name(), part.meanMicros(), part.meanMicros() / total);
            }
        }
        return table;
    }

    private Table processor() {
        Table table =
                Table.of("processor", 1, "design", "level", "answered/s", "sustained", "server time per request:µs");
        relative.stream()
                .filter(load -> load.serverMicrosPerRequest() != null)
                .forEach(load -> table.row(
                        load.design(),
                        load.level(),
                        load.answeredPerSecond(),
                        kept(load),
                        load.serverMicrosPerRequest()));
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
        for (Comparison c : study.results().comparisons()) {
            row(
                    table,
                    "mean",
                    c.design(),
                    c.ratePerSecond(),
                    cells(c.meanRatio()),
                    c.publishedMeanRatio(),
                    c.publishedPair());
            row(
                    table,
                    "median",
                    c.design(),
                    c.ratePerSecond(),
                    cells(c.medianRatio()),
                    c.publishedMedianRatio(),
                    c.publishedPair());
        }
        return table;
    }

    private Table machineCapacity() {
        Table table = Table.of(
                "machine-capacity", 4, "machine", "processors", "design", "sizes", "requests/s", "low", "high", "MB/s");
        for (Machine machine : study.machines()) {
            study.capacities(machine.label())
                    .forEach(c -> row(
                            table,
                            machine.label(),
                            machine.processors(),
                            c.design(),
                            c.sizes(),
                            cells(c.requestsPerSecond()),
                            c.megabytesPerSecond().value()));
        }
        return table;
    }

    private Table machineLatency() {
        Table table = Table.of(
                "machine-latency", 3, "machine", "processors", "design", "level", "mean:µs", "low:µs", "high:µs");
        for (Machine machine : study.machines()) {
            machine.meanLatency().stream()
                    .sorted(Comparator.comparingDouble(MachineLatency::level))
                    .forEach(latency -> row(
                            table,
                            machine.label(),
                            machine.processors(),
                            latency.design(),
                            latency.level(),
                            cells(latency.meanMicros())));
        }
        return table;
    }
}
