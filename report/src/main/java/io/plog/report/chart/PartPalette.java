package io.plog.report.chart;

import io.plog.report.figure.Fill;
import io.plog.report.figure.Fill.Hatch;
import java.util.Map;

/** Colour and pattern of each part of a latency, the same in every report. Stateless. */
public final class PartPalette {
    private static final Fill NETWORK = new Fill("#b9c2cc", Hatch.NONE);

    private static final Map<String, Fill> PARTS = Map.ofEntries(
            Map.entry("schedule lag", new Fill("#e7c4cf", Hatch.NONE)),
            Map.entry("network and client", NETWORK),
            // What a loop that forces leaves unread cannot be told from the network, hence the same colour with a
            // hatch.
            Map.entry("unread or network", new Fill("#b9c2cc", Hatch.FALLING)),
            Map.entry("network", NETWORK),
            Map.entry("service", new Fill("#0072b2", Hatch.NONE)),
            Map.entry("waiting", new Fill("#7a5ea8", Hatch.RISING)),
            Map.entry("batch wait", new Fill("#b892d6", Hatch.DOTS)),
            Map.entry("write", new Fill("#e69f00", Hatch.FALLING)),
            Map.entry("force", new Fill("#0072b2", Hatch.NONE)),
            Map.entry("execution", new Fill("#00855f", Hatch.LYING)),
            Map.entry("reply", new Fill("#8b949e", Hatch.RISING)),
            Map.entry("rest of the server", new Fill("#8b949e", Hatch.RISING)));

    private PartPalette() {}

    /** That of a part by its name in the results; one of its own for a name that is not known. */
    public static Fill of(String part) {
        return PARTS.getOrDefault(part, new Fill("#d5d9de", Hatch.DOTS));
    }
}
