package io.plog.results.study;

import io.plog.measure.plan.StudyDesign;
import io.plog.results.cells.Bins;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Inversion;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Results.Ratio;
import io.plog.results.model.Wording;
import io.plog.results.study.PublishedServers.Factors;
import io.plog.results.study.StudyCells.Machine;
import io.plog.results.verdict.Finding;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rules of R1 to R5: what Ruan and Pai found of servers that block. */
final class ServerClaims {
    /** An order counts as random if its inversion is this close to that of shuffled orders. */
    private static final double NEAR_RANDOM = 0.9;

    /** More connections ready at once, by this factor, is called a burst. */
    private static final double BURST = 2;

    /** Below this factor there is no burst. */
    private static final double NO_BURST = 1.1;

    private final StudyCells study;
    private final String reference;
    private final boolean dedicated;
    private final List<String> blocking;

    ServerClaims(StudyCells study) {
        this.study = study;
        reference = study.reference();
        dedicated = any(StudyDesign::isDedicated).isPresent();
        blocking = dedicated
                ? study.known().stream()
                        .filter(StudyDesign::isBlocking)
                        .map(StudyDesign::label)
                        .toList()
                : List.of();
    }

    Finding blockingDominates() {
        return blockingDominates("mean", Overhead::ratioOfMeans, Factors::mean);
    }

    /** The same of medians, which no stall of the disk decides. */
    Finding blockingDominatesMedians() {
        return blockingDominates("median", Overhead::ratioOfMedians, Factors::median);
    }

    private Finding blockingDominates(
            String figure, Function<Overhead, Ratio> ratio, ToDoubleFunction<Factors> published) {
        List<Overhead> highest = blocking.stream()
                .map(this::atHighestRate)
                .flatMap(Optional::stream)
                .toList();
        if (highest.isEmpty()) {
            return StudyClaims.missing("dedicated and a blocking design at one absolute rate");
        }
        boolean all = true;
        boolean broken = false;
        List<String> details = new ArrayList<>();
        for (Overhead each : highest) {
            Estimate found = ratio.apply(each).estimate();
            Factors factors = PublishedServers.like(each.target(), each.against());
            double limit = PublishedServers.LIKE * published.applyAsDouble(factors);
            Optional<Estimate> capacities = study.capacityFactor(reference, each.target());
            all &= found.isAbove(limit)
                    && capacities
                            .filter(factor -> factor.high() != null && found.isAbove(factor.high()))
                            .isPresent();
            broken |= found.isBelow(limit);
            details.add(String.format(
                    Locale.ROOT,
                    "%s: %s %s times that of dedicated at %,.0f/s (published %s); dedicated's capacity is %s times as large",
                    each.target(),
                    figure,
                    Wording.of(found),
                    StudyCells.rate(each),
                    factors.pair().isEmpty()
                            ? "no such pair; at least " + Units.threeDigits(published.applyAsDouble(factors))
                            : Units.threeDigits(published.applyAsDouble(factors)),
                    capacities.map(Wording::of).orElse("?")));
        }
        return Finding.ofEach(
                all,
                broken,
                String.join("; ", details),
                "There an operation that blocks was a seek of about 10 ms among requests that needed no disk; here every"
                        + " request is forced, which takes what plog disk shows for this directory, and one force for many"
                        + " requests raises capacity, which no server of the study could.");
    }

    private Optional<Overhead> atHighestRate(String design) {
        return study.comparisons().stream()
                .filter(each -> each.target().equals(design))
                .max(Comparator.comparingDouble(StudyCells::rate));
    }

