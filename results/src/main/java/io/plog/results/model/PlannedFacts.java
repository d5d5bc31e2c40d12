package io.plog.results.model;

import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Loop;
import io.plog.measure.plan.Mix;
import io.plog.measure.plan.Plan;
import io.plog.measure.plan.Recovery;
import io.plog.measure.plan.SizeShare;
import io.plog.measure.plan.StudyCell;
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
            Plan plan,
            List<Results.Cell> cells,
            Results.Environment environment,
            String startedAt,
            String plogVersion) {
        Map<String, String> facts = ofPlan(plan);
        if (plan instanceof Designs) {
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
    static Map<String, String> ofPlan(Plan plan) {
        Map<String, String> facts = new LinkedHashMap<>();
        String trials = plan.trials() > 1 ? plan.trials() + " trials of " : "";
        if (plan instanceof Grid grid) {
            boolean atMost = grid.warmup().byEvidence();
            facts.put(
                    "load",
                    loop(
                            grid.isScheduled() ? "open" : "closed",
                            grid.connections(),
                            " with 1 request outstanding each",
                            grid.ratePerSecond()));
            facts.put(
                    "each cell",
                    Units.count(grid.iterations()) + " requests counted after " + (atMost ? "at most " : "")
                            + Units.count(grid.warmup().requests()) + " for warming up"
                            + (atMost ? ", fewer if all cells were steady before" : ""));
            facts.put("order", trials + grid.blocks() + " randomised blocks");
            facts.put("sizes", sizes(grid));
        } else if (plan instanceof Load load) {
            facts.put("load", words(load.loop(), load.workers()));
            facts.put("each cell", words(load.span()));
            facts.put("order", load.blocks() + " blocks");
            facts.put("logged", load.loggedShare() == 1 ? "" : Units.percent(load.loggedShare()) + " of the requests");
            facts.put("sizes", mix(load.mix()));
        } else if (plan instanceof Designs study) {
            facts.put("load", words(study.loop(0), 1));
            facts.put("each cell", words(study.span()));
            facts.put("order", trials + study.blocks() + " blocks");
            facts.put("sizes", mix(study.traffic().mix()));
            facts.put("designs", String.join("; ", study.targets()));
        } else if (plan instanceof Recovery) {
            facts.put(
                    "load",
                    counted(Recovery.OUTSTANDING, "request") + " of " + Units.size(Recovery.PAYLOAD_BYTES)
                            + " under way");
            facts.put("order", counted(plan.trials(), "kill") + " of each server, in random order over all logs");
        } else {
            facts.put("order", trials + "at most " + plan.blocks() + " randomised blocks");
            facts.put("sizes", sizes(plan));
        }
        return facts;
    }

    private static String sizes(Plan plan) {
        return plan.sizesBytes().stream().map(Units::size).collect(Collectors.joining(", "));
    }

    private static String words(Load.Span span) {
        return (span.requests() > 0
                        ? Units.count(span.requests()) + " requests"
                        : Units.plain(span.durationNanos() / 1e9) + " s")
                + " counted after " + Units.plain(span.warmUpNanos() / 1e9) + " s for warming up";
    }

    /** The classes of sizes with their shares. */
    public static String mix(Mix mix) {
        return mix.shares().stream()
                .map(size -> sizes(size) + " " + Units.wholePercent(size.share()))
                .collect(Collectors.joining(", "));
    }

    private static String words(Loop loop, int workers) {
        return Stream.of(
                        loop(
                                loop.mode().label(),
                                loop.connections(),
                                loop instanceof Loop.Closed closed
                                        ? " with " + counted(closed.outstanding(), "request") + " outstanding each"
                                        : "",
                                loop.ratePerSecond()),
                        loop instanceof Loop.Scheduled scheduled
                                ? scheduled.arrivals().label() + " arrivals"
                                : "",
                        loop.requestsPerConnection() > 0
                                ? "made anew after " + Units.count(loop.requestsPerConnection()) + " requests"
                                : "",
                        workers > 1 ? "from " + workers + " processes" : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static String loop(String mode, int connections, String outstanding, double ratePerSecond) {
        return mode + " loop, " + counted(connections, "connection") + outstanding
                + (ratePerSecond > 0 ? ", " + Units.plain(ratePerSecond) + " requests/s" : "");
    }

    private static String counted(int count, String what) {
        return Units.count(count) + " " + what + (count == 1 ? "" : "s");
    }

    /** A class of sizes as people read it. */
    public static String sizes(SizeShare size) {
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
