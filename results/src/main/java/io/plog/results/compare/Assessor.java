package io.plog.results.compare;

import io.plog.measure.load.LoadSummary;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Samples;
import io.plog.results.cells.BlockSeries;
import io.plog.results.cells.SampleSource;
import io.plog.results.model.Check;
import io.plog.results.model.Results;
import io.plog.results.table.SourceLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares a run with a baseline and holds it against gates, with the samples of one cell of each in memory at a time. */
public final class Assessor {
    private final @Nullable Input baseline;
    private final Input run;
    private final Request request;
    private final List<TargetPair> pairs;
    private final List<Assessment.Cell> cells = new ArrayList<>();
    private final List<Assessment.Gated> gated = new ArrayList<>();

    /**
     * A run, and what was computed of it.
     *
     * @param path as it was given, to be shown
     */
    public record Input(String path, SampleSource source, Results results) {
        private @Nullable String partial() {
            return results.partial().partial() ? results.partial().reason() : null;
        }

        /** Why its figures must not be used, each reason a sentence. */
        private List<String> invalid() {
            return results.validity().stream()
                    .filter(Check::invalidates)
                    .map(Check::detail)
                    .toList();
        }
    }

    /**
     * What is asked for.
     *
     * @param targets the baseline's and the run's target; null to compare those of the same name
     * @param gates may be empty
     * @param anyway whether to compare what does not belong together
     * @param strict whether an undecided gate counts as failed
     */
    public record Request(TargetPair.@Nullable Names targets, List<Gate> gates, boolean anyway, boolean strict) {}

    private Assessor(@Nullable Input baseline, Input run, Request request) {
        this.baseline = baseline;
        this.run = run;
        this.request = request;
        pairs = pairs();
    }

    /**
     * Compares and judges.
     *
     * @param baseline null if there are only gates with fixed limits
     * @param run may be the baseline itself, if two of its targets are compared: then blocks that ran side by side are paired
     * @throws NotComparableException if the two do not belong together and {@code anyway} is not set, or nothing is in both
     * @throws IllegalArgumentException if a target or a gate names what the run does not have
     * @throws IOException if samples can't be read
     */
    public static Assessment of(@Nullable Input baseline, Input run, Request request)
            throws IOException, NotComparableException {
        return new Assessor(baseline, run, request).assess();
    }

    private Assessment assess() throws IOException, NotComparableException {
        List<Assessment.Difference> differences = List.of();
        if (baseline != null) {
            differences = Comparability.of(baseline.source.info(), run.source.info(), pairs);
            refuse(differences);
            compareAll(baseline);
        }
        for (Gate gate : request.gates) {
            check(gate);
        }
        return new Assessment(
                Assessment.SCHEMA_VERSION,
                baseline == null ? null : side(baseline),
                side(run),
                isPaired(),
                differences.stream().anyMatch(Assessment.Difference::forbids),
                differences,
                List.copyOf(cells),
                cells.isEmpty() ? "" : ComparisonSentences.of(cells),
                List.copyOf(gated),
                request.strict);
    }

    private boolean isPaired() {
        return baseline != null && baseline.source == run.source;
    }

    private List<TargetPair> pairs() {
        if (baseline == null) {
            return List.of();
        }
        RunInfo a = baseline.source.info();
        RunInfo b = run.source.info();
        List<TargetPair.Names> names = request.targets == null ? TargetPair.ofSameName(a, b) : List.of(request.targets);
        return names.stream()
                .flatMap(each -> TargetPair.of(a, b, each).stream())
                .toList();
    }

    private void refuse(List<Assessment.Difference> differences) throws NotComparableException {
        if (pairs.isEmpty()) {
            throw new NotComparableException(
                    "the runs have no target of the same name; name one of each to compare them");
        }
        List<Assessment.Difference> forbidding =
                differences.stream().filter(Assessment.Difference::forbids).toList();
        if (!forbidding.isEmpty() && !request.anyway) {
            throw new NotComparableException("not comparable: "
                    + String.join(
                            "; ",
                            forbidding.stream()
                                    .map(d -> d.what() + " is " + d.a() + " in A and " + d.b() + " in B")
                                    .toList()));
        }
        if (sizes().isEmpty()) {
            throw new NotComparableException("the runs have no payload size in common; nothing can be compared");
        }
    }

    /** Sizes that both have. */
    private List<Integer> sizes() {
        Stream<Integer> all =
                run.source.info().plan().sizesBytes().stream().distinct().sorted();
        return baseline == null
                ? all.toList()
                : all.filter(baseline.source.info().plan().sizesBytes()::contains)
                        .toList();
    }

