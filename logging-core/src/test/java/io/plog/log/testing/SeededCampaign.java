package io.plog.log.testing;

import java.util.SplittableRandom;

/** Many random histories on a few threads, each from a seed of its own. A failure says how to repeat that history alone. */
public final class SeededCampaign {
    /** One history; all of it follows from the seed. */
    public interface History {
        void run(long seed) throws Exception;
    }

    private SeededCampaign() {}

    /**
     * Runs them; after the first that fails, no other begins, and its failure is thrown.
     *
     * @param what they are, to be printed
     * @param seedProperty the system property with the first seed; without it, any
     */
    public static void run(int runs, String what, String seedProperty, History history) {
        run(runs, Runtime.getRuntime().availableProcessors(), what, seedProperty, history);
    }

    /** The same on so many threads. */
    public static void run(int runs, int threads, String what, String seedProperty, History history) {
        long firstSeed = Long.getLong(seedProperty, new SplittableRandom().nextLong());
        System.out.println(runs + " " + what + " from seed " + firstSeed);
        Parallel.forEach(runs, threads, run -> {
            long seed = new SplittableRandom(firstSeed + run).nextLong();
            try {
                history.run(seed);
            } catch (Throwable t) {
                throw new AssertionError(
                        "history " + seed + ", which is the first with -D" + seedProperty + "=" + (firstSeed + run)
                                + ": " + t,
                        t);
            }
        });
    }
}
