package io.plog.report.compare;

import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Samples;
import io.plog.report.cells.Facts;
import io.plog.report.cells.SampleSource;
import io.plog.report.figure.SourceLine;
import io.plog.report.results.Results;
import io.plog.stats.Replicates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
     * A run, and what is known of it.
     *
     * @param path as it was given, to be shown
     * @param partial why it is partial; null if it is complete
     * @param invalid why its figures must not be used, each reason a sentence
     */
    public record Input(
            String path, SampleSource source, @Nullable String partial, List<String> invalid) {
        /** With what its results say of its validity. */
        public static Input of(String path, SampleSource source, Results results) {
            return new Input(
                    path,
                    source,
                    results.partial().partial() ? results.partial().reason() : null,
                    results.validity().stream()
                            .filter(check -> !check.ok() && check.severity() == Results.Severity.INVALID)
                            .map(Results.Validity::detail)
                            .toList());
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
    public record Request(@Nullable TargetPair targets, List<Gate> gates, boolean anyway, boolean strict) {}

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
        GateScope.check(request.gates, run.source.info(), baseline != null);
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
        if (request.targets == null) {
            return TargetPair.ofSameName(a, b);
        }
        TargetPair.target(a, request.targets.a());
        TargetPair.target(b, request.targets.b());
        return List.of(request.targets);
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
        long perSize = pairs.stream().mapToLong(pair -> measures(pair).size()).sum();
        CellComparer comparer = new CellComparer(
                isPaired(),
                (int) (perSize * sizes().size() * Statistic.COMPARED.size()),
                trials(a) < 2 || trials(run) < 2);
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
        Partners partners = Partners.of(CellSamples.of(a, measure), CellSamples.of(b, measure), isPaired());
        if (partners.a().isPresent() && partners.b().isPresent()) {
            cells.add(comparer.compare(
                    pair, size, measure, partners.a().get(), partners.b().get()));
        }
    }

    private static int trials(Input input) {
        return input.source.info().plan().trials();
    }

    private List<Measure> measures(TargetPair pair) {
        Input a = baseline == null ? run : baseline;
        boolean logged = isLogged(a.source.info(), pair.a()) && isLogged(run.source.info(), pair.b());
        return logged ? List.of(Measure.END_TO_END, Measure.LOGGING) : List.of(Measure.END_TO_END);
    }

    private static boolean isLogged(RunInfo info, String target) {
        return !Facts.isOff(TargetPair.target(info, target));
    }

    private void check(Gate gate) throws IOException {
        List<GateScope.Cell> scope = GateScope.of(gate, run.source.info(), pairs);
        if (scope.isEmpty()) {
            throw new IllegalArgumentException("gate '" + gate.text() + "': the run has no cell that it is meant for");
        }
        for (GateScope.Cell cell : scope) {
            CellSamples ofRun = CellSamples.of(run.source.samples(cell.target(), cell.payloadBytes()), gate.measure());
            Optional<String> partner = pairs.stream()
                    .filter(pair -> pair.b().equals(cell.target()))
                    .map(TargetPair::a)
                    .findFirst();
            if (baseline == null || partner.isEmpty() || !gate.relative()) {
                gated.add(GateCheck.of(
                        gate, cell.target(), cell.payloadBytes(), Optional.empty(), ofRun.replicates(), false));
            } else {
                CellSamples before =
                        CellSamples.of(baseline.source.samples(partner.get(), cell.payloadBytes()), gate.measure());
                Partners partners = Partners.of(before, ofRun, isPaired());
                gated.add(
                        GateCheck.of(gate, cell.target(), cell.payloadBytes(), partners.a(), partners.b(), isPaired()));
            }
        }
    }

    /** Two cells, of the same blocks if they are partners. */
    private record Partners(Optional<Replicates> a, Optional<Replicates> b) {
        static Partners of(CellSamples a, CellSamples b, boolean paired) {
            return paired
                    ? new Partners(a.sharedWith(b).replicates(), b.sharedWith(a).replicates())
                    : new Partners(a.replicates(), b.replicates());
        }
    }

    private static Assessment.Side side(Input input) {
        RunInfo info = input.source.info();
        return new Assessment.Side(
                input.path,
                info.startedAt(),
                info.plogVersion(),
                info.command(),
                info.plan().trials(),
                input.partial,
                input.invalid,
                SourceLine.place(
                        info.server(),
                        info.targets().stream().map(RunInfo.Target::facts).toList()));
    }
}
