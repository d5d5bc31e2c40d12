package io.plog.results.study;

import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyDesign;
import io.plog.results.cells.LatencyPart;
import io.plog.results.model.Claim;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Components;
import io.plog.results.model.Results.Estimate;
import io.plog.results.model.Results.Inversion;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Results.Part;
import io.plog.results.model.Results.WorkloadPart;
import io.plog.results.study.StudyCells.Machine;
import io.plog.stats.Percentile;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Compares our figures with the published tables: one sentence on what agrees, one on the reason, from the figures alone. */
final class Agreement {
    /** A factor agrees with the published one if it is within this factor of it, up or down. */
    private static final double ALIKE = 2;

    /** The designs whose waiting has published figures, besides the dedicated one. */
    private static final List<Predicate<StudyDesign>> PUBLISHED =
            List.of(StudyDesign::isInline, StudyDesign::isThreads);

    private final StudyCells study;
    private final List<Claim> claims;

    Agreement(StudyCells study, List<Claim> claims) {
        this.study = study;
        this.claims = claims;
    }

    /** A design's capacity for the mix, else for the first size. */
    private Optional<Cell> capacity(String design) {
        return study.capacities().stream()
                .filter(cell -> cell.target().equals(design))
                .min(Comparator.comparing(
                        cell -> !cell.dimension(StudyCell.SIZES).equals(StudyCell.MIX)));
    }

    /** Of the capacities. */
    List<String> capacities() {
        List<String> sentences = new ArrayList<>();
        Optional<Cell> dedicated = study.first(StudyDesign::isDedicated).flatMap(this::capacity);
        if (dedicated.isEmpty()) {
            return List.of("Without dedicated among the designs there is nothing to compare with New-Flash.");
        }
        for (Predicate<StudyDesign> kind : PUBLISHED) {
            study.first(kind)
                    .flatMap(this::capacity)
                    .filter(other -> other.dimensions().equals(dedicated.get().dimensions()))
                    .ifPresent(other -> sentences.addAll(capacities(dedicated.get(), other)));
        }
        return sentences;
    }

    private List<String> capacities(Cell dedicated, Cell other) {
        String family = PublishedServers.family(other.target());
        PublishedTables.Capacities theirs = published(family);
        PublishedTables.Capacities best = published("New-Flash");
        double[] published = {
            best.mb500() / theirs.mb500(), best.gb1() / theirs.gb1(), best.gb3() / theirs.gb3(),
        };
        Arrays.sort(published);
        Estimate ratio = StudyCells.perSecond(dedicated).by(StudyCells.perSecond(other));
        return List.of(
                verdict("R2") + "dedicated carries " + StudyNumbers.times(ratio.value()) + " "
                        + StudyNumbers.ends(ratio, StudyNumbers::twoDigits)
                        + " the requests of " + other.target() + "; the study's New-Flash carried "
                        + StudyNumbers.twoDigits(published[0]) + " to " + StudyNumbers.times(published[2])
                        + " those of " + family
                        + ".",
                "Why: at infinite demand one force serves "
                        + Units.fourDigits(dedicated.recordsPerForce()) + " records with dedicated and "
                        + Units.fourDigits(other.recordsPerForce()) + " with " + other.target()
                        + (other.recordsPerForce() >= 2
                                ? ". Blocked readers of a file could not share one read of the disk like this, so what the study"
                                        + " lost by blocking is partly won back here."
                                : ": who forces for one record at a time has the disk's rate for its capacity. The study's reads"
                                        + " could be answered from memory, a force never can."));
    }

    private static PublishedTables.Capacities published(String family) {
        return PublishedTables.CAPACITIES.stream()
                .filter(row -> row.server().equals(family))
                .findFirst()
                .orElseThrow();
    }

    /** What the finding says, so that a page has one answer only; the sentence after it gives the figures. */
    private String verdict(String id) {
        return claims.stream()
                .filter(finding -> finding.id().equals(id))
                .findFirst()
                .map(finding -> id + ", " + finding.verdict().label().replace('-', ' ') + ": ")
                .orElse("");
    }

    /** Of the percentiles at one rate. */
    List<String> percentiles(double rate) {
        List<String> sentences = new ArrayList<>();
        Optional<Cell> dedicated = at(rate, StudyDesign::isDedicated);
        if (dedicated.isEmpty()) {
            return List.of();
        }
        PublishedTables.Percentiles best = publishedAt("dedicated");
        for (Predicate<StudyDesign> kind : PUBLISHED) {
            at(rate, kind).ifPresent(other -> {
                PublishedTables.Percentiles theirs = publishedAt(other.target());
                sentences.addAll(percentiles(
                        dedicated.get(), other, theirs, theirs.mean() / best.mean(), theirs.median() / best.median()));
            });
        }
        return sentences;
    }

