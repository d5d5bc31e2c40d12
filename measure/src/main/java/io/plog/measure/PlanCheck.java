package io.plog.measure;

import io.plog.host.ClientFacts;
import io.plog.host.MachineFacts;
import io.plog.measure.samples.RunInfo;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Checks a plan against the server's description of itself, before anything is measured. */
final class PlanCheck {
    /** The fact that says how a side waits, whatever the target; the server has one of the same name. */
    static final String WAITING = "waiting";

    private PlanCheck() {}

    /**
     * The targets that the plan means, in the server's order.
     *
     * @throws PlanException if the server lacks one
     */
    static List<TargetDescription> targets(MeasurePlan plan, Welcome welcome) throws PlanException {
        List<String> names =
                welcome.targets().stream().map(TargetDescription::name).toList();
        for (String name : plan.grid().targets()) {
            if (!names.contains(name)) {
                throw new PlanException("the server has no target '" + name + "'; it has " + String.join(", ", names)
                        + (names.contains("off") ? "" : " (and 'off' when started with --unlogged)"));
            }
        }
        if (names.isEmpty()) {
            throw new PlanException("the server has no targets; start it with --log NAME=DIR or --unlogged");
        }
        return welcome.targets().stream()
                .filter(target ->
                        plan.grid().targets().isEmpty() || plan.grid().targets().contains(target.name()))
                .toList();
    }

    /**
     * Checks the sizes against the server's limit.
     *
     * @throws PlanException if one is over it
     */
    static void sizes(MeasurePlan plan, Welcome welcome) throws PlanException {
        for (int size : plan.grid().sizesBytes()) {
            if (size > welcome.maxPayloadBytes()) {
                throw new PlanException("size " + size + " is over the server's limit of " + welcome.maxPayloadBytes()
                        + " bytes; measure smaller ones, or raise the server's limit");
            }
        }
    }

    /** The run as it stands at the beginning of its sample file. */
    static RunInfo describe(MeasurePlan plan, Welcome welcome, List<TargetDescription> targets, boolean loopback) {
        return new RunInfo(
                MachineFacts.version(),
                Instant.now().toString(),
                plan.command(),
                new RunInfo.Plan(
                        plan.grid().ratePerSecond() > 0 ? "open" : "closed",
                        plan.grid().sizesBytes(),
                        targets.stream().map(TargetDescription::name).toList(),
                        plan.grid().iterations(),
                        plan.grid().trials(),
                        plan.grid().warmup().requests(),
                        plan.grid().warmup().byEvidence(),
                        plan.grid().blocks(),
                        plan.grid().connections(),
                        plan.grid().ratePerSecond(),
                        plan.grid().seed()),
                clientFacts(plan, loopback),
                welcome.facts(),
                targets.stream()
                        .map(t -> new RunInfo.Target(t.id(), t.name(), t.force(), t.facts()))
                        .toList());
    }

    private static Map<String, String> clientFacts(MeasurePlan plan, boolean loopback) {
        Map<String, String> facts = ClientFacts.collect(loopback);
        facts.put(WAITING, "sleeps in the read of the reply");
        facts.put(KeptAwake.FACT, plan.awake().fact());
        return facts;
    }
}
