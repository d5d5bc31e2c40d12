package io.plog.report.chart;

import io.plog.report.figure.Fill;
import io.plog.report.figure.Fill.Hatch;
import java.util.Map;

/** Colour and pattern of each part of a latency, the same in every report. Stateless. */
public final class PartPalette {
    private static final Map<String, Fill> PARTS = Map.of(
            "schedule lag", new Fill("#e7c4cf", Hatch.NONE),
            "network and client", new Fill("#b9c2cc", Hatch.NONE),
            "waiting", new Fill("#7a5ea8", Hatch.RISING),
            "batch wait", new Fill("#b892d6", Hatch.DOTS),
            "write", new Fill("#e69f00", Hatch.FALLING),
            "force", new Fill("#0072b2", Hatch.NONE),
            "execution", new Fill("#00855f", Hatch.LYING),
            "reply", new Fill("#8b949e", Hatch.RISING),
            "rest of the server", new Fill("#8b949e", Hatch.RISING));

    private PartPalette() {}

    /** That of a part by its name in the results; one of its own for a name that is not known. */
    public static Fill of(String part) {
        return PARTS.getOrDefault(part, new Fill("#d5d9de", Hatch.DOTS));
    }
}
