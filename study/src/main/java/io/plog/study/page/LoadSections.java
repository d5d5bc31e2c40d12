package io.plog.study.page;

import io.plog.report.html.Html;
import io.plog.report.html.Section;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import io.plog.study.PublishedTables;
import io.plog.study.StudyResults.Capacity;
import io.plog.study.StudyResults.Comparison;
import io.plog.study.StudyResults.Latency;
import io.plog.study.StudyResults.Load;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the designs do under load: the second study. */
final class LoadSections {
    private static final String NO_RELATIVE =
            "No relative load was measured: either the plan has none, or no capacity was found that a load could be a share of.";

    private final StudyView study;
    private final Agreement agreement;
    private final LoadFigures figures;

    LoadSections(StudyView study) {
        this.study = study;
        agreement = new Agreement(study);
        figures = new LoadFigures(study);
    }

    List<Section> all() {
        return List.of(
                capacity(),
                percentiles(),
                latency(),
                distribution(),
                deciles(),
                inversion(),
                turns(),
                components(),
                processor(),
                factors());
    }

    private Section capacity() {
        Section section = study.section("capacity", "Capacity")
                .reading(
                        "Throughput at infinite demand: every connection sends its next request as soon as it is answered. This is the"
                                + " load 1 that all relative loads below are shares of.")
                .figure(CapacityFigure.of(study), "No capacity was measured: the study ended before.");
        List<Capacity> capacities = study.capacities();
        if (capacities.isEmpty()) {
            return section;
        }
        List<List<String>> rows = new ArrayList<>();
        for (Capacity c : capacities) {
            rows.add(new ArrayList<>(List.of(
                    c.design(),
                    c.sizes(),
                    StudyNumbers.interval(c.requestsPerSecond(), StudyNumbers::perSecond),
                    StudyNumbers.interval(c.megabytesPerSecond(), Units::fourDigits),
                    StudyNumbers.perSecond(8 * c.megabytesPerSecond().value()),
                    StudyNumbers.orNone(c.serverMicrosPerRequest(), Units::fourDigits))));
            rows.get(rows.size() - 1)
                    .addAll(published(DesignLabel.of(c.design()).publishedFamily()));
        }
        return section.table(
                        "Here beside " + PublishedTables.STUDY_2004 + ": Mb/s with 500 MB, 1.5 GB and 3.3 GB of data",
                        List.of(
                                "design",
                                "sizes",
                                "requests/s [95 %]",
                                "MB/s [95 %]",
                                "Mb/s",
                                "server µs/request",
                                "published server",
                                "500 MB, Mb/s",
                                "1.5 GB, Mb/s",
                                "3.3 GB, Mb/s"),
                        rows)
                .agreement(agreement.capacities());
    }

    private static List<String> published(String family) {
        return PublishedTables.CAPACITIES.stream()
                .filter(row -> row.server().equals(family))
                .findFirst()
                .map(row -> List.of(
                        family,
                        Units.fourDigits(row.mb500()),
                        Units.fourDigits(row.gb1()),
                        Units.fourDigits(row.gb3())))
                .orElse(List.of(family.isEmpty() ? "–" : family + ", not given", "–", "–", "–"));
    }

    private Section percentiles() {
        Section section = study.section("percentiles", "5 %, median, 95 % and mean at one rate");
        Double rate = study.commonRate();
        if (rate == null) {
            return section.absent("No absolute rate was measured, so the designs cannot be compared at one rate.");
        }
        section.reading(
                "The study's table: all designs at the same "
                        + StudyNumbers.perSecond(rate)
                        + " requests/s, the highest measured rate that all of them kept, or the lowest if there is none. Milliseconds.");
        section.add(tableOf(rate));
        section.agreement(agreement.percentiles(rate));
        study.absoluteRates().stream()
                .filter(other -> !other.equals(rate))
                .forEach(other -> section.add(
                        Html.details("The same at " + StudyNumbers.perSecond(other) + " requests/s", tableOf(other))));
        return section;
    }

    private String tableOf(double rate) {
        List<List<String>> rows = new ArrayList<>();
        Set<String> beside = new HashSet<>();
        for (Load load : study.atRate(rate)) {
            Latency latency = load.latency();
            String server = DesignLabel.of(load.design()).publishedServer();
            beside.add(server);
            List<String> row = new ArrayList<>(List.of(
                    load.design() + (load.sustained() ? "" : " (rate not kept)"),
                    Micros.millis(latency.p5()),
                    Micros.millis(latency.p50().value()),
                    Micros.millis(latency.p95().value()),
                    StudyNumbers.interval(latency.mean(), Micros::millis)));
            row.addAll(publishedRow(server));
            rows.add(row);
        }
        PublishedTables.AT_2300.stream()
                .filter(row -> !beside.contains(row.server()))
                .forEach(row -> {
                    List<String> alone = new ArrayList<>(List.of("–", "–", "–", "–", "–"));
                    alone.addAll(publishedRow(row.server()));
                    rows.add(alone);
                });
        return Html.table(
                "Here at " + StudyNumbers.perSecond(rate) + " requests/s, beside " + PublishedTables.STUDY_2004
                        + ", 3.3 GB at 2300 requests/s; all in ms",
                List.of(
                        "design",
                        "5 %",
                        "median",
                        "95 %",
                        "mean [95 %]",
                        "published server",
                        "5 %",
                        "median",
                        "95 %",
                        "mean"),
                rows);
    }

