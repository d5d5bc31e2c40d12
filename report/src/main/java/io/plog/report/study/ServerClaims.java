package io.plog.report.study;

import io.plog.measure.study.Bin;
import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyDesign;
import io.plog.report.results.Claim.Verdict;
import io.plog.report.study.StudyResults.Capacity;
import io.plog.report.study.StudyResults.Comparison;
import io.plog.report.study.StudyResults.Control;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.report.study.StudyResults.Inversion;
import io.plog.report.study.StudyResults.Load;
import io.plog.report.verdict.Finding;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules of R1 to R5: what Ruan and Pai found of servers that block. */
final class ServerClaims {
    /** An order counts as random if its inversion is this close to that of shuffled orders. */
    private static final double NEAR_RANDOM = 0.9;

    /** More connections ready at once, by this factor, is called a burst. */
    private static final double BURST = 2;

    /** Below this factor there is no burst. */
    private static final double NO_BURST = 1.1;

    private final StudyClaims.Facts study;
    private final StudyDesign reference;
    private final List<StudyDesign> blocking;

    ServerClaims(StudyClaims.Facts study) {
        this.study = study;
        reference = study.reference();
        blocking = reference.isDedicated()
                ? study.designs().stream().filter(StudyDesign::isBlocking).toList()
                : List.of();
    }

    Finding blockingDominates() {
        List<Comparison> highest = blocking.stream()
                .map(this::atHighestRate)
                .flatMap(Optional::stream)
                .toList();
        if (highest.isEmpty()) {
            return StudyClaims.missing("dedicated and a blocking design at one absolute rate");
        }
        boolean all = highest.stream()
                .allMatch(each -> FactorRule.of(each) == Verdict.HOLDS
                        && StudyEstimates.isAbove(each.meanRatio(), mostCapacityFactor(each.design())));
        boolean none = highest.stream().allMatch(each -> FactorRule.of(each) == Verdict.FAILS);
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
        return Finding.of(
                all ? Verdict.HOLDS : none ? Verdict.FAILS : Verdict.UNDECIDED,
                detail + "."
                        + (all
                                ? ""
                                : " There an operation that blocks was a seek of about 10 ms among requests that needed no disk;"
                                        + " here every request is forced, which takes what plog disk shows for this directory, and"
                                        + " one force for many requests raises capacity, which no server of the study could."));
    }

    private Optional<Comparison> atHighestRate(StudyDesign design) {
        return study.comparisons().stream()
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
        return study.capacities().stream()
                .filter(each -> each.design().equals(design)
                        && each.sizes().equals(StudyCell.MIX)
                        && each.machine().isEmpty())
                .map(Capacity::requestsPerSecond)
                .findFirst();
    }

    Finding capacityOrder() {
        Optional<StudyDesign> inline =
                study.designs().stream().filter(StudyDesign::isInline).findFirst();
        Optional<StudyDesign> threads =
                study.designs().stream().filter(StudyDesign::isThreads).findFirst();
        if (!reference.isDedicated() || inline.isEmpty() || threads.isEmpty()) {
            return StudyClaims.missing("dedicated, inline and threads=N");
        }
        Optional<Estimate> first = capacity(reference.label());
        Optional<Estimate> second = capacity(inline.get().label());
        Optional<Estimate> third = capacity(threads.get().label());
        if (first.isEmpty() || second.isEmpty() || third.isEmpty()) {
            return Finding.of(Verdict.NOT_TESTABLE, "Not every design's capacity could be measured.");
        }
        int upper = order(first.get(), second.get());
        int lower = order(second.get(), third.get());
        Verdict verdict =
                upper > 0 && lower > 0 ? Verdict.HOLDS : upper < 0 || lower < 0 ? Verdict.FAILS : Verdict.UNDECIDED;
        String detail = String.format(
                Locale.ROOT,
                "dedicated %,.0f/s, inline %,.0f/s, %s %,.0f/s: factors %s and %s.%s",
                first.get().value(),
                second.get().value(),
                threads.get().label(),
                third.get().value(),
                EstimateText.number(first.get().value() / second.get().value()),
                EstimateText.number(second.get().value() / third.get().value()),
                verdict == Verdict.HOLDS
                        ? ""
                        : " Here all of them force one log, one after the other, and the step from inline to threads adds only the"
                                + " hand-over between threads, not processes that compete for memory.");
        return Finding.of(verdict, detail);
    }

    /** 1 if the first is above the second with its whole interval, -1 if below, else 0. */
    private static int order(Estimate a, Estimate b) {
        if (a.low() != null && b.high() != null && a.low() > b.high()) {
            return 1;
        }
        return a.high() != null && b.low() != null && a.high() < b.low() ? -1 : 0;
    }

    Finding inversion() {
        Optional<Load> best = atHighestLoad(reference);
        List<Load> worst = blocking.stream()
                .map(this::atHighestLoad)
                .flatMap(Optional::stream)
                .filter(load -> load.inversion() != null)
                .toList();
        Inversion own = best.map(Load::inversion).orElse(null);
        if (own == null || worst.isEmpty()) {
            return StudyClaims.missing("dedicated and a blocking design at one relative load, and a mix of sizes");
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
                + inMemory(study.controls());
        Verdict verdict = low && allRandom ? Verdict.HOLDS : high || noneRandom ? Verdict.FAILS : Verdict.UNDECIDED;
        return Finding.of(
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
        return study.loads().stream()
                .filter(load -> load.design().equals(design.label()) && load.level() != null)
                .max(Comparator.comparingDouble(load -> load.level() == null ? 0 : load.level()));
    }

    Finding moreProcesses() {
        Comparison comparison = study.moreProcesses();
        if (comparison == null) {
            return StudyClaims.missing("two designs threads=N");
        }
        Estimate means = comparison.meanRatio();
        Verdict verdict = StudyEstimates.isAbove(means, 1)
                ? Verdict.HOLDS
                : StudyEstimates.isBelow(means, 1) ? Verdict.FAILS : Verdict.UNDECIDED;
        return Finding.of(
                verdict,
                comparison.sentence()
                        + (verdict == Verdict.HOLDS
                                ? ""
                                : " Here a thread costs little, all of them wait for one log, and the rate decides how many wait."));
    }

    Finding bursts() {
        Optional<StudyDesign> inline =
                study.designs().stream().filter(StudyDesign::isInline).findFirst();
        Optional<Load> with = inline.flatMap(this::atHighestLoad);
        Optional<Load> without = atHighestLoad(reference);
        if (!reference.isDedicated()
                || with.isEmpty()
                || without.isEmpty()
                || with.get().meanReadyChannels() == null
                || without.get().meanReadyChannels() == null) {
            return StudyClaims.missing("dedicated and inline at one relative load, and a server that counts");
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
        Verdict verdict = StudyEstimates.isAbove(ratio, BURST)
                ? Verdict.HOLDS
                : StudyEstimates.isBelow(ratio, NO_BURST) ? Verdict.FAILS : Verdict.UNDECIDED;
        return Finding.of(verdict, detail);
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
}
