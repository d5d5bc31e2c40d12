package io.plog.results.study;

import io.plog.measure.plan.StudyCell;
import io.plog.measure.plan.StudyDesign;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Results.UnderLoad;
import io.plog.results.model.Results.WorkloadPart;
import io.plog.results.verdict.Checks;
import io.plog.stats.Comparison;
import io.plog.stats.Estimate;
import io.plog.stats.Replicates;
import io.plog.stats.text.Units;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The cells of a study as its findings, its text and its tables ask for them. Immutable. */
public final class StudyCells {
    private final List<String> designs;
    private final List<Cell> cells;
    private final List<Overhead> comparisons;

    /** A machine, where several are compared. */
    record Machine(String label, double processors) {}

    private StudyCells(List<String> designs, List<Cell> cells, List<Overhead> comparisons) {
        this.designs = designs;
        this.cells = cells;
        this.comparisons = comparisons;
    }

    /**
     * Those of a study.
     *
     * @param designs labels in the order of the plan
     * @param comparisons of designs at the same rate
     */
    public static StudyCells of(List<String> designs, List<Cell> cells, List<Overhead> comparisons) {
        return new StudyCells(
                Stream.concat(designs.stream(), cells.stream().map(Cell::target))
                        .distinct()
                        .toList(),
                cells.stream().filter(cell -> cell.underLoad() != null).toList(),
                comparisons);
    }

    /** Those of a study's results. */
    public static StudyCells of(Results results) {
        return of(results.plan().targets(), results.cells(), results.overhead());
    }

    /** Whether a cell was what was asked for, with enough requests: the others are shown, and no finding uses them. */
    public static boolean isJudged(Cell cell) {
        return cell.count() >= Checks.ENOUGH_REQUESTS && load(cell).wasKept();
    }

    /** Only those that are judged; of a load that designs are compared at only if it is so for all of them. */
    StudyCells judged() {
        List<Cell> judged = cells.stream().filter(this::isJudgedWithOthers).toList();
        return new StudyCells(
                designs,
                judged,
                comparisons.stream()
                        .filter(each -> Stream.of(each.target(), each.against())
                                .allMatch(design -> judged.stream()
                                        .anyMatch(cell -> cell.target().equals(design)
                                                && cell.dimensions().equals(each.dimensions()))))
                        .toList());
    }

    private boolean isJudgedWithOthers(Cell cell) {
        return List.of(StudyCell.RELATIVE, StudyCell.ABSOLUTE).contains(cell.dimension(StudyCell.LOAD))
                ? cells.stream()
                        .filter(other -> other.dimensions().equals(cell.dimensions())
                                && other.force().equals(cell.force()))
                        .allMatch(StudyCells::isJudged)
                : isJudged(cell);
    }

    boolean isForced() {
        return cells.stream().anyMatch(cell -> cell.forceLabel().forces());
    }

    static UnderLoad load(Cell cell) {
        return Objects.requireNonNull(cell.underLoad());
    }

    /** Its latency; only of a cell that {@link #loads} or the like returned. */
    static Distribution latency(Cell cell) {
        return Objects.requireNonNull(cell.endToEndMicros());
    }

    /** A dimension that is a number; 0 if it is none. */
    static double number(Cell cell, String dimension) {
        return number(cell.dimension(dimension));
    }

    private static double number(String value) {
        return value.matches("\\d{1,12}(\\.\\d{1,17})?([eE]-?\\d{1,2})?") ? Double.parseDouble(value) : 0;
    }

    /** Its share of the capacity; null if it is no relative load. */
    static @Nullable Double level(Cell cell) {
        return cell.dimension(StudyCell.LEVEL).isEmpty() ? null : (Double) number(cell, StudyCell.LEVEL);
    }

    /** Where a load stands on its axis: its level, or the rate. */
    static double at(Cell cell) {
        Double level = level(cell);
        return level == null ? load(cell).offeredPerSecond() : level;
    }

    /** All designs, in the order of the plan; the order decides their colours. */
    List<String> designs() {
        return designs;
    }

    /** What they are, without those that this version does not know. */
    List<StudyDesign> known() {
        return designs.stream()
                .flatMap(label -> StudyDesign.ofLabel(label).stream())
                .toList();
    }

    /** The design that the others are compared with: the first that is dedicated, else the first. */
    static String reference(List<String> designs) {
        return designs.stream()
                .filter(label -> StudyDesign.ofLabel(label)
                        .filter(StudyDesign::isDedicated)
                        .isPresent())
                .findFirst()
                .orElse(designs.isEmpty() ? "" : designs.get(0));
    }

    /** As {@link #reference(List)}. */
    String reference() {
        return reference(designs);
    }

    /** Designs against the reference at the same rate. */
    List<Overhead> comparisons() {
        return comparisons(reference());
    }

    /** The same against another design. */
    List<Overhead> comparisons(String against) {
        return comparisons.stream()
                .filter(each -> each.against().equals(against))
                .toList();
    }

    /** The rate at which two designs were compared. */
    static double rate(Overhead comparison) {
        return number(comparison.dimensions().getOrDefault(StudyCell.RATE, "0"));
    }

    private Stream<Cell> of(String load, boolean logged, String machine) {
        return cells.stream()
                .filter(cell -> cell.dimension(StudyCell.LOAD).equals(load)
                        && cell.forceLabel().isLogged() == logged
                        && cell.dimension(StudyCell.MACHINE).equals(machine));
    }

    /** Of one kind of load with the log, by design, then ascending. */
    List<Cell> loads(String load) {
        return of(load, true, "")
                .filter(cell -> cell.endToEndMicros() != null)
                .sorted(Comparator.comparingInt((Cell cell) -> designs.indexOf(cell.target()))
                        .thenComparingDouble(StudyCells::at))
                .toList();
    }

