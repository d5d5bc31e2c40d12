package io.plog.report.study;

import io.plog.report.study.StudyResults.Capacity;
import io.plog.report.study.StudyResults.Control;
import io.plog.report.study.StudyResults.Load;
import io.plog.report.study.StudyResults.Machine;
import io.plog.report.study.StudyResults.Part;
import io.plog.report.table.SourceLine;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A study's results as its sections ask for them. Immutable. */
public final class StudyView {
    static final String MIX = "mix";
    private static final double SAME = 1e-9;

    /** How far the offered rate may be from the planned one. */
    private static final double RATE_TOLERANCE = 0.05;

    private final StudyResults results;
    private final List<String> designs;

    /** Of these results. */
    public StudyView(StudyResults results) {
        this.results = results;
        designs = Stream.of(
                        results.plan().designs().stream(),
                        results.capacities().stream().map(Capacity::design),
                        results.loads().stream().map(Load::design),
                        results.comparisons().stream().map(StudyResults.Comparison::design),
                        results.controls().stream().map(Control::design),
                        results.controls().stream()
                                .flatMap(control -> Stream.ofNullable(control.load()))
                                .map(Load::design))
                .flatMap(names -> names)
                .distinct()
                .toList();
    }

    public StudyResults results() {
        return results;
    }

    /** Program, date, requests and machine of the study. */
    public String source() {
        LongSummaryStatistics counts = results.loads().stream()
                .mapToLong(load -> load.latency().count())
                .summaryStatistics();
        return SourceLine.of(
                results.plogVersion(),
                results.startedAt(),
                SourceLine.requests(counts),
                results.environment().server(),
                List.of(results.environment().directory()));
    }

    /** All designs, in the order of the plan; the order decides their colours. */
    public List<String> designs() {
        return designs;
    }

    /** Which number a design has among the colours. */
    int index(String design) {
        return designs.indexOf(design);
    }

    /** Those of one kind of load, ascending. */
    public List<Load> loads(String kind) {
        return results.loads().stream()
                .filter(load -> load.kind().equals(kind))
                .sorted(Comparator.comparingInt((Load load) -> index(load.design()))
                        .thenComparingDouble(load -> at(load)))
                .toList();
    }

    /** Where a load stands on its axis: its level, or the rate. */
    static double at(Load load) {
        Double level = load.level();
        return level == null ? load.offeredPerSecond() : level;
    }

    List<Load> loads(String kind, String design) {
        return loads(kind).stream().filter(load -> load.design().equals(design)).toList();
    }

    /** The highest relative load; null if there is none. */
    @Nullable
    public Double topLevel() {
        return loads("relative").stream()
                .map(Load::level)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Each design's cell at the highest relative load. */
    List<Load> top() {
        Double top = topLevel();
        return loads("relative").stream()
                .filter(load -> top != null && Math.abs(at(load) - top) < SAME)
                .toList();
    }

    /** The rates that all designs were asked for, ascending. */
    List<Double> absoluteRates() {
        return loads("absolute").stream()
                .map(Load::offeredPerSecond)
                .distinct()
                .sorted()
                .toList();
    }

    List<Load> atRate(double rate) {
        return loads("absolute").stream()
                .filter(load -> load.offeredPerSecond() == rate)
                .toList();
    }

    /** The highest rate that every design sustained, or the lowest if there is none: the one to compare the designs at. */
    @Nullable
    public Double commonRate() {
        List<Double> rates = absoluteRates();
        return rates.stream()
                .filter(rate -> atRate(rate).stream().allMatch(Load::sustained))
                .reduce((lower, higher) -> higher)
                .orElse(rates.isEmpty() ? null : rates.get(0));
    }

    /** The rate that was asked for where this one was offered; the same if the plan has none like it. */
    public double planned(double offered) {
        return results.plan().absoluteRates().stream()
                .filter(rate -> isRate(rate, offered))
                .findFirst()
                .orElse(offered);
    }

    /** Whether an offered rate is that of the plan, since arrivals are random. */
    static boolean isRate(double planned, double offered) {
        return Math.abs(offered / planned - 1) < RATE_TOLERANCE;
    }

    /** Ascending in what they may use. */
    List<Machine> machines() {
        return results.machines().stream()
                .sorted(Comparator.comparingDouble(Machine::processors))
                .toList();
    }

    List<Capacity> capacities(String machine) {
        return results.capacities().stream()
                .filter(capacity -> capacity.machine().equals(machine))
                .toList();
    }

    /** Outside the comparison of machines. */
    public List<Capacity> capacities() {
        return results.capacities().stream()
                .filter(capacity -> capacity.machine().isEmpty())
                .sorted(Comparator.comparingInt(capacity -> index(capacity.design())))
                .toList();
    }

    public Optional<Capacity> capacity(String design) {
        List<Capacity> own = capacities().stream()
                .filter(capacity -> capacity.design().equals(design))
                .toList();
        return own.stream()
                .filter(capacity -> capacity.sizes().equals(MIX))
                .findFirst()
                .or(() -> own.stream().findFirst());
    }

    /** A design in memory. */
    Optional<Control> control(String design) {
        return results.controls().stream()
                .filter(control -> control.design().equals(design))
                .findFirst();
    }

    /** The first design of a kind, with one event loop if there is such. */
    Optional<String> first(DesignLabel.Kind kind) {
        return designs.stream()
                .map(DesignLabel::of)
                .filter(design -> design.kind() == kind)
                .min(Comparator.comparingInt(design -> design.loops() == 1 ? 0 : 1))
                .map(DesignLabel::label);
    }

    /** Mean of a part; 0 if it is not there. */
    static double part(Load load, String name) {
        return load.components().stream()
                .filter(part -> part.name().equals(name))
                .mapToDouble(Part::meanMicros)
                .sum();
    }
}
