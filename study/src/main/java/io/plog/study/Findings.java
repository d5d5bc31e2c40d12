package io.plog.study;

import io.plog.measure.study.Bin;
import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyDesign;
import io.plog.measure.study.StudyPlan;
import io.plog.study.StudyResults.Capacity;
import io.plog.study.StudyResults.Comparison;
import io.plog.study.StudyResults.Control;
import io.plog.study.StudyResults.Estimate;
import io.plog.study.StudyResults.Finding;
import io.plog.study.StudyResults.Inversion;
import io.plog.study.StudyResults.Load;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds a study against what Ruan and Pai found (R1 to R5; R6 is in {@link MachineFindings}). The rules are in
 * {@code docs/measurement.md}: an interval decides, and where it does not, nothing is decided.
 */
final class Findings {
    static final String AGREES = "agrees";
    static final String DIFFERS = "differs";
    static final String UNDECIDED = "undecided";
    static final String NOT_TESTABLE = "not-testable";

    /** An order counts as random if its inversion is this close to that of shuffled orders. */
    private static final double NEAR_RANDOM = 0.9;

    /** More connections ready at once, by this factor, is called a burst. */
    private static final double BURST = 2;

    /** Below this factor there is no burst. */
    private static final double NO_BURST = 1.1;

    private final StudyPlan plan;
    private final List<Capacity> capacities;
    private final List<Load> loads;
    private final List<Comparison> comparisons;
    private final StudyDesign reference;
    private final List<StudyDesign> blocking;

    private Findings(StudyPlan plan, List<Capacity> capacities, List<Load> loads, List<Comparison> comparisons) {
        this.plan = plan;
        this.capacities = capacities;
        this.loads = loads;
        this.comparisons = comparisons;
        reference = plan.reference();
        blocking = reference.isDedicated()
                ? plan.designs().stream().filter(StudyDesign::isBlocking).toList()
                : List.of();
    }

    /**
     * R1 to R5.
     *
     * @param controls each design in memory; may be empty
     * @param moreProcesses the design with the most threads against that with the fewest; null if there are no two
     */
    static List<Finding> of(
            StudyPlan plan,
            List<Capacity> capacities,
            List<Load> loads,
            List<Comparison> comparisons,
            List<Control> controls,
            @Nullable Comparison moreProcesses) {
        Findings findings = new Findings(plan, capacities, loads, comparisons);
        return List.of(
                findings.blockingDominates(),
                findings.capacityOrder(),
                findings.inversion(controls),
                moreProcesses(moreProcesses),
                findings.bursts());
    }

    private Finding blockingDominates() {
        String claim =
                "Latency is dominated by blocking: removing it from Old Flash cut the mean 12 times and the median 47 times"
                        + " with one instance, 54 and 174 times with four, at the same load, while capacity rose far less.";
        List<Comparison> highest = blocking.stream()
                .map(this::atHighestRate)
                .flatMap(Optional::stream)
                .toList();
        if (highest.isEmpty()) {
            return new Finding(
                    "R1", claim, NOT_TESTABLE, missing("dedicated and a blocking design at one absolute rate"));
        }
        boolean all = highest.stream()
                .allMatch(each -> FactorRule.of(each).equals(AGREES)
                        && StudyEstimates.isAbove(each.meanRatio(), mostCapacityFactor(each.design())));
        boolean none = highest.stream().allMatch(each -> FactorRule.of(each).equals(DIFFERS));
        String detail = highest.stream()
                .map(each -> String.format(
                        Locale.ROOT,
                        "%s: mean %s, median %s times that of dedicated at %,.0f/s (published %s); dedicated's capacity is %s"
                                + " times as large",
                        each.design(),
                        EstimateText.factor(each.meanRatio()),
                        EstimateText.factor(each.medianRatio()),
                        each.ratePerSecond(),
                        FactorRule.published(each),
                        EstimateText.factor(capacityFactor(each.design()))))
                .collect(Collectors.joining("; "));
        return new Finding(
                "R1",
                claim,
                all ? AGREES : none ? DIFFERS : UNDECIDED,
                detail + "."
                        + (all
                                ? ""
                                : " There an operation that blocks was a seek of about 10 ms among requests that needed no disk;"
                                        + " here every request is forced, which takes what plog disk shows for this directory, and"
                                        + " one force for many requests raises capacity, which no server of the study could."));
    }

    private Optional<Comparison> atHighestRate(StudyDesign design) {
        return comparisons.stream()
                .filter(each -> each.design().equals(design.label()))
                .max(Comparator.comparingDouble(Comparison::ratePerSecond));
    }

    /** The reference's capacity by that of a design, as wide as both intervals allow. */
    private Estimate capacityFactor(String design) {
        Optional<Estimate> own = capacity(design);
        Optional<Estimate> best = capacity(reference.label());
        return own.isEmpty() || best.isEmpty()
                ? new Estimate(0, null, null)
                : StudyEstimates.ratio(best.get(), own.get());
    }

