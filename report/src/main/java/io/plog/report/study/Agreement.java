package io.plog.report.study;

import io.plog.report.study.DesignLabel.Kind;
import io.plog.report.study.StudyResults.Capacity;
import io.plog.report.study.StudyResults.Comparison;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.report.study.StudyResults.Load;
import io.plog.report.study.StudyResults.Machine;
import io.plog.report.study.StudyResults.Row;
import io.plog.report.study.StudyResults.Workload;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Compares our figures with the published tables: one sentence on what agrees, one on the reason, from the figures alone. */
final class Agreement {
    /** A factor agrees with the published one if it is within this factor of it, up or down. */
    private static final double ALIKE = 2;

    private final StudyView study;

    Agreement(StudyView study) {
        this.study = study;
    }

    /** Of the capacities. */
    List<String> capacities() {
        List<String> sentences = new ArrayList<>();
        Optional<Capacity> dedicated = study.first(Kind.DEDICATED).flatMap(study::capacity);
        if (dedicated.isEmpty()) {
            return List.of("Without dedicated among the designs there is nothing to compare with New-Flash.");
        }
        for (Kind kind : List.of(Kind.INLINE, Kind.THREADS)) {
            study.first(kind)
                    .flatMap(study::capacity)
                    .filter(other -> other.sizes().equals(dedicated.get().sizes()))
                    .ifPresent(other -> sentences.addAll(capacities(dedicated.get(), other)));
        }
        return sentences;
    }