    Finding capacityOrder() {
        Optional<String> inline = any(StudyDesign::isInline);
        Optional<String> threads = any(StudyDesign::isThreads);
        if (!dedicated || inline.isEmpty() || threads.isEmpty()) {
            return StudyClaims.missing("dedicated, inline and threads=N");
        }
        Optional<Estimate> upper = study.capacityFactor(reference, inline.get());
        Optional<Estimate> lower = study.capacityFactor(inline.get(), threads.get());
        if (upper.isEmpty() || lower.isEmpty()) {
            return Finding.of(Verdict.NOT_TESTABLE, "Not every design's capacity could be measured.");
        }
        Verdict verdict = Verdict.of(
                upper.get().isAbove(1) && lower.get().isAbove(1),
                upper.get().isBelow(1) || lower.get().isBelow(1));
        String detail = String.format(
                Locale.ROOT,
                "dedicated %s times inline, inline %s times %s, which accepts %s/s.%s",
                Wording.of(upper.get()),
                Wording.of(lower.get()),
                threads.get(),
                study.capacity(threads.get()).map(Wording::of).orElse("?"),
                verdict == Verdict.HOLDS
                        ? ""
                        : " Here all of them force one log, one after the other, and the step from inline to threads adds only the"
                                + " hand-over between threads, not processes that compete for memory.");
        return Finding.of(verdict, detail);
    }

    private Optional<String> any(Predicate<StudyDesign> kind) {
        return study.known().stream().filter(kind).findFirst().map(StudyDesign::label);
    }

    Finding inversion() {
        Optional<Cell> best = study.top(reference);
        List<Cell> worst = blocking.stream()
                .map(study::top)
                .flatMap(Optional::stream)
                .filter(load -> inversion(load) != null)
                .toList();
        Inversion own = best.map(ServerClaims::inversion).orElse(null);
        if (own == null || worst.isEmpty()) {
            return StudyClaims.missing("dedicated and a blocking design at one relative load, and a mix of sizes");
        }
        boolean low = isOrderly(own);
        Double least = own.value().low();
        boolean high = least != null && least >= NEAR_RANDOM * own.random().value();
        boolean allRandom = worst.stream().allMatch(load -> isRandom(inversion(load)));
        boolean noneRandom = worst.stream().allMatch(load -> isOrderly(inversion(load)));
        String detail = "dedicated " + words(own)
                + worst.stream()
                        .map(load -> "; " + load.target() + " " + words(inversion(load)))
                        .collect(Collectors.joining())
                + "; at load " + best.map(StudyCells::level).orElse(0.0) + "."
                + inMemory();
        Verdict verdict = Verdict.of(low && allRandom, high || noneRandom);
        return Finding.of(
                verdict,
                detail
                        + (high
                                ? " Requests that share a force become durable together, whatever their sizes, so that the order"
                                        + " within a group is settled by what comes after it."
                                : ""));
    }

    private static @Nullable Inversion inversion(Cell load) {
        return StudyCells.load(load).inversion();
    }

    /** The counterpart of the published 0.33; it decides nothing. */
    private String inMemory() {
        String all = study.loadsInMemory().stream()
                .filter(load -> inversion(load) != null)
                .map(load -> load.target() + " " + words(inversion(load)))
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? "" : " In memory, where nothing is logged: " + all + ".";
    }

    /** Whether the whole interval is near a random order's, or above it. */
    private static boolean isRandom(@Nullable Inversion inversion) {
        return inversion != null
                && inversion.value().isAbove(NEAR_RANDOM * inversion.random().value());
    }

    /** Whether the whole interval is well below a random order's. */
    private static boolean isOrderly(@Nullable Inversion inversion) {
        return inversion != null
                && inversion.value().isBelow(NEAR_RANDOM * inversion.random().value());
    }

    private static String words(@Nullable Inversion inversion) {
        return inversion == null
                ? "none"
                : Wording.of(inversion.value()) + " of random "
                        + Units.threeDigits(inversion.random().value());
    }

    Finding moreProcesses() {
        Overhead comparison = mostAgainstFewest();
        if (comparison == null) {
            return StudyClaims.missing("two designs threads=N (--full)");
        }
        Estimate means = comparison.ratioOfMeans().estimate();
        Verdict verdict = Verdict.of(means.isAbove(1), means.isBelow(1));
        return Finding.of(
                verdict,
                comparison.sentence()
                        + (verdict == Verdict.HOLDS
                                ? ""
                                : " Here a thread costs little, all of them wait for one log, and the rate decides how many wait."));
    }