    /** Infinite if it is not known or not bounded. */
    private double mostCapacityFactor(String design) {
        Double high = capacityFactor(design).high();
        return high == null ? Double.POSITIVE_INFINITY : high;
    }

    private Optional<Estimate> capacity(String design) {
        return capacities.stream()
                .filter(each -> each.design().equals(design)
                        && each.sizes().equals(StudyCell.MIX)
                        && each.machine().isEmpty())
                .map(Capacity::requestsPerSecond)
                .findFirst();
    }

    private Finding capacityOrder() {
        String claim =
                "Capacity: New-Flash (dedicated) is above Old Flash (inline) by 1.23, and that above Apache (threads) by"
                        + " 1.26, in the disk-bound workload.";
        Optional<StudyDesign> inline =
                plan.designs().stream().filter(StudyDesign::isInline).findFirst();
        Optional<StudyDesign> threads =
                plan.designs().stream().filter(StudyDesign::isThreads).findFirst();
        if (!reference.isDedicated() || inline.isEmpty() || threads.isEmpty()) {
            return new Finding("R2", claim, NOT_TESTABLE, missing("dedicated, inline and threads=N"));
        }
        Optional<Estimate> first = capacity(reference.label());
        Optional<Estimate> second = capacity(inline.get().label());
        Optional<Estimate> third = capacity(threads.get().label());
        if (first.isEmpty() || second.isEmpty() || third.isEmpty()) {
            return new Finding("R2", claim, NOT_TESTABLE, "Not every design's capacity could be measured.");
        }
        int upper = order(first.get(), second.get());
        int lower = order(second.get(), third.get());
        String verdict = upper > 0 && lower > 0 ? AGREES : upper < 0 || lower < 0 ? DIFFERS : UNDECIDED;
        String detail = String.format(
                Locale.ROOT,
                "dedicated %,.0f/s, inline %,.0f/s, %s %,.0f/s: factors %s and %s.%s",
                first.get().value(),
                second.get().value(),
                threads.get().label(),
                third.get().value(),
                EstimateText.number(first.get().value() / second.get().value()),
                EstimateText.number(second.get().value() / third.get().value()),
                verdict.equals(AGREES)
                        ? ""
                        : " Here all of them force one log, one after the other, and the step from inline to threads adds only the"
                                + " hand-over between threads, not processes that compete for memory.");
        return new Finding("R2", claim, verdict, detail);
    }

    /** 1 if the first is above the second with its whole interval, -1 if below, else 0. */
    private static int order(Estimate a, Estimate b) {
        if (a.low() != null && b.high() != null && a.low() > b.high()) {
            return 1;
        }
        return a.high() != null && b.low() != null && a.high() < b.low() ? -1 : 0;
    }

    private Finding inversion(List<Control> controls) {
        String claim =
                "At load 0.95, service inversion is high (0.58, not checked at its source) where the server blocks, and low (0.35)"
                        + " where it does not, as in memory (0.33). The comparison with a random order is plog's.";
        Optional<Load> best = atHighestLoad(reference);
        List<Load> worst = blocking.stream()
                .map(this::atHighestLoad)
                .flatMap(Optional::stream)
                .filter(load -> load.inversion() != null)
                .toList();
        Inversion own = best.map(Load::inversion).orElse(null);
        if (own == null || worst.isEmpty()) {
            return new Finding(
                    "R3",
                    claim,
                    NOT_TESTABLE,
                    missing("dedicated and a blocking design at one relative load, and a mix of sizes"));
        }
        boolean low = isOrderly(own);
        Double least = own.value().low();
        boolean high = least != null && least >= NEAR_RANDOM * own.random().value();
        boolean allRandom = worst.stream().allMatch(load -> isRandom(load.inversion()));
        boolean noneRandom = worst.stream().allMatch(load -> isOrderly(load.inversion()));
        String detail = "dedicated " + inversion(own)
                + worst.stream()
                        .map(load -> "; " + load.design() + " " + inversion(load.inversion()))
                        .collect(Collectors.joining())
                + "; at load " + best.map(Load::level).orElse(0.0) + "."
                + inMemory(controls);
        String verdict = low && allRandom ? AGREES : high || noneRandom ? DIFFERS : UNDECIDED;
        return new Finding(
                "R3",
                claim,
                verdict,
                detail
                        + (high
                                ? " Requests that share a force become durable together, whatever their sizes, so that the order"
                                        + " within a group is settled by what comes after it."
                                : ""));
    }

