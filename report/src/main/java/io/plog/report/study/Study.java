package io.plog.report.study;

import io.plog.measure.load.SizeClass;
import io.plog.measure.samples.ForceLabel;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.study.CellOutcome;
import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyDesign;
import io.plog.measure.study.StudyOrder;
import io.plog.measure.study.StudyPlan;
import io.plog.report.results.Claim;
import io.plog.report.study.StudyResults.Capacity;
import io.plog.report.study.StudyResults.Comparison;
import io.plog.report.study.StudyResults.Control;
import io.plog.report.study.StudyResults.Environment;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.report.study.StudyResults.Load;
import io.plog.report.study.StudyResults.Machine;
import io.plog.report.study.StudyResults.SizeShare;
import io.plog.report.study.StudyResults.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Puts a study together from the outcomes of its cells. Cells that are missing are left out, so that what was measured before a
 * study ended early is kept. For one thread.
 */
public final class Study {
    /** Facts of a server that are no facts of the study. */
    private static final List<String> OF_ONE_CELL = List.of("design", "eventLoops", "adminPort");

    private final StudyPlan plan;
    private final String plogVersion;
    private final String startedAt;
    private final List<String> failed = new ArrayList<>();
    private final List<String> repeated = new ArrayList<>();
    private final Map<StudyCell, List<CellData>> cells = new LinkedHashMap<>();
    private int measured;

    /**
     * Begins without cells.
     *
     * @param startedAt ISO-8601 in UTC
     */
    public Study(StudyPlan plan, String plogVersion, String startedAt) {
        this.plan = plan;
        this.plogVersion = plogVersion;
        this.startedAt = startedAt;
    }

    /**
     * Adds a cell that was measured. If it was measured before, this takes the place of that.
     *
     * @throws IOException if its samples cannot be read
     */
    public void add(CellOutcome outcome) throws IOException {
        CellData data = CellData.read(outcome).light();
        List<CellData> trials = cells.computeIfAbsent(outcome.cell().anyTrial(), cell -> new ArrayList<>());
        if (!trials.removeIf(each -> each.cell().equals(outcome.cell()))) {
            measured++;
        }
        trials.add(data);
    }

    /** Adds a cell that came to nothing. */
    public void addFailure(StudyCell cell, String why) {
        failed.add(cell.label() + ": " + why);
    }

    /**
     * Notes that a cell is measured again.
     *
     * @param why what disturbed it, as {@link Disturbance} has it
     */
    public void addRepeat(StudyCell cell, String why) {
        repeated.add(cell.label() + " (" + why + ")");
    }

    /** How many cells were measured. */
    public int measured() {
        return measured;
    }

    /** The capacity of a design for the mix, as far as it is known; 0 if it is not. */
    public double capacity(StudyDesign design, double processors) {
        return Capacities.of(capacities(), design, processors);
    }

    /** What a design does at infinite demand if nothing is logged; 0 if it is not known. */
    public double capacityInMemory(StudyDesign design) {
        return controlTrials(StudyCell.Kind.CONTROL_CAPACITY, design)
                .map(trials -> Capacities.perSecond(trials).value())
                .orElse(0.0);
    }

    private Optional<List<CellData>> controlTrials(StudyCell.Kind kind, StudyDesign design) {
        return cells.values().stream()
                .filter(trials -> trials.get(0).cell().kind() == kind
                        && trials.get(0).cell().design().equals(design))
                .findFirst();
    }

    /** Of each design whose control was measured at infinite demand. */
    private List<Control> controls(List<Capacity> capacities) throws IOException {
        List<Control> controls = new ArrayList<>();
        for (StudyDesign design : plan.designs()) {
            Optional<List<CellData>> capacity = controlTrials(StudyCell.Kind.CONTROL_CAPACITY, design);
            if (capacity.isPresent()) {
                Optional<List<CellData>> load = controlTrials(StudyCell.Kind.CONTROL, design);
                Estimate inMemory = Capacities.perSecond(capacity.get());
                controls.add(new Control(
                        design.label(),
                        inMemory,
                        Capacities.find(capacities, design, 0)
                                .map(logged -> StudyEstimates.ratio(logged.requestsPerSecond(), inMemory))
                                .orElse(new Estimate(0, null, null)),
                        load.isEmpty()
                                ? null
                                : Loads.of(withSamples(load.get()), plan.seed()).orElse(null)));
            }
        }
        return controls;
    }

