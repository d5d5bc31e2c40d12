package io.plog.server.options;

/** How many bytes all connections of a server may hold together: the least, and the default. */
public final class BufferBounds {
    /** The fourth part is for frames that end what they began. */
    public static final int PART_FOR_ENDING = 4;

    /** This many of the longest frames must fit in: then one with its reply fits into that part. */
    private static final int LEAST_FRAMES = 2 * PART_FOR_ENDING;

    private static final long DEFAULT_BYTES = 256L << 20;

    private BufferBounds() {}

    /** The least bound that a server with frames up to this length can have. */
    static long leastBytes(long frameBytes) {
        return LEAST_FRAMES * frameBytes;
    }

    /**
     * The bound of a server that was not given one: 256 MiB, but no more than half of the direct memory, and no less than the
     * least.
     *
     * @param frameBytes the longest frame
     * @param directBytes how much direct memory the JVM may have
     */
    public static long defaultBytes(long frameBytes, long directBytes) {
        return Math.max(Math.min(DEFAULT_BYTES, directBytes / 2), leastBytes(frameBytes));
    }
}
