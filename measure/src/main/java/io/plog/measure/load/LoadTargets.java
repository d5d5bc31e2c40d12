package io.plog.measure.load;

import io.plog.measure.plan.Load;
import io.plog.measure.samples.ForceLabel;
import io.plog.measure.samples.RunInfo;
import io.plog.protocol.TargetDescription;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a load run names what it measures. Read-only requests wait for no disk, so their figures are kept apart: they stand as a
 * target of their own, {@code NAME/read-only}, which is not logged. Stateless.
 */
public final class LoadTargets {
    /** A fact of what stands for read-only requests: the name of the server's target. */
    public static final String SERVER_TARGET = "serverTarget";

    /** A target's fact that says whether it takes read-only requests. */
    static final String READ_ONLY_FACT = "readOnlyRequests";

    /** A target's number is 16 bits wide in the protocol, so this is none. */
    private static final int READ_ONLY = 1 << 16;

    private LoadTargets() {}

    /** The number that stands for a target's read-only requests. */
    static int readOnly(int targetId) {
        return targetId | READ_ONLY;
    }

    static RunInfo.Target logged(TargetDescription target) {
        return new RunInfo.Target(target.id(), target.name(), target.force(), target.facts());
    }

    static RunInfo.Target readOnly(TargetDescription target) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(SERVER_TARGET, target.name());
        facts.put("requests", "read-only: executed without being logged");
        String service = target.facts().get("service");
        if (service != null) {
            facts.put("service", service);
        }
        return new RunInfo.Target(readOnly(target.id()), target.name() + Load.READ_ONLY, ForceLabel.OFF.text(), facts);
    }
}