    /** The counterpart of the published 0.33; it decides nothing. */
    private static String inMemory(List<Control> controls) {
        String all = controls.stream()
                .flatMap(control -> Stream.ofNullable(control.load()))
                .filter(load -> load.inversion() != null)
                .map(load -> load.design() + " " + inversion(load.inversion()))
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? "" : " In memory, where nothing is logged: " + all + ".";
    }

    /** Whether the whole interval is near a random order's, or above it. */
    private static boolean isRandom(@Nullable Inversion inversion) {
        return inversion != null
                && StudyEstimates.isAbove(
                        inversion.value(), NEAR_RANDOM * inversion.random().value());
    }

    /** Whether the whole interval is well below a random order's. */
    private static boolean isOrderly(@Nullable Inversion inversion) {
        return inversion != null
                && StudyEstimates.isBelow(
                        inversion.value(), NEAR_RANDOM * inversion.random().value());
    }

    private static String inversion(@Nullable Inversion inversion) {
        return inversion == null
                ? "none"
                : EstimateText.factor(inversion.value()) + " of random "
                        + EstimateText.number(inversion.random().value());
    }

    private Optional<Load> atHighestLoad(StudyDesign design) {
        return loads.stream()
                .filter(load -> load.design().equals(design.label()) && load.level() != null)
                .max(Comparator.comparingDouble(load -> load.level() == null ? 0 : load.level()));
    }

    private static Finding moreProcesses(@Nullable Comparison comparison) {
        String claim =
                "More processes make it worse: 300 instead of 150 raised Apache's mean 1.5 times and its median 18.8"
                        + " times.";
        if (comparison == null) {
            return new Finding("R4", claim, NOT_TESTABLE, missing("two designs threads=N"));
        }
        Estimate means = comparison.meanRatio();
        String verdict =
                StudyEstimates.isAbove(means, 1) ? AGREES : StudyEstimates.isBelow(means, 1) ? DIFFERS : UNDECIDED;
        return new Finding(
                "R4",
                claim,
                verdict,
                comparison.sentence()
                        + (verdict.equals(AGREES)
                                ? ""
                                : " Here a thread costs little, all of them wait for one log, and the rate decides how many wait."));
    }

    private Finding bursts() {
        String claim =
                "Blocking makes bursts: with it removed, the mean number of ready events in a turn fell from 61 to 1.6"
                        + " (not checked at their source).";
        Optional<StudyDesign> inline =
                plan.designs().stream().filter(StudyDesign::isInline).findFirst();
        Optional<Load> with = inline.flatMap(this::atHighestLoad);
        Optional<Load> without = atHighestLoad(reference);
        if (!reference.isDedicated()
                || with.isEmpty()
                || without.isEmpty()
                || with.get().meanReadyChannels() == null
                || without.get().meanReadyChannels() == null) {
            return new Finding(
                    "R5",
                    claim,
                    NOT_TESTABLE,
                    missing("dedicated and inline at one relative load, and a server that counts"));
        }
        Estimate a = with.get().meanReadyChannels();
        Estimate b = without.get().meanReadyChannels();
        Estimate ratio = StudyEstimates.ratio(a, b);
        String detail = String.format(
                Locale.ROOT,
                "Ready in a turn, mean: inline %s, dedicated %s, ratio %s; records to a force: inline %s, dedicated %s; at"
                        + " load %s.",
                EstimateText.factor(a),
                EstimateText.factor(b),
                EstimateText.factor(ratio),
                EstimateText.number(mean(with.get().batchRecords())),
                EstimateText.number(mean(without.get().batchRecords())),
                with.get().level());
        String verdict = StudyEstimates.isAbove(ratio, BURST)
                ? AGREES
                : StudyEstimates.isBelow(ratio, NO_BURST) ? DIFFERS : UNDECIDED;
        return new Finding("R5", claim, verdict, detail);
    }

    /** Of a distribution in bins, by their middles. */
    static double mean(List<Bin> bins) {
        double sum = 0;
        double count = 0;
        for (Bin bin : bins) {
            sum += bin.count() * (bin.from() + bin.to()) / 2.0;
            count += bin.count();
        }
        return count == 0 ? 0 : sum / count;
    }

    /**
     * What may be said of a finding after so many trials. One trial does not know how the next start of the same processes would
     * differ, so it decides nothing.
     */
    static Finding after(int trials, Finding finding) {
        boolean decided = finding.verdict().equals(AGREES) || finding.verdict().equals(DIFFERS);
        return trials > 1 || !decided
                ? finding
                : new Finding(
                        finding.id(),
                        finding.claim(),
                        UNDECIDED,
                        finding.detail() + " One trial decides nothing (by itself it would say: " + finding.verdict()
                                + "); measure with --trials 5.");
    }

    static String missing(String what) {
        return "It takes " + what + ", with at least " + EnoughRequests.LEAST
                + " requests in each cell, which this study does not have.";
    }
}