    private void compareAll(Input a) throws IOException {
        List<Integer> sizes = sizes();
        int compared = cells().stream()
                .filter(cell -> sizes.contains(cell.payloadBytes()))
                .flatMap(cell -> pairs.stream().filter(pair -> pair.b().equals(cell.target())))
                .mapToInt(pair -> measures(pair).size())
                .sum();
        CellComparer comparer =
                new CellComparer(isPaired(), compared * Statistic.COMPARED.size(), trials(a) < 2 || trials(run) < 2);
        for (int size : sizes()) {
            for (TargetPair pair : pairs) {
                Samples ofA = a.source.samples(pair.a(), size);
                Samples ofB = run.source.samples(pair.b(), size);
                for (Measure measure : measures(pair)) {
                    compare(comparer, pair, size, measure, ofA, ofB);
                }
            }
        }
    }

    private void compare(CellComparer comparer, TargetPair pair, int size, Measure measure, Samples a, Samples b) {
        partners(measure.of(a), measure.of(b))
                .ifPresent(found -> cells.add(comparer.compare(pair, size, measure, found)));
    }

    private static int trials(Input input) {
        return input.source.info().plan().trials();
    }

    private static List<Measure> measures(TargetPair pair) {
        return Stream.of(Measure.END_TO_END, Measure.LOGGING)
                .filter(measure -> MeasuredCell.has(pair.a(), measure) && MeasuredCell.has(pair.b(), measure))
                .toList();
    }

    private void check(Gate gate) throws IOException {
        Figure figure = gate.figure();
        if (gate.relative() && baseline == null) {
            throw GateScope.refused(
                    gate, "its limit is a multiple of a baseline, and there is none; give one, or a fixed limit");
        }
        if (figure.ofLoad() != null) {
            checkLoad(gate, figure.ofLoad());
            return;
        }
        for (MeasuredCell cell : compared(gate, scope(gate, cells()))) {
            gated.add(
                    figure.latency() != null
                            ? check(gate, figure.latency(), cell)
                            : check(gate, Objects.requireNonNull(figure.ofCell()), cell));
        }
    }

    /** Those of the plan; of directories and studies, where one dimension bounds another, those that were measured. */
    private List<MeasuredCell> cells() {
        List<MeasuredCell> planned = MeasuredCell.of(run.source.info());
        return !run.source.info().isOfDisks() && !run.source.info().isStudy()
                ? planned
                : planned.stream()
                        .filter(cell -> run.results.cells().stream().anyMatch(cell::is))
                        .toList();
    }

    /**
     * Checks before anything is measured that gates without a baseline are about something that is to be measured.
     *
     * @throws IllegalArgumentException if one is not; the message says what is to be measured
     */
    public static void check(List<Gate> gates, RunInfo planned) {
        for (Gate gate : gates) {
            if (gate.relative() || gate.figure().ofLoad() != null) {
                throw GateScope.refused(gate, "it needs " + (gate.relative() ? "a baseline" : "a load"));
            }
            scope(gate, MeasuredCell.of(planned));
        }
    }

    private Assessment.Gated check(Gate gate, Function<Results.Cell, @Nullable Double> figure, MeasuredCell cell) {
        Double before = baseline == null
                ? null
                : partner(cell)
                        .map(a -> value(figure, baseline, new MeasuredCell(a, cell.payloadBytes())))
                        .orElse(null);
        return new GateCheck(gate, cell.dimensions()).ofValue(before, value(figure, run, cell));
    }

    private static @Nullable Double value(
            Function<Results.Cell, @Nullable Double> figure, Input input, MeasuredCell cell) {
        return input.results.cells().stream()
                .filter(cell::is)
                .findFirst()
                .map(figure)
                .orElse(null);
    }

    /** The loads of a target, or of a cell of a study each trial. */
    private record Load(Map<String, String> dimensions, List<LoadSummary> trials) {
        static List<Load> of(Input input) {
            return Stream.concat(
                            input.results.load().stream()
                                    .map(load -> new Load(Map.of(MeasuredCell.TARGET, load.target()), List.of(load))),
                            MeasuredCell.of(input.source.info()).stream()
                                    .flatMap(cell -> input.results.cells().stream()
                                            .filter(cell::is)
                                            .flatMap(found -> Stream.ofNullable(found.underLoad()))
                                            .map(found -> new Load(cell.dimensions(), found.trials()))))
                    .toList();
        }

