package io.plog.measure.samples;

/** How many samples the heap of this process can evaluate. A figure is computed from all samples, not from a sketch of them. */
public final class SampleMemory {
    /**
     * What the evaluation of a cell takes at most for each sample: its columns, and a few of them sorted. Twenty million in one cell
     * took 176.
     */
    private static final int BYTES_EACH = 200;

    private static final double USABLE = 0.9;

    private SampleMemory() {}

    /** So many. */
    public static long most() {
        return most(Runtime.getRuntime().maxMemory());
    }

    static long most(long heapBytes) {
        return (long) (USABLE * heapBytes) / BYTES_EACH;
    }

    /** What to say of more, in a clause: how large the heap is, and how it gets larger. */
    public static String advice() {
        long mib = Runtime.getRuntime().maxMemory() >> 20;
        return "which is what a heap of " + mib + " MiB can evaluate; give it more with PLOG_JAVA_OPTS=-Xmx..., "
                + BYTES_EACH + " bytes for each sample";
    }

    /**
     * Looks before it is tried.
     *
     * @param what has them, the beginning of a sentence
     * @throws SampleFileException if they are too many
     */
    public static void check(String what, long samples) throws SampleFileException {
        if (samples > most()) {
            throw new SampleFileException(
                    what + " has " + samples + " samples, more than the " + most() + ", " + advice());
        }
    }
}