    /** At shares of each design's own capacity, then at rates that are the same for all. */
    List<Cell> loads() {
        return Stream.of(StudyCell.RELATIVE, StudyCell.ABSOLUTE)
                .flatMap(kind -> loads(kind).stream())
                .toList();
    }

    /** Loads that are shares of each design's own capacity. */
    List<Cell> relative() {
        return loads(StudyCell.RELATIVE);
    }

    /**
     * The highest relative load at which the cells of all its designs are judged, or the lowest if there is none: the one to look
     * at the designs at. Null without relative loads.
     */
    @Nullable
    Double topLevel() {
        return highest(relative());
    }

    private static @Nullable Double highest(List<Cell> loads) {
        List<Double> all =
                loads.stream().map(StudyCells::setAt).distinct().sorted().toList();
        return all.stream()
                .filter(at -> loads.stream().filter(cell -> setAt(cell) == at).allMatch(StudyCells::isJudged))
                .reduce((lower, higher) -> higher)
                .orElse(all.isEmpty() ? null : all.get(0));
    }

    /** What was asked for: its level, or the rate. */
    private static double setAt(Cell cell) {
        Double level = level(cell);
        return level == null ? number(cell, StudyCell.RATE) : level;
    }

    /** Each design's cell at the {@link #topLevel}. */
    List<Cell> top() {
        Double top = topLevel();
        return relative().stream()
                .filter(cell -> top != null && at(cell) == top)
                .toList();
    }

    /** A design's cell there. */
    Optional<Cell> top(String design) {
        return top().stream().filter(cell -> cell.target().equals(design)).findFirst();
    }

    /** Each design at one of the rates that all were asked for. */
    List<Cell> atRate(double rate) {
        return loads(StudyCell.ABSOLUTE).stream()
                .filter(cell -> number(cell, StudyCell.RATE) == rate)
                .toList();
    }

    /** As {@link #topLevel}, of the rates that all designs were asked for. */
    @Nullable
    Double commonRate() {
        return highest(loads(StudyCell.ABSOLUTE));
    }

    /** At infinite demand with the log, outside the comparison of machines. */
    List<Cell> capacities() {
        return of(StudyCell.CAPACITY, true, "")
                .sorted(Comparator.comparingInt(cell -> designs.indexOf(cell.target())))
                .toList();
    }

    /** That of a design for the mix. */
    Optional<Estimate> capacity(String design) {
        return mixCapacity(design).map(StudyCells::perSecond);
    }

    private Optional<Cell> mixCapacity(String design) {
        return capacities().stream()
                .filter(cell -> cell.target().equals(design)
                        && cell.dimension(StudyCell.SIZES).equals(StudyCell.MIX))
                .findFirst();
    }

    static Estimate perSecond(Cell cell) {
        return load(cell).acceptedPerSecond();
    }

    /** A design's capacity by another's, trial by trial: what a machine does to a trial, it does to both. Empty if one is not known. */
    Optional<Estimate> capacityFactor(String above, String below) {
        return rates(above)
                .flatMap(a -> rates(below)
                        .map(b -> Comparison.of(a, b, a.hasShapeOf(b)).ratioOfMeans()));
    }

    /** What each trial accepted, in thousandths of a request a second. */
    private Optional<Replicates> rates(String design) {
        return mixCapacity(design)
                .map(cell -> Replicates.of(load(cell).trials().stream()
                        .map(trial -> List.of(new long[] {Math.round(1e3 * trial.acceptedPerSecond())}))
                        .toList()));
    }

    /** A design at infinite demand where nothing is logged. */
    Optional<Cell> inMemory(String design) {
        return of(StudyCell.CAPACITY, false, "")
                .filter(cell -> cell.target().equals(design))
                .findFirst();
    }

    /** A figure by another one, rounded as the results have ratios. */
    static Estimate by(Estimate above, Estimate below) {
        return above.by(below).map(ratio -> Units.rounded(ratio, 6));
    }

    /** A design's capacity with the log by that in memory; empty if one of them is not known. */
    Optional<Estimate> loggedShare(String design) {
        return inMemory(design).flatMap(memory -> capacity(design).map(logged -> by(logged, perSecond(memory))));
    }

    /** Under a load where nothing is logged. */
    List<Cell> loadsInMemory() {
        return of(StudyCell.RELATIVE, false, "")
                .filter(cell -> cell.endToEndMicros() != null)
                .toList();
    }

    /** Mixes of logged and read-only requests. */
    List<Cell> workloads() {
        return cells.stream().filter(cell -> load(cell).workload() != null).toList();
    }

    /** The latency of a workload, then its components. */
    static List<WorkloadPart> parts(Cell workload) {
        return Objects.requireNonNull(load(workload).workload()).parts();
    }

    /** Ascending in what they may use. */
    List<Machine> machines() {
        return cells.stream()
                .filter(cell -> !cell.dimension(StudyCell.MACHINE).isEmpty())
                .map(cell -> new Machine(cell.dimension(StudyCell.MACHINE), number(cell, StudyCell.PROCESSORS)))
                .distinct()
                .sorted(Comparator.comparingDouble(Machine::processors))
                .toList();
    }

    /** At infinite demand on one machine. */
    List<Cell> capacities(Machine machine) {
        return of(StudyCell.CAPACITY, true, machine.label).toList();
    }

    /** Relative loads on one machine, ascending. */
    List<Cell> relative(Machine machine) {
        return of(StudyCell.RELATIVE, true, machine.label)
                .filter(cell -> cell.endToEndMicros() != null)
                .sorted(Comparator.comparingDouble(StudyCells::at))
                .toList();
    }
}