    /** At the highest rate that both have; null if there are no two such designs. */
    private @Nullable Overhead mostAgainstFewest() {
        List<String> threads = study.known().stream()
                .filter(StudyDesign::isThreads)
                .sorted(Comparator.comparingInt(StudyDesign::threads))
                .map(StudyDesign::label)
                .toList();
        return threads.size() < 2
                ? null
                : study.comparisons(threads.get(0)).stream()
                        .filter(each -> each.target().equals(threads.get(threads.size() - 1)))
                        .max(Comparator.comparingDouble(StudyCells::rate))
                        .orElse(null);
    }

    Finding bursts() {
        Optional<Cell> with = any(StudyDesign::isInline).flatMap(study::top);
        Optional<Cell> without = study.top(reference);
        Estimate a = with.map(load -> StudyCells.load(load).meanReadyChannels()).orElse(null);
        Estimate b =
                without.map(load -> StudyCells.load(load).meanReadyChannels()).orElse(null);
        if (!dedicated || with.isEmpty() || without.isEmpty() || a == null || b == null) {
            return StudyClaims.missing("dedicated and inline at one relative load, and a server that counts");
        }
        Estimate ratio = StudyCells.by(a, b);
        String detail = String.format(
                Locale.ROOT,
                "Ready in a turn, mean: inline %s, dedicated %s, ratio %s; records to a force: inline %s, dedicated %s; at"
                        + " load %s.",
                Wording.of(a),
                Wording.of(b),
                Wording.of(ratio),
                Units.threeDigits(Bins.mean(StudyCells.load(with.get()).batchRecords())),
                Units.threeDigits(Bins.mean(StudyCells.load(without.get()).batchRecords())),
                StudyCells.level(with.get()));
        return Finding.of(Verdict.of(ratio.isAbove(BURST), ratio.isBelow(NO_BURST)), detail);
    }

    /** Of the slowest and the fastest of the machines, at the highest load that both have. */
    static Finding fasterMachine(StudyCells study) {
        List<Machine> machines = study.machines();
        if (machines.size() < 2) {
            return StudyClaims.missing("machines of different speed (--processors, or --merge)");
        }
        Machine slow = machines.get(0);
        Machine fast = machines.get(machines.size() - 1);
        List<String> details = new ArrayList<>();
        Boolean dedicatedGains = null;
        boolean blockingGains = false;
        boolean blockingSeen = false;
        for (StudyDesign design : study.known()) {
            Optional<Cell> before = highest(study, slow, fast, design.label());
            Optional<Cell> after = before.flatMap(each -> find(study, fast, design.label(), StudyCells.at(each)));
            if (before.isPresent() && after.isPresent()) {
                Estimate slower = StudyCells.latency(before.get()).meanEstimate();
                Estimate faster = StudyCells.latency(after.get()).meanEstimate();
                boolean gains = slower.low() != null && faster.isBelow(slower.low());
                dedicatedGains = design.isDedicated() ? (Boolean) gains : dedicatedGains;
                blockingGains |= design.isBlocking() && gains;
                blockingSeen |= design.isBlocking();
                details.add(String.format(
                        Locale.ROOT, "%s %,.0f and %,.0f us", design.label(), slower.value(), faster.value()));
            }
        }
        if (dedicatedGains == null || !blockingSeen) {
            return StudyClaims.missing("dedicated and a blocking design on both machines");
        }
        return Finding.of(
                Verdict.of(dedicatedGains && !blockingGains, !dedicatedGains && blockingGains),
                "Mean on " + slow.label() + " and on " + fast.label() + ": " + String.join("; ", details) + ".");
    }

    private static Optional<Cell> highest(StudyCells study, Machine slow, Machine fast, String design) {
        return study.relative(slow).stream()
                .filter(each -> each.target().equals(design)
                        && find(study, fast, design, StudyCells.at(each)).isPresent())
                .max(Comparator.comparingDouble(StudyCells::at));
    }

    private static Optional<Cell> find(StudyCells study, Machine machine, String design, double level) {
        return study.relative(machine).stream()
                .filter(each -> each.target().equals(design) && StudyCells.at(each) == level)
                .findFirst();
    }
}
