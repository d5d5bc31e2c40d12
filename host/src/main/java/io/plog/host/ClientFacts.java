package io.plog.host;

import java.util.Locale;
import java.util.Map;

/** What a client that measures reports of its machine, its JVM and its clock. Stateless. */
public final class ClientFacts {
    /** The way to the server: {@link #LOOPBACK}, or {@link #REMOTE}. */
    public static final String NETWORK = "network";

    public static final String LOOPBACK = "loopback";
    public static final String REMOTE = "remote";

    private static final int CLOCK_READS = 200_000;

    private ClientFacts() {}

    /**
     * {@link MachineFacts}, the way to the server, and the clock; takes some tens of milliseconds, in which the clock is measured.
     *
     * @param loopback whether the server is reached over this machine's loopback
     */
    public static Map<String, String> collect(boolean loopback) {
        Map<String, String> facts = MachineFacts.collect();
        facts.put(NETWORK, loopback ? LOOPBACK : REMOTE);
        long begin = System.nanoTime();
        facts.put("clockStepNanos", String.valueOf(clockStepNanos(CLOCK_READS)));
        double costNanos = (System.nanoTime() - begin) / (double) CLOCK_READS;
        facts.put("clockCostNanos", String.format(Locale.ROOT, "%.1f", costNanos));
        return facts;
    }

    /** Whether these facts of a client say that its server was reached over the loopback. */
    public static boolean isOverLoopback(Map<String, String> client) {
        return LOOPBACK.equals(client.get(NETWORK));
    }

    /** The least step of {@link System#nanoTime} seen between two of so many reads. */
    public static long clockStepNanos(int reads) {
        long least = Long.MAX_VALUE;
        long before = System.nanoTime();
        for (int i = 0; i < reads; i++) {
            long now = System.nanoTime();
            if (now > before) {
                least = Math.min(least, now - before);
            }
            before = now;
        }
        return least;
    }
}