        /** The mean of the trials that have it; null if none has. */
        @Nullable
        Double figure(Function<LoadSummary, @Nullable Double> figure) {
            List<Double> values = trials.stream()
                    .flatMap(trial -> Stream.ofNullable(figure.apply(trial)))
                    .toList();
            return values.isEmpty()
                    ? null
                    : (Double) values.stream()
                            .mapToDouble(Double::doubleValue)
                            .average()
                            .orElse(0);
        }
    }

    private void checkLoad(Gate gate, Function<LoadSummary, @Nullable Double> figure) {
        List<Load> loads = Load.of(run);
        if (loads.isEmpty()) {
            throw GateScope.refused(gate, gate.figure().name() + " is a figure of a load, and this is none");
        }
        List<Load> before = baseline == null ? List.of() : Load.of(baseline);
        for (Load load : GateScope.of(gate, loads, Load::dimensions)) {
            Double partner = before.stream()
                    .filter(other -> other.dimensions.equals(load.dimensions))
                    .findFirst()
                    .map(other -> other.figure(figure))
                    .orElse(null);
            gated.add(new GateCheck(gate, load.dimensions).ofValue(partner, load.figure(figure)));
        }
    }

    /** Those that a gate is meant for: that have what it names, and its figure. */
    private static List<MeasuredCell> scope(Gate gate, List<MeasuredCell> cells) {
        List<MeasuredCell> named = GateScope.of(gate, cells, MeasuredCell::dimensions);
        if (gate.figure().latency() == null) {
            return named;
        }
        Measure measure = gate.figure().latency().measure();
        List<MeasuredCell> found =
                named.stream().filter(cell -> cell.has(measure)).toList();
        if (found.isEmpty()) {
            throw GateScope.refused(
                    gate,
                    "what it names "
                            + (measure == Measure.END_TO_END
                                    ? "is an append without a request, so it has no latency end to end; its own is log"
                                    : "is not logged, so it has no " + measure.words() + " latency"));
        }
        return found;
    }

    /** Unless the gate names a target, only what is compared. */
    private List<MeasuredCell> compared(Gate gate, List<MeasuredCell> cells) {
        boolean named = gate.where().containsKey(MeasuredCell.TARGET)
                || gate.where().containsKey(MeasuredCell.DESIGN)
                || pairs.isEmpty();
        return cells.stream().filter(cell -> named || partner(cell).isPresent()).toList();
    }

    private Optional<RunInfo.Target> partner(MeasuredCell cell) {
        return pairs.stream()
                .filter(pair -> pair.b().equals(cell.target()))
                .map(TargetPair::a)
                .findFirst();
    }

    private Assessment.Gated check(Gate gate, Figure.Latency figure, MeasuredCell cell) throws IOException {
        BlockSeries ofRun = figure.measure().of(run.source.samples(cell.target(), cell.payloadBytes()));
        GateCheck check = new GateCheck(gate, cell.dimensions());
        Optional<RunInfo.Target> partner = partner(cell);
        if (ofRun.isEmpty()) {
            return check.nothing("the run", "no samples of this cell");
        }
        if (!gate.relative()) {
            return check.ofSamples(figure, ofRun.replicates());
        }
        Optional<BlockSeries.Pair> both = baseline == null || partner.isEmpty()
                ? Optional.empty()
                : partners(figure.measure().of(baseline.source.samples(partner.get(), cell.payloadBytes())), ofRun);
        return both.map(pair -> check.ofSamples(figure, pair))
                .orElseGet(() -> check.nothing("the baseline", "no samples of this cell"));
    }

    /** The blocks that ran next to each other, of one run; else everything. Empty if one of both has nothing. */
    private Optional<BlockSeries.Pair> partners(BlockSeries a, BlockSeries b) {
        return a.isEmpty() || b.isEmpty()
                ? Optional.empty()
                : Optional.of(isPaired() ? BlockSeries.pair(b, a) : BlockSeries.apart(b, a));
    }

    private static Assessment.Side side(Input input) {
        RunInfo info = input.source.info();
        return new Assessment.Side(
                input.path,
                info.startedAt(),
                info.plogVersion(),
                info.command(),
                info.plan().trials(),
                input.partial(),
                input.invalid(),
                SourceLine.place(
                        input.results.environment().diskMachine(),
                        input.results.environment().targets().stream()
                                .map(Results.Target::facts)
                                .toList()));
    }
}