    private List<String> capacities(Capacity dedicated, Capacity other) {
        String family = DesignLabel.of(other.design()).publishedFamily();
        PublishedTables.Capacities theirs = published(family);
        PublishedTables.Capacities best = published("New-Flash");
        double[] published = {
            best.mb500() / theirs.mb500(), best.gb1() / theirs.gb1(), best.gb3() / theirs.gb3(),
        };
        java.util.Arrays.sort(published);
        Estimate ratio = StudyEstimates.ratio(dedicated.requestsPerSecond(), other.requestsPerSecond());
        return List.of(
                verdict("R2") + "dedicated carries " + StudyNumbers.times(ratio.value()) + " "
                        + StudyNumbers.ends(ratio, StudyNumbers::twoDigits)
                        + " the requests of " + other.design() + "; the study's New-Flash carried "
                        + StudyNumbers.twoDigits(published[0]) + " to " + StudyNumbers.times(published[2])
                        + " those of " + family
                        + ".",
                "Why: at infinite demand one force serves "
                        + Units.fourDigits(dedicated.meanBatchRecords()) + " records with dedicated and "
                        + Units.fourDigits(other.meanBatchRecords()) + " with " + other.design()
                        + (other.meanBatchRecords() >= 2
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
        return study.results().claims().stream()
                .filter(finding -> finding.id().equals(id))
                .findFirst()
                .map(finding -> id + ", " + finding.verdict().label().replace('-', ' ') + ": ")
                .orElse("");
    }

    /** Of the percentiles at one rate. */
    List<String> percentiles(double rate) {
        List<String> sentences = new ArrayList<>();
        Optional<Load> dedicated = at(rate, Kind.DEDICATED);
        if (dedicated.isEmpty()) {
            return List.of();
        }
        PublishedTables.Percentiles best = published(DesignLabel.of("dedicated"));
        for (Kind kind : List.of(Kind.INLINE, Kind.THREADS)) {
            at(rate, kind).ifPresent(other -> {
                PublishedTables.Percentiles theirs = published(DesignLabel.of(other.design()));
                sentences.addAll(percentiles(
                        dedicated.get(), other, theirs, theirs.mean() / best.mean(), theirs.median() / best.median()));
            });
        }
        return sentences;
    }

    private Optional<Load> at(double rate, Kind kind) {
        return study.first(kind)
                .flatMap(design -> study.atRate(rate).stream()
                        .filter(load ->
                                load.design().equals(design) && load.latency().count() > 0)
                        .findFirst());
    }

    private static PublishedTables.Percentiles published(DesignLabel design) {
        return PublishedTables.AT_2300.stream()
                .filter(row -> row.server().equals(design.publishedServer()))
                .findFirst()
                .orElseThrow();
    }

    private List<String> percentiles(
            Load dedicated,
            Load other,
            PublishedTables.Percentiles theirs,
            double publishedMean,
            double publishedMedian) {
        Optional<Comparison> compared = study.results().comparisons().stream()
                .filter(c -> c.design().equals(other.design())
                        && StudyView.isRate(c.ratePerSecond(), other.offeredPerSecond()))
                .findFirst();
        Estimate mean = compared.map(Comparison::meanRatio)
                .orElseGet(() -> StudyEstimates.ratio(
                        other.latency().mean(), dedicated.latency().mean()));
        Estimate median = compared.map(Comparison::medianRatio)
                .orElseGet(() -> StudyEstimates.ratio(
                        other.latency().p50(), dedicated.latency().p50()));
        String size = mean.value() > publishedMean * ALIKE
                ? " The mean's factor is larger than theirs."
                : mean.value() < publishedMean / ALIKE
                        ? " The mean's factor is smaller than theirs."
                        : " The mean's factor is about theirs.";
        return List.of(
                verdict("R1") + "at " + StudyNumbers.perSecond(other.offeredPerSecond()) + " requests/s "
                        + other.design()
                        + " takes "
                        + StudyNumbers.times(mean.value()) + " " + StudyNumbers.ends(mean, StudyNumbers::factor)
                        + " as long as dedicated in the mean and " + StudyNumbers.times(median.value()) + " "
                        + StudyNumbers.ends(median, StudyNumbers::factor) + " in the median; " + theirs.server()
                        + " took "
                        + StudyNumbers.times(publishedMean) + " and " + StudyNumbers.times(publishedMedian)
                        + " as long as New-Flash." + size,
                why(dedicated, other));
    }

    private String why(Load dedicated, Load other) {
        double force = StudyView.part(dedicated, "force") + StudyView.part(dedicated, "write");
        StringBuilder why = new StringBuilder("Why: ");
        if (!other.sustained()) {
            why.append(other.design()
                    + " did not keep this rate, so its latency is a backlog that grew as long as the cell ran");
        } else {
            study.capacity(other.design())
                    .ifPresentOrElse(
                            capacity -> why.append("this rate is "
                                    + Units.wholePercent(other.offeredPerSecond()
                                            / capacity.requestsPerSecond().value())
                                    + " of what " + other.design()
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

    /** Of service inversion at the highest load. */
    List<String> inversion() {
        List<String> sentences = new ArrayList<>();
        Optional<Load> dedicated = top(Kind.DEDICATED);
        dedicated.ifPresent(load -> sentences.add(inverted(load, 0.35, "New-Flash")));
        for (Kind kind : List.of(Kind.INLINE, Kind.THREADS)) {
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

    private Optional<Load> top(Kind kind) {
        return study.first(kind)
                .flatMap(design -> study.top().stream()
                        .filter(load -> load.design().equals(design) && load.inversion() != null)
                        .findFirst());
    }

    private String inverted(Load load, double published, String server) {
        StudyResults.Inversion inversion = Objects.requireNonNull(load.inversion());
        Estimate value = inversion.value();
        double random = inversion.random().value();
        return verdict("R3") + load.design() + " has "
                + StudyNumbers.interval(value, StudyNumbers::twoDigits) + " at load "
                + StudyNumbers.level(StudyView.at(load)) + ", "
                + server
                + " had "
                + StudyNumbers.twoDigits(published) + "; an order blind to size would have "
                + StudyNumbers.twoDigits(random)
                + " here, of which this is " + Units.wholePercent(random > 0 ? value.value() / random : 0) + ".";
    }

    /** Of the components of one workload. */
    List<String> components(Workload workload) {
        if (workload.rows().size() < 2) {
            return List.of();
        }
        Row whole = workload.rows().get(0);
        Row largest = workload.rows().stream()
                .skip(1)
                .max(java.util.Comparator.comparingDouble(Row::shareOfMean))
                .orElseThrow();
        double median = whole.latency().p50().value();
        double multiple = median > 0 ? whole.latency().p999() / median : 0;
        String shares = workload.rows().stream()
                .skip(1)
                .map(row -> row.component() + " " + Units.wholePercent(row.shareOfMean()))
                .collect(java.util.stream.Collectors.joining(", "));
        return List.of(
                verdict("W1") + "most of the mean is "
                        + largest.component() + " (" + shares
                        + "); in the thesis it was the network (over 50 %, service about 30 %, waiting about 3 %).",
                verdict("W2") + "99.9 % of the requests are within " + StudyNumbers.times(multiple)
                        + " the median, in the thesis within 7.9 times.",
                "Why: the thesis measured a cluster of virtual machines over a network, with records of 1 KB mostly in memory"
                        + " and no force for each update; here "
                        + (workload.loggedShare() > 0
                                ? Units.wholePercent(workload.loggedShare())
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
        for (Capacity below : study.capacities(slow.label())) {
            study.capacities(fast.label()).stream()
                    .filter(above -> above.design().equals(below.design())
                            && above.sizes().equals(below.sizes()))
                    .findFirst()
                    .ifPresent(above -> sentences.add(grown(slow, fast, below, above)));
        }
        sentences.add(
                "Why: what waits for the disk does not get faster with the processor. In the study New-Flash grew by 3.21"
                        + " times over three generations of processors with a disk-bound workload, Flash by 2.51, Apache by 2.44; in"
                        + " memory Flash grew by 3.74.");
        return sentences;
    }

    private static String grown(Machine slow, Machine fast, Capacity below, Capacity above) {
        Estimate growth = StudyEstimates.ratio(above.requestsPerSecond(), below.requestsPerSecond());
        double processors = fast.processors() / slow.processors();
        return below.design() + ", " + below.sizes() + ": " + StudyNumbers.times(growth.value()) + " "
                + StudyNumbers.ends(growth, StudyNumbers::twoDigits) + " the capacity with "
                + StudyNumbers.times(processors) + " the processor" + heldBack(growth, processors) + ".";
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