    private Optional<Cell> at(double rate, Predicate<StudyDesign> kind) {
        return study.first(kind)
                .flatMap(design -> study.atRate(rate).stream()
                        .filter(load -> load.target().equals(design))
                        .findFirst());
    }

    private static PublishedTables.Percentiles publishedAt(String design) {
        return PublishedTables.AT_2300.stream()
                .filter(row -> row.server().equals(PublishedServers.row(design)))
                .findFirst()
                .orElseThrow();
    }

    private List<String> percentiles(
            Cell dedicated,
            Cell other,
            PublishedTables.Percentiles theirs,
            double publishedMean,
            double publishedMedian) {
        double rate = StudyCells.load(other).offeredPerSecond();
        Optional<Overhead> compared = study.comparisons().stream()
                .filter(c -> c.target().equals(other.target()) && c.dimensions().equals(other.dimensions()))
                .findFirst();
        Estimate mean = compared.map(found -> found.ratioOfMeans().estimate())
                .orElseGet(() -> StudyCells.latency(other)
                        .meanEstimate()
                        .by(StudyCells.latency(dedicated).meanEstimate()));
        Estimate median = compared.map(found -> found.ratioOfMedians().estimate())
                .orElseGet(() -> StudyCells.latency(other)
                        .at(Percentile.P50)
                        .estimate()
                        .by(StudyCells.latency(dedicated).at(Percentile.P50).estimate()));
        String size = mean.value() > publishedMean * ALIKE
                ? " The mean's factor is larger than theirs."
                : mean.value() < publishedMean / ALIKE
                        ? " The mean's factor is smaller than theirs."
                        : " The mean's factor is about theirs.";
        return List.of(
                verdict("R1") + "at " + StudyNumbers.perSecond(rate) + " requests/s "
                        + other.target()
                        + " takes "
                        + StudyNumbers.times(mean.value()) + " " + StudyNumbers.ends(mean, StudyNumbers::factor)
                        + " as long as dedicated in the mean and " + StudyNumbers.times(median.value()) + " "
                        + StudyNumbers.ends(median, StudyNumbers::factor) + " in the median; " + theirs.server()
                        + " took "
                        + StudyNumbers.times(publishedMean) + " and " + StudyNumbers.times(publishedMedian)
                        + " as long as New-Flash." + size,
                why(dedicated, other));
    }

    private String why(Cell dedicated, Cell other) {
        double rate = StudyCells.load(other).offeredPerSecond();
        double force = blocking(dedicated);
        StringBuilder why = new StringBuilder("Why: ");
        if (!StudyCells.load(other).sustained()) {
            why.append(other.target()
                    + " did not keep this rate, so its latency is a backlog that grew as long as the cell ran");
        } else {
            capacity(other.target())
                    .ifPresentOrElse(
                            capacity -> why.append("this rate is "
                                    + Units.wholePercent(rate
                                            / StudyCells.perSecond(capacity).value())
                                    + " of what " + other.target()
                                    + " can carry, where the study's was about 90 % of the slowest server's capacity"),
                            () -> why.append(
                                    "its capacity was not measured, so how near this rate is to it is not known"));
        }
        if (force > 0) {
            why.append(", and what blocks here, writing and forcing, takes " + Micros.withUnit(force)
                    + " in dedicated's mean, where a read of the study's disk took milliseconds");
        }
        return why + ".";
    }

    /** Mean of what blocks: writing and forcing. */
    private static double blocking(Cell load) {
        Components components = load.components();
        Set<String> parts = Set.of(LatencyPart.WRITE.label(), LatencyPart.FORCE.label());
        return components == null
                ? 0
                : components.parts().stream()
                        .filter(part -> parts.contains(part.name()))
                        .mapToDouble(Part::micros)
                        .sum();
    }

    /** Of service inversion at the highest load. */
    List<String> inversion() {
        List<String> sentences = new ArrayList<>();
        Optional<Cell> dedicated = top(StudyDesign::isDedicated);
        dedicated.ifPresent(load -> sentences.add(inverted(load, 0.35, "New-Flash")));
        for (Predicate<StudyDesign> kind : PUBLISHED) {
            top(kind).ifPresent(load -> sentences.add(inverted(load, 0.58, "the old servers")));
        }
        if (!sentences.isEmpty()) {
            sentences.add(
                    "Why: all records of one force are answered together, whatever their sizes, and forcing a small record"
                            + " takes nearly as long as forcing a large one. So size decides less here than it did for files on a disk,"
                            + " and an order near the random one is no sign of blocking by itself.");
        }
        return sentences;
    }