    private static List<String> publishedRow(String server) {
        return PublishedTables.AT_2300.stream()
                .filter(row -> row.server().equals(server))
                .findFirst()
                .map(row -> List.of(
                        server,
                        StudyNumbers.twoDigits(row.p5()),
                        StudyNumbers.twoDigits(row.median()),
                        StudyNumbers.twoDigits(row.p95()),
                        StudyNumbers.twoDigits(row.mean())))
                .orElse(List.of(server.isEmpty() ? "–" : server + ", not given", "–", "–", "–", "–"));
    }

    private Section latency() {
        return study.section("latency", "Latency against load")
                .reading(
                        "Shares of each design's own capacity, as in the study, may flatter a design that carries little; so the same"
                                + " rates for all stand below.")
                .figure(figures.latency("relative"), NO_RELATIVE)
                .figure(figures.latency("absolute"), "No absolute rate was measured.")
                .add(refused());
    }

    /** Only what went wrong: refused and failed requests. */
    private String refused() {
        Map<String, String> rows = new TreeMap<>();
        for (Load load : study.results().loads()) {
            if (load.refusedShare() > 0 || !load.errors().isEmpty()) {
                Double level = load.level();
                rows.put(
                        load.design()
                                + (level == null
                                        ? " at " + StudyNumbers.perSecond(load.offeredPerSecond()) + "/s"
                                        : " at load " + StudyNumbers.level(level)),
                        (load.refusedShare() > 0 ? Units.percent(load.refusedShare()) + " refused as overloaded. " : "")
                                + load.errors().entrySet().stream()
                                        .map(error -> error.getKey() + ": " + Units.count(error.getValue()))
                                        .collect(Collectors.joining(", ")));
            }
        }
        return rows.isEmpty()
                ? Html.p("note", "No request was refused and none failed.")
                : Html.details(
                        "Refused and failed requests",
                        Html.terms(
                                "prose",
                                rows.entrySet().stream()
                                        .map(row -> List.of(row.getKey(), row.getValue()))
                                        .toList()));
    }

    private Section distribution() {
        return study.section("ecdf", "Distribution near capacity, and at one rate")
                .reading(
                        "Every request of the cells at the highest relative load, and of those at the highest rate that all designs kept:"
                                + " how large a share was answered within a time.")
                .figure(DistributionFigure.nearCapacity(study), NO_RELATIVE)
                .figure(DistributionFigure.atOneRate(study), "No absolute rate was measured.");
    }

    private Section deciles() {
        return study.section("deciles", "Who is slow: sizes by tenth")
                .reading("Whether large requests are the slow ones, or whether small ones wait behind them.")
                .figure(
                        FairnessFigures.deciles(study),
                        study.loads("relative").isEmpty()
                                ? NO_RELATIVE
                                : "Needs a mix of sizes and at least ten responses in a cell; this study has too few sizes or responses.");
    }

    private Section inversion() {
        return study.section("inversion", "Service inversion")
                .reading(
                        "How far the order of answers is from the order of sizes: 0 if small requests come first, 1 if that is turned"
                                + " around. The grey band is what an order has that knows nothing of sizes; the studies do not give it.")
                .figure(
                        FairnessFigures.inversion(study),
                        study.loads("relative").isEmpty()
                                ? NO_RELATIVE
                                : "Needs responses of at least two sizes; with one size nothing can be inverted.")
                .agreement(agreement.inversion());
    }

    private Section turns() {
        return study.section("turns", "How many at once")
                .reading(
                        "A design that blocks finds more connections ready each time it looks; one that batches serves more records with"
                                + " each force.")
                .figure(
                        TurnFigure.of(study),
                        "The server did not say how many records shared a force, nor how many connections were ready in a turn.");
    }

    private Section components() {
        return study.section("components", "Where the latency goes")
                .reading("The mean of each part of the way of a request, as a share of the whole.")
                .figure(
                        ShareFigure.of(study),
                        "The replies did not carry the server's durations, so the parts are not known.");
    }

    private Section processor() {
        return study.section("processor", "Processor time per request")
                .reading("What a request costs the server's processors; less is better, whatever the latency.")
                .figure(
                        figures.processor(),
                        "The server's processor time could not be read: it ran on another machine, or its system does not tell.");
    }

    private Section factors() {
        Section section = study.section("factors", "What the way of waiting costs")
                .reading(
                        "Each design relative to dedicated at the same absolute rate, beside the factors of the published pair of servers.")
                .figure(
                        FactorFigure.of(study),
                        "No design was compared: the plan lacks dedicated, another design, or an absolute rate that both were given.");
        List<Comparison> comparisons = study.results().comparisons();
        if (!comparisons.isEmpty()) {
            section.table(
                    "Times as long as dedicated, here and published",
                    List.of(
                            "design",
                            "requests/s",
                            "mean [95 %]",
                            "published",
                            "median [95 %]",
                            "published",
                            "published pair"),
                    comparisons.stream()
                            .map(c -> List.of(
                                    c.design(),
                                    StudyNumbers.perSecond(c.ratePerSecond()),
                                    StudyNumbers.interval(c.meanRatio(), StudyNumbers::factor),
                                    StudyNumbers.orNone(c.publishedMeanRatio(), StudyNumbers::factor),
                                    StudyNumbers.interval(c.medianRatio(), StudyNumbers::factor),
                                    StudyNumbers.orNone(c.publishedMedianRatio(), StudyNumbers::factor),
                                    c.publishedPair().isEmpty() ? "–" : c.publishedPair()))
                            .toList());
            section.agreement(comparisons.stream()
                    .map(Comparison::sentence)
                    .filter(s -> !s.isEmpty())
                    .toList());
        }
        return section;
    }
}
