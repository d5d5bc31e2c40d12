package io.plog.results.model;

import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.RunPlan;
import io.plog.measure.study.StudyCell;
import io.plog.protocol.ServiceKind;
import io.plog.stats.text.Units;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was to be run: the conditions in {@code results.json}, the same of whatever was measured. Stateless. */
public final class PlannedFacts {
    /** Names of those that say what was to be run, for a summary. */
    public static final List<String> OF_THE_PLAN =
            List.of("load", "logged", "each cell", "order", "force", "simulated", "from", "seed");

    private PlannedFacts() {}

    /** In the order of reading. */
    public static List<Results.Fact> of(
            RunPlan plan,
            List<Results.Cell> cells,
            Results.Environment environment,
            String startedAt,
            String plogVersion) {
        Map<String, String> facts = ofPlan(plan);
        if (plan.loadModel().equals(RunPlan.STUDY)) {
            facts.put("designs", String.join("; ", plan.targets()));
            facts.put("force", values(cells, cell -> cell.forceLabel().isLogged() ? cell.force() : ""));
            facts.put("relative loads", values(cells, cell -> cell.dimension(StudyCell.LEVEL)));
            facts.put("absolute rates", values(cells, cell -> cell.dimension(StudyCell.RATE)));
        }
        facts.put("simulated", simulated(environment));
        facts.put("from", environment.client().getOrDefault("mergedFrom", ""));
        facts.put("seed", String.valueOf(plan.seed()));
        facts.put("replies", replies(environment));
        facts.put("started", startedAt);
        facts.put("plog", plogVersion);
        return facts.entrySet().stream()
                .filter(fact -> !fact.getValue().isEmpty())
                .map(fact -> new Results.Fact(fact.getKey(), fact.getValue()))
                .toList();
    }

    /** A fact that says nothing is empty. */
    static Map<String, String> ofPlan(RunPlan plan) {
        Map<String, String> facts = new LinkedHashMap<>();
        RunInfo.Load load = plan.load().isEmpty() ? null : plan.load().get(0);
        boolean requests = !plan.loadModel().equals(RunPlan.APPENDS);
        if (requests) {
            facts.put("load", load(plan));
            facts.put(
                    "each cell",
                    load == null
                            ? Units.count(plan.iterations()) + " requests counted after "
                                    + (plan.warmup().byEvidence() ? "at most " : "")
                                    + Units.count(plan.warmup().requests()) + " for warming up"
                                    + (plan.warmup().byEvidence() ? ", fewer if all cells were steady before" : "")
                            : (load.requests() > 0
                                            ? Units.count(load.requests()) + " requests"
                                            : Units.plain(load.durationNanos() / 1e9) + " s")
                                    + " counted after " + Units.plain(load.warmUpNanos() / 1e9)
                                    + " s for warming up");
        }
        facts.put(
                "order",
                (plan.trials() > 1 ? plan.trials() + " trials of " : "")
                        + (requests ? "" : "at most ")
                        + plan.blocks()
                        + (load == null ? " randomised blocks" : " blocks"));
        if (load != null) {
            facts.put("logged", load.loggedShare() == 1 ? "" : Units.percent(load.loggedShare()) + " of the requests");
        }
        facts.put(
                "sizes",
                load != null && !load.mix().isEmpty()
                        ? mix(load)
                        : plan.sizesBytes().stream().map(Units::size).collect(Collectors.joining(", ")));
        return facts;
    }

    /** The classes of sizes with their shares. */
    public static String mix(RunInfo.Load load) {
        return load.mix().stream()
                .map(size -> sizes(size) + " " + Units.wholePercent(size.share()))
                .collect(Collectors.joining(", "));
    }

    private static String load(RunPlan plan) {
        RunInfo.Load load = plan.load().isEmpty() ? null : plan.load().get(0);
        String mode = load == null ? plan.loadModel() : load.mode();
        int outstanding = load == null ? 1 : load.outstanding();
        boolean times = load != null && !mode.equals("closed");
        return Stream.of(
                        mode + " loop",
                        counted(plan.connections(), "connection")
                                + (times ? "" : " with " + counted(outstanding, "request") + " outstanding each"),
                        plan.ratePerSecond() > 0 ? Units.plain(plan.ratePerSecond()) + " requests/s" : "",
                        load != null && times ? load.arrivals() + " arrivals" : "",
                        load != null && load.requestsPerConnection() > 0
                                ? "made anew after " + Units.count(load.requestsPerConnection()) + " requests"
                                : "",
                        load != null && load.workers() > 1 ? "from " + load.workers() + " processes" : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static String counted(int count, String what) {
        return Units.count(count) + " " + what + (count == 1 ? "" : "s");
    }

    /** A class of sizes as people read it. */
    public static String sizes(RunInfo.SizeShare size) {
        return size.leastBytes() == size.mostBytes()
                ? Units.size(size.leastBytes())
                : Units.size(size.leastBytes()) + " to " + Units.size(size.mostBytes());
    }

    /** Figures of a model must not be read as those of a disk. */
    private static String simulated(Results.Environment environment) {
        String models = environment.targets().stream()
                .map(target -> target.facts().getOrDefault("simulated", ""))
                .filter(model -> !model.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
        return models.isEmpty() ? "" : models + ", whose figures are those of the model and not of a disk";
    }

    private static String values(List<Results.Cell> cells, Function<Results.Cell, String> value) {
        return cells.stream()
                .map(value)
                .filter(each -> !each.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /** What a client checked of them, which depends on the service that answered. */
    private static String replies(Results.Environment environment) {
        String unchecked = environment.targets().stream()
                .filter(target -> ServiceKind.ofLabel(service(target))
                        .filter(ServiceKind::inverts)
                        .isEmpty())
                .map(target -> target.name() + " (service " + service(target) + ")")
                .collect(Collectors.joining(", "));
        boolean known = environment.targets().stream()
                .allMatch(target -> target.forceLabel().isKnown());
        return unchecked.isEmpty()
                ? "every byte was checked"
                : "not checked, but for their " + (known ? "length: " : "status: ") + unchecked;
    }

    private static String service(Results.Target target) {
        return target.facts().getOrDefault("service", ServiceKind.INVERT.label());
    }
}