    private Optional<Cell> top(Predicate<StudyDesign> kind) {
        return study.first(kind)
                .flatMap(design -> study.top().stream()
                        .filter(cell -> cell.target().equals(design)
                                && StudyCells.load(cell).inversion() != null)
                        .findFirst());
    }

    private String inverted(Cell load, double published, String server) {
        Inversion inversion = Objects.requireNonNull(StudyCells.load(load).inversion());
        Estimate value = inversion.value();
        double random = inversion.random().value();
        return verdict("R3") + load.target() + " has "
                + StudyNumbers.interval(value, StudyNumbers::twoDigits) + " at load "
                + StudyNumbers.level(StudyCells.at(load)) + ", "
                + server
                + " had "
                + StudyNumbers.twoDigits(published) + "; an order blind to size would have "
                + StudyNumbers.twoDigits(random)
                + " here, of which this is " + Units.wholePercent(random > 0 ? value.value() / random : 0) + ".";
    }

    /** Of the components of one workload. */
    List<String> components(Cell workload) {
        List<WorkloadPart> parts = StudyCells.parts(workload);
        if (parts.size() < 2) {
            return List.of();
        }
        WorkloadPart whole = parts.get(0);
        WorkloadPart largest = parts.stream()
                .skip(1)
                .max(Comparator.comparingDouble(part -> part.share().value()))
                .orElseThrow();
        double median = whole.micros().p50();
        double multiple = median > 0 ? whole.micros().at(Percentile.P999).micros() / median : 0;
        String shares = parts.stream()
                .skip(1)
                .map(part -> part.name() + " " + Units.wholePercent(part.share().value()))
                .collect(Collectors.joining(", "));
        return List.of(
                verdict("W1") + "most of the mean is "
                        + largest.name() + " (" + shares
                        + "); in the thesis it was the network (over 50 %, service about 30 %, waiting about 3 %).",
                verdict("W2") + "99.9 % of the requests are within " + StudyNumbers.times(multiple)
                        + " the median, in the thesis within 7.9 times.",
                "Why: the thesis measured a cluster of virtual machines over a network, with records of 1 KB mostly in memory"
                        + " and no force for each update; here "
                        + (StudyCells.number(workload, StudyCell.LOGGED) > 0
                                ? Units.wholePercent(StudyCells.number(workload, StudyCell.LOGGED))
                                        + " of the requests wait for the disk, as service time."
                                : "no request waits for the disk."));
    }

    /** Of the machines: how much capacity grows from the slowest to the fastest. */
    List<String> machines() {
        List<Machine> ascending = study.machines();
        List<String> sentences = new ArrayList<>();
        if (ascending.size() < 2) {
            return sentences;
        }
        Machine slow = ascending.get(0);
        Machine fast = ascending.get(ascending.size() - 1);
        for (Cell below : study.capacities(slow)) {
            study.capacities(fast).stream()
                    .filter(above -> above.target().equals(below.target())
                            && above.dimension(StudyCell.SIZES).equals(below.dimension(StudyCell.SIZES)))
                    .findFirst()
                    .ifPresent(above -> sentences.add(grown(slow, fast, below, above)));
        }
        sentences.add(
                "Why: what waits for the disk does not get faster with the processor. In the study New-Flash grew by 3.21"
                        + " times over three generations of processors with a disk-bound workload, Flash by 2.51, Apache by 2.44; in"
                        + " memory Flash grew by 3.74.");
        return sentences;
    }

    private static String grown(Machine slow, Machine fast, Cell below, Cell above) {
        Estimate growth = StudyCells.perSecond(above).by(StudyCells.perSecond(below));
        String capacity = below.target() + ", " + below.dimension(StudyCell.SIZES) + ": "
                + StudyNumbers.times(growth.value()) + " " + StudyNumbers.ends(growth, StudyNumbers::twoDigits)
                + " the capacity";
        if (slow.processors() == 0) { // a server that did not say it
            return capacity + ".";
        }
        double processors = fast.processors() / slow.processors();
        return capacity + " with " + StudyNumbers.times(processors) + " the processor" + heldBack(growth, processors)
                + ".";
    }

    /** A conclusion only if the whole interval allows no other. */
    private static String heldBack(Estimate growth, double processors) {
        Double low = growth.low();
        Double high = growth.high();
        if (low != null && low > 0.75 * processors) {
            return ", so the processor holds it back";
        }
        if (high != null && high < Math.min(1.25, 0.75 * processors)) {
            return ", so the disk holds it back";
        }
        return low != null && high != null && low > 1.25 && high < 0.75 * processors
                ? ", so both hold it back"
                : "; what holds it back cannot be told from this interval";
    }
}
