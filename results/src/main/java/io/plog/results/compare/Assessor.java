package io.plog.results.compare;

import io.plog.measure.plan.Load;
import io.plog.measure.plan.Loop;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleSource;
import io.plog.measure.samples.Samples;
import io.plog.results.cells.BlockSeries;
import io.plog.results.model.Check;
import io.plog.results.model.Results;
import io.plog.results.table.SourceLine;
import io.plog.stats.Comparison;
import io.plog.stats.Estimate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares a run with a baseline and holds it against gates. */
public final class Assessor {
    private final @Nullable Input baseline;
    private final Input run;
    private final Request request;
    private final List<TargetPair> pairs;
    private final List<MeasuredCell> ofRun;
    private final List<MeasuredCell> ofBaseline;
    private final List<Assessment.Cell> cells = new ArrayList<>();
    private final List<Assessment.Gated> gated = new ArrayList<>();

    /**
     * A run, and what was computed of it.
     *
     * @param path as it was given, to be shown
     */
    public record Input(String path, SampleSource source, Results results) {
        private List<MeasuredCell> measured() {
            return MeasuredCell.of(source.info(), results);
        }

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
        ofRun = run.measured();
        ofBaseline = baseline == null ? List.of() : baseline.measured();
    }

    /**
     * Compares and judges.
     *
     * @param baseline null if there are only gates with fixed limits
     * @param run may be the baseline itself, if two of its targets are compared: then blocks that ran side by side are paired
     * @throws NotComparableException if the two do not belong together and {@code anyway} is not set, or nothing is in both
     * @throws IllegalArgumentException if a target or a gate names what the run does not have
     */
    public static Assessment of(@Nullable Input baseline, Input run, Request request)
            throws IOException, NotComparableException {
        return new Assessor(baseline, run, request).assess();
    }

    /** As {@link #of}, of gates with fixed limits. */
    public static Assessment ofGates(SampleSource source, Results results, List<Gate> gates, boolean strict)
            throws IOException {
        try {
            return of(null, new Input("", source, results), new Request(null, gates, false, strict));
        } catch (NotComparableException e) {
            throw new IllegalStateException("nothing is compared", e);
        }
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
        int compared = ofRun.stream()
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
        compared(measure.of(a), measure.of(b))
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
        if (gate.relative() && baseline == null) {
            throw gate.refused("its limit is a multiple of a baseline, and there is none; give one, or a fixed limit");
        }
        for (MeasuredCell cell : gate.cells(ofRun)) {
            RunInfo.Target target = cell.target();
            if (target == null || isJudged(gate, cell)) {
                GateCheck check = new GateCheck(gate, cell.dimensions());
                gated.add(
                        gate.figure().latency() == null || target == null
                                ? check.ofValue(
                                        before(gate, cell),
                                        gate.figure().value().apply(cell))
                                : samples(check, gate, gate.figure().latency(), target, cell));
            }
        }
    }

    /** Unless the gate names a target, or is about loads, only what is compared. */
    private boolean isJudged(Gate gate, MeasuredCell cell) {
        return gate.figure().isOfLoad()
                || gate.where().containsKey(MeasuredCell.TARGET)
                || gate.where().containsKey(MeasuredCell.DESIGN)
                || pairs.isEmpty()
                || partner(cell).isPresent();
    }

    /** The baseline's number: of the load that is called the same, of the cell of the partner. */
    private @Nullable Estimate before(Gate gate, MeasuredCell cell) {
        return ofBaseline.stream()
                .filter(other -> gate.figure().isOfLoad()
                        ? !other.loads().isEmpty() && other.dimensions().equals(cell.dimensions())
                        : other.payloadBytes() == cell.payloadBytes()
                                && partner(cell)
                                        .filter(target -> target.equals(other.target()))
                                        .isPresent())
                .findFirst()
                .map(gate.figure().value())
                .orElse(null);
    }

    /**
     * Checks before anything is measured that gates without a baseline are about something that is to be measured.
     *
     * @throws IllegalArgumentException if one is not; the message says what is to be measured
     */
    public static void check(List<Gate> gates, RunInfo planned) {
        for (Gate gate : gates) {
            if (gate.relative()) {
                throw gate.refused(
                        "its limit is a multiple of a baseline, and there is none before the run: give a fixed"
                                + " limit, or compare with plog report");
            }
            boolean closed = planned.plan() instanceof Load load && load.loop() instanceof Loop.Closed;
            if (closed && gate.figure().name().startsWith("lag.")) {
                throw gate.refused("a closed loop sends whenever a reply has come, so it has no lag");
            }
            gate.cells(MeasuredCell.planned(planned));
        }
    }

    private Optional<RunInfo.Target> partner(MeasuredCell cell) {
        return pairs.stream()
                .filter(pair -> pair.b().equals(cell.target()))
                .map(TargetPair::a)
                .findFirst();
    }

    private Assessment.Gated samples(
            GateCheck check, Gate gate, Figure.Latency figure, RunInfo.Target target, MeasuredCell cell)
            throws IOException {
        BlockSeries own = figure.measure().of(run.source.samples(target, cell.payloadBytes()));
        Optional<RunInfo.Target> partner = partner(cell);
        if (own.isEmpty()) {
            return check.nothing("the run", "no samples of this cell");
        }
        if (!gate.relative()) {
            return check.ofSamples(figure.statistic(), own.replicates(), null);
        }
        Optional<Comparison> both = baseline == null || partner.isEmpty()
                ? Optional.empty()
                : compared(figure.measure().of(baseline.source.samples(partner.get(), cell.payloadBytes())), own);
        return both.map(found -> check.ofSamples(figure.statistic(), own.replicates(), found))
                .orElseGet(() -> check.nothing("the baseline", "no samples of this cell"));
    }

    /** The blocks that ran next to each other, of one run; else everything. Empty if one of both has nothing. */
    private Optional<Comparison> compared(BlockSeries a, BlockSeries b) {
        return a.isEmpty() || b.isEmpty()
                ? Optional.empty()
                : Optional.of(isPaired() ? BlockSeries.pair(b, a) : BlockSeries.apart(b, a));
    }

    private static Assessment.Side side(Input input) {
        RunInfo info = input.source.info();
        return new Assessment.Side(
                input.path,
                info.startedAt().toString(),
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
