package io.plog.host;

import java.util.Locale;
import java.util.Map;

/** What a client that measures tells about its machine, its JVM and its clock. Stateless. */
public final class ClientFacts {
    private static final int CLOCK_READS = 200_000;

    private ClientFacts() {}

    /**
     * {@link MachineFacts}, the way to the server, and the clock; takes some tens of milliseconds, in which the clock is measured.
     *
     * @param loopback whether the server is reached over this machine's loopback
     */
    public static Map<String, String> collect(boolean loopback) {
        Map<String, String> facts = MachineFacts.collect();
        facts.put("network", loopback ? "loopback" : "remote");
        measureClock(facts);
        return facts;
    }

    /** The smallest step seen between two reads, and what a read costs on average. */
    private static void measureClock(Map<String, String> facts) {
        long least = Long.MAX_VALUE;
        long begin = System.nanoTime();
        long before = begin;
        for (int i = 0; i < CLOCK_READS; i++) {
            long now = System.nanoTime();
            if (now > before) {
                least = Math.min(least, now - before);
            }
            before = now;
        }
        facts.put("clockStepNanos", String.valueOf(least));
        facts.put("clockCostNanos", String.format(Locale.ROOT, "%.1f", (before - begin) / (double) CLOCK_READS));
    }
}