    /**
     * The results of what was added.
     *
     * @param partialReason why the study ended before its plan was done; empty if it did not
     * @throws IOException if a cell's samples cannot be read again
     */
    public StudyResults results(String partialReason) throws IOException {
        List<Capacity> capacities = capacities();
        List<Load> loads = new ArrayList<>();
        List<Workload> workloads = new ArrayList<>();
        List<Comparisons.Contender> contenders = new ArrayList<>();
        List<Machines.Limited> limited = new ArrayList<>();
        List<Load> judgedLoads = new ArrayList<>();
        List<Workload> judgedWorkloads = new ArrayList<>();
        List<Comparisons.Contender> judgedContenders = new ArrayList<>();
        List<Machines.Limited> judgedLimited = new ArrayList<>();
        for (List<CellData> group : inOrder()) {
            StudyCell cell = group.get(0).cell();
            if (cell.kind() != StudyCell.Kind.CAPACITY && !cell.isControl()) {
                List<CellData> trials = withSamples(group);
                boolean judged = EnoughRequests.in(trials);
                if (cell.kind() == StudyCell.Kind.WORKLOAD) {
                    WorkloadAnalysis.of(trials).ifPresent(found -> add(found, judged, workloads, judgedWorkloads));
                } else if (cell.processors() > 0) {
                    Machines.Limited.of(trials).ifPresent(found -> add(found, judged, limited, judgedLimited));
                } else {
                    Loads.of(trials, plan.seed()).ifPresent(found -> add(found, judged, loads, judgedLoads));
                }
                if (cell.kind() == StudyCell.Kind.ABSOLUTE) {
                    Comparisons.Contender.of(trials)
                            .ifPresent(found -> add(found, judged, contenders, judgedContenders));
                }
            }
        }
        List<Comparison> comparisons = Comparisons.of(plan.reference(), contenders);
        List<Control> controls = controls(capacities);
        List<Machine> machines = Machines.of(plan, limited);
        List<Claim> claims = StudyClaims.judge(new StudyClaims.Facts(
                plan.designs(),
                plan.reference(),
                capacities(EnoughRequests::in),
                judgedLoads,
                Comparisons.of(plan.reference(), judgedContenders),
                controls,
                Comparisons.moreProcesses(plan.designs(), judgedContenders),
                Machines.of(plan, judgedLimited),
                judgedWorkloads,
                plan.trials(),
                new ForceLabel(plan.force()).forces()));
        String reason = !partialReason.isEmpty() || failed.isEmpty()
                ? partialReason
                : failed.size() + " of its cells failed, the first: " + failed.get(0);
        return new StudyResults(
                StudyResults.SCHEMA_VERSION,
                "study",
                plogVersion,
                startedAt,
                reason,
                environment(),
                plan(),
                capacities,
                loads,
                workloads,
                machines,
                comparisons,
                claims,
                StudyChecks.of(cells.values(), failed, repeated, partialReason),
                controls);
    }

    /** Every figure is told; only one of enough requests is judged. */
    private static <T> void add(T found, boolean judged, List<T> told, List<T> judgedToo) {
        told.add(found);
        if (judged) {
            judgedToo.add(found);
        }
    }

    private List<Capacity> capacities() {
        return capacities(trials -> true);
    }

    private List<Capacity> capacities(Predicate<List<CellData>> which) {
        return inOrder().stream()
                .filter(trials -> trials.get(0).cell().kind() == StudyCell.Kind.CAPACITY && which.test(trials))
                .map(Capacities::of)
                .toList();
    }

    /** In the order of the plan's designs and loads, not in that of the run. */
    private List<List<CellData>> inOrder() {
        List<List<CellData>> all = new ArrayList<>(cells.values());
        all.sort(Comparator.comparing(
                        (List<CellData> trials) -> trials.get(0).cell().kind())
                .thenComparing(trials -> trials.get(0).cell().processors())
                .thenComparing(trials -> trials.get(0).cell().kind() == StudyCell.Kind.ABSOLUTE
                        ? trials.get(0).cell().ratePerSecond()
                        : 0)
                .thenComparing(
                        trials -> plan.designs().indexOf(trials.get(0).cell().design()))
                .thenComparing(trials -> trials.get(0).cell().level())
                .thenComparing(trials -> -trials.get(0).cell().loggedShare())
                .thenComparing(trials -> trials.get(0).cell().mix().mostBytes()));
        return all;
    }

    private static List<CellData> withSamples(List<CellData> trials) throws IOException {
        List<CellData> read = new ArrayList<>();
        for (CellData trial : trials) {
            read.add(CellData.read(trial.outcome()));
        }
        return read;
    }

    /**
     * Of a cell with a rate, if there is one: only such a load has times that its driver could miss. Of one that logs, since a target
     * without a log has no directory.
     */
    private Environment environment() {
        Optional<RunInfo> first = cells.values().stream()
                .map(trials -> trials.get(0))
                .min(Comparator.comparing(
                        data -> data.cell().loggedShare() == 0 ? 2 : data.cell().isInfiniteDemand() ? 1 : 0))
                .map(CellData::info);
        return first.map(info -> new Environment(
                        info.client(),
                        ofAllCells(info.server()),
                        info.targets().isEmpty()
                                ? Map.of()
                                : info.targets().get(0).facts()))
                .orElse(new Environment(Map.of(), Map.of(), Map.of()));
    }

    private static Map<String, String> ofAllCells(Map<String, String> server) {
        Map<String, String> facts = new LinkedHashMap<>(server);
        OF_ONE_CELL.forEach(facts::remove);
        return facts;
    }

    private StudyResults.Plan plan() {
        double weights = plan.traffic().mix().classes().stream()
                .mapToDouble(SizeClass::weight)
                .sum();
        return new StudyResults.Plan(
                plan.command(),
                plan.designs().stream().map(StudyDesign::label).toList(),
                plan.force(),
                plan.traffic().arrivals().label(),
                plan.traffic().connections(),
                plan.traffic().requestsPerConnection(),
                plan.traffic().mix().classes().stream()
                        .map(each -> new SizeShare(
                                each.leastBytes(),
                                each.mostBytes(),
                                StudyEstimates.rounded(each.weight() / weights, 6)))
                        .toList(),
                plan.levels().relativeLoads(),
                StudyOrder.absoluteRates(plan, this::capacity),
                plan.trials(),
                plan.duration().toMillis() / 1e3,
                plan.seed());
    }
}
