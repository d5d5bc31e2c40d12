package io.plog.report.page;

import io.plog.measure.samples.RunInfo;
import io.plog.report.results.Results;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What was to be run, as pairs of a name and a text. Stateless. */
final class PlannedFacts {
    private PlannedFacts() {}

    static List<List<String>> of(Results results) {
        Results.Plan plan = results.plan();
        List<List<String>> facts = new ArrayList<>(ofPlan(plan));
        facts.add(List.of("seed", String.valueOf(plan.seed())));
        facts.add(List.of("sizes", plan.sizesBytes().stream().map(Units::size).collect(Collectors.joining(", "))));
        facts.add(List.of("started", results.startedAt()));
        facts.add(List.of("plog", results.plogVersion()));
        facts.addAll(WaitingConditions.of(results.environment()));
        return facts;
    }

    static List<List<String>> ofPlan(Results.Plan plan) {
        return plan.load().isEmpty() ? ofGrid(plan) : ofLoad(plan);
    }

    private static List<List<String>> ofGrid(Results.Plan plan) {
        return List.of(
                List.of("load", connections(plan) + " with one request outstanding each" + rate(plan)),
                List.of(
                        "requests per cell",
                        Units.count(plan.iterations()) + " counted after "
                                + (plan.warmupByEvidence() ? "at most " : "") + Units.count(plan.warmup())
                                + " for warming up"
                                + (plan.warmupByEvidence() ? ", fewer if all cells were steady before" : "")),
                List.of(
                        "order",
                        (plan.trials() > 1 ? plan.trials() + " trials of " : "") + plan.blocks()
                                + " randomised blocks"));
    }

    private static List<List<String>> ofLoad(Results.Plan plan) {
        RunInfo.Load load = plan.load().get(0);
        String warmUp = " after " + Units.plain(load.warmUpNanos() / 1e9) + " s for warming up";
        return List.of(
                List.of(
                        "load",
                        connections(plan)
                                + (load.mode().equals("closed")
                                        ? " with " + load.outstanding()
                                                + (load.outstanding() == 1 ? " request" : " requests")
                                                + " outstanding each"
                                        : rate(plan) + ", " + load.arrivals() + " arrivals")
                                + (load.requestsPerConnection() > 0
                                        ? ", made anew after " + load.requestsPerConnection() + " requests"
                                        : "")
                                + (load.workers() > 1 ? ", from " + load.workers() + " processes" : "")),
                List.of("logged", Units.percent(load.loggedShare()) + " of the requests"),
                List.of(
                        "length",
                        (load.requests() > 0
                                        ? Units.count(load.requests()) + " requests counted"
                                        : Units.plain(load.durationNanos() / 1e9) + " s counted")
                                + warmUp + ", in " + plan.blocks() + " stretches"));
    }

    private static String connections(Results.Plan plan) {
        return plan.loadModel() + " loop, " + Units.count(plan.connections())
                + (plan.connections() == 1 ? " connection" : " connections");
    }

    private static String rate(Results.Plan plan) {
        return plan.ratePerSecond() > 0 ? ", " + Units.plain(plan.ratePerSecond()) + " requests/s" : "";
    }
}
