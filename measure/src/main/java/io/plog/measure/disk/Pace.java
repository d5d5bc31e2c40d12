package io.plog.measure.disk;

/**
 * Divides the time that is left over the blocks that are left. What a block took beyond its turns' time (a turn ends after
 * a group, never within one) is expected of the next one, too. Times are nanoseconds.
 */
final class Pace {
    private final long end;
    private final int blocks;
    private final long weights;
    private int done;
    private double unit;
    private double beyond;

    /**
     * @param now the clock's time now
     * @param end when all blocks should be done
     * @param weights of all turns of a block together
     */
    Pace(long now, long end, int blocks, long weights) {
        this.end = end;
        this.blocks = blocks;
        this.weights = weights;
        unit = unit(now);
    }

    private double unit(long now) {
        return Math.max(0, ((double) (end - now) / (blocks - done) - beyond) / weights);
    }

    /** How long a turn of this weight may take; 0 for a single group. */
    long turnNanos(int weight) {
        return (long) (unit * weight);
    }

    /** Tells that a block is done, and whether there is time for another. */
    boolean another(long began, long now) {
        done++;
        beyond = Math.max(0, now - began - unit * weights);
        if (done == blocks || end - now < beyond) {
            return false;
        }
        unit = unit(now);
        return true;
    }
}
