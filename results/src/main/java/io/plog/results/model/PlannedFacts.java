package io.plog.results.model;

import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.RunPlan;
import io.plog.measure.study.StudyCell;
import io.plog.protocol.ServiceKind;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was to be run: the conditions in {@code results.json}. Stateless. */
public final class PlannedFacts {
    /** Names of those that say what was to be run, for a summary. */
    public static final List<String> OF_THE_PLAN =
            List.of("load", "requests per cell", "order", "logged", "length", "force", "each cell", "from", "seed");

    private PlannedFacts() {}

    /** In the order of reading. */
    public static List<Results.Fact> of(
            RunPlan plan,
            List<Results.Cell> cells,
            Results.Environment environment,
            String startedAt,
            String plogVersion) {
        boolean study = plan.loadModel().equals(RunPlan.STUDY);
        String clients = environment.client().get("mergedFrom");
        return Stream.of(
                        study ? ofStudy(plan, cells) : ofPlan(plan),
                        clients == null ? List.<List<String>>of() : List.of(List.of("from", clients)),
                        List.of(List.of("seed", String.valueOf(plan.seed()))),
                        study
                                ? List.<List<String>>of()
                                : List.of(List.of(
                                        "sizes",
                                        plan.sizesBytes().stream()
                                                .map(Units::size)
                                                .collect(Collectors.joining(", ")))),
                        List.of(
                                List.of("replies", replies(environment)),
                                List.of("started", startedAt),
                                List.of("plog", plogVersion)))
                .flatMap(List::stream)
                .map(fact -> new Results.Fact(fact.get(0), fact.get(1)))
                .toList();
    }

    /** What a client checked of them, which depends on the service that answered. */
    private static String replies(Results.Environment environment) {
        String unchecked = environment.targets().stream()
                .filter(target -> ServiceKind.ofLabel(service(target))
                        .filter(ServiceKind::inverts)
                        .isEmpty())
                .map(target -> target.name() + " (service " + service(target) + ")")
                .collect(Collectors.joining(", "));
        return unchecked.isEmpty() ? "every byte was checked" : "not checked, but for their length: " + unchecked;
    }

    private static String service(Results.Target target) {
        return target.facts().getOrDefault("service", ServiceKind.INVERT.label());
    }

    static List<List<String>> ofPlan(RunPlan plan) {
        if (plan.loadModel().equals(RunPlan.APPENDS)) {
            return List.of(
                    List.of("order", plan.blocks() + " randomised blocks at most, each with a turn of every cell"));
        }
        return plan.load().isEmpty() ? ofGrid(plan) : ofLoad(plan);
    }

    private static List<List<String>> ofGrid(RunPlan plan) {
        return List.of(
                List.of("load", connections(plan) + " with one request outstanding each" + rate(plan)),
                List.of(
                        "requests per cell",
                        Units.count(plan.iterations()) + " counted after "
                                + (plan.warmup().byEvidence() ? "at most " : "")
                                + Units.count(plan.warmup().requests())
                                + " for warming up"
                                + (plan.warmup().byEvidence() ? ", fewer if all cells were steady before" : "")),
                List.of(
                        "order",
                        (plan.trials() > 1 ? plan.trials() + " trials of " : "") + plan.blocks()
                                + " randomised blocks"));
    }

    private static List<List<String>> ofLoad(RunPlan plan) {
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

    private static List<List<String>> ofStudy(RunPlan plan, List<Results.Cell> cells) {
        RunInfo.Load load = plan.load().get(0);
        return List.of(
                List.of("designs", String.join("; ", plan.targets())),
                List.of(
                        "force",
                        cells.stream()
                                .filter(cell -> cell.forceLabel().isLogged())
                                .map(Results.Cell::force)
                                .distinct()
                                .collect(Collectors.joining(", "))),
                List.of(
                        "load",
                        load.mode() + " loop, at most " + Units.count(plan.connections()) + " connections"
                                + (load.requestsPerConnection() > 0
                                        ? ", each made anew after " + Units.count(load.requestsPerConnection())
                                                + " requests"
                                        : "")
                                + ", " + load.arrivals() + " arrivals"),
                List.of(
                        "mix of sizes",
                        load.mix().stream()
                                .map(size -> sizes(size) + " " + Units.wholePercent(size.share()))
                                .collect(Collectors.joining(", "))),
                List.of("relative loads", values(cells, StudyCell.LEVEL)),
                List.of("absolute rates", values(cells, StudyCell.RATE)),
                List.of(
                        "each cell",
                        plan.trials() + (plan.trials() == 1 ? " trial" : " trials") + " of "
                                + Units.plain(load.durationNanos() / 1e9) + " s"));
    }

    /** A class of sizes as people read it. */
    public static String sizes(RunInfo.SizeShare size) {
        return size.leastBytes() == size.mostBytes()
                ? Units.size(size.leastBytes())
                : Units.size(size.leastBytes()) + " to " + Units.size(size.mostBytes());
    }

    private static String values(List<Results.Cell> cells, String dimension) {
        String all = cells.stream()
                .map(cell -> cell.dimension(dimension))
                .filter(value -> !value.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? "none" : all;
    }

    private static String connections(RunPlan plan) {
        return plan.loadModel() + " loop, " + Units.count(plan.connections())
                + (plan.connections() == 1 ? " connection" : " connections");
    }

    private static String rate(RunPlan plan) {
        return plan.ratePerSecond() > 0 ? ", " + Units.plain(plan.ratePerSecond()) + " requests/s" : "";
    }
}
