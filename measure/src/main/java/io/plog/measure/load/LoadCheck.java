package io.plog.measure.load;

import io.plog.measure.PlanCheck;
import io.plog.measure.PlanException;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import io.plog.stats.text.ByteSize;

/** Checks a load against the server's description of itself, before anything is sent. Stateless. */
final class LoadCheck {
    private LoadCheck() {}

    /**
     * The target that the plan means.
     *
     * @throws PlanException if the server lacks it, takes no read-only requests there, or no payload of this size
     */
    static TargetDescription target(LoadPlan plan, Welcome welcome) throws PlanException {
        TargetDescription target = PlanCheck.target(plan.target(), welcome);
        if (plan.hasReadOnly() && !"yes".equals(target.facts().get(LoadTargets.READ_ONLY_FACT))) {
            throw new PlanException("the workload has read-only requests, and the server takes none for target '"
                    + target.name() + "' (its service is '"
                    + target.facts().getOrDefault("service", "unknown")
                    + "'); choose --workload 100%, another target, or a server whose service takes them");
        }
        if (plan.mix.mostBytes() > welcome.maxPayloadBytes()) {
            throw new PlanException("the mix has sizes up to " + plan.mix.mostBytes() + " bytes ("
                    + ByteSize.format(plan.mix.mostBytes()) + "), over the server's limit of "
                    + welcome.maxPayloadBytes() + "; choose smaller ones, or start the server with --max-payload "
                    + ByteSize.format(plan.mix.mostBytes()));
        }
        return target;
    }
}
