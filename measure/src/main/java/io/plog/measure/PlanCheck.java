package io.plog.measure;

import io.plog.host.Build;
import io.plog.host.ClientFacts;
import io.plog.measure.plan.Grid;
import io.plog.measure.samples.RunInfo;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import io.plog.stats.text.ClosestName;
import java.time.Instant;
import java.util.List;

/** Checks a plan against the server's description of itself, before anything is measured. Stateless. */
public final class PlanCheck {
    private PlanCheck() {}

    /**
     * The targets that the plan means, in the server's order.
     *
     * @throws PlanException if the server lacks one
     */
    static List<TargetDescription> targets(Grid plan, Welcome welcome) throws PlanException {
        for (String name : plan.targets()) {
            target(name, welcome);
        }
        if (welcome.targets().isEmpty()) {
            throw new PlanException("the server has no targets; start it with --log NAME=DIR or --unlogged");
        }
        return welcome.targets().stream()
                .filter(target -> plan.targets().isEmpty() || plan.targets().contains(target.name()))
                .toList();
    }

    /**
     * The target with this name.
     *
     * @throws PlanException if the server lacks it
     */
    public static TargetDescription target(String name, Welcome welcome) throws PlanException {
        List<String> names =
                welcome.targets().stream().map(TargetDescription::name).toList();
        if (names.contains(name)) {
            return welcome.targets().get(names.indexOf(name));
        }
        throw new PlanException("the server has no target '" + name + "'"
                + ClosestName.to(name, names)
                        .map(near -> " (did you mean '" + near + "'?)")
                        .orElse("")
                + "; it has " + String.join(", ", names)
                + (names.contains("off") ? "" : " (and 'off' when started with --unlogged)"));
    }

    /**
     * Checks the sizes against the server's limit.
     *
     * @throws PlanException if one is over it
     */
    static void sizes(Grid plan, Welcome welcome) throws PlanException {
        for (int size : plan.sizesBytes()) {
            if (size > welcome.maxPayloadBytes()) {
                throw new PlanException("size " + size + " is over the server's limit of " + welcome.maxPayloadBytes()
                        + " bytes; measure smaller ones, or raise the server's limit");
            }
        }
    }

    /** The run as it stands at the beginning of its sample file. */
    static RunInfo describe(MeasureOrder order, Welcome welcome, List<TargetDescription> targets, boolean loopback) {
        Grid plan = order.plan();
        List<String> names = targets.stream().map(TargetDescription::name).toList();
        return new RunInfo(
                Build.current().version(),
                Instant.now(),
                order.command(),
                plan.of(names),
                ClientFacts.collect(loopback),
                welcome.facts(),
                targets.stream()
                        .map(t -> new RunInfo.Target(t.id(), t.name(), t.force(), t.facts()))
                        .toList());
    }
}
