package io.plog.log.bookkeeper;

/**
 * Over how many bookies a ledger is spread, how many copies each entry has, and how many of these are forced before the entry
 * counts as stored.
 *
 * @param ensemble at least {@code write}
 * @param write at least {@code ack}
 * @param ack at least 1; more than half of {@code write}, or a takeover could miss what was acknowledged
 */
record Quorum(int ensemble, int write, int ack) {
    static final Quorum DEFAULT = new Quorum(3, 3, 2);
    private static final int MOST = 100;

    Quorum {
        if (ensemble < 1 || ensemble > MOST) {
            throw new IllegalArgumentException("ensemble is " + ensemble + ": expected 1 to " + MOST);
        }
        if (write < 1 || write > ensemble) {
            throw new IllegalArgumentException("write is " + write + ": expected 1 to the ensemble, " + ensemble);
        }
        if (ack < 1 || ack > write || 2 * ack <= write) {
            throw new IllegalArgumentException(
                    "ack is " + ack + ": expected more than half of write, " + write + ", and not more than it");
        }
    }

    /** Over one bookie less; the ensemble must be more than {@code ack}. */
    Quorum withoutOne() {
        return new Quorum(ensemble - 1, Math.min(write, ensemble - 1), ack);
    }

    /** Whether a ledger made now would be better than one on so many bookies, of which so many are left. */
    boolean isSurpassed(int named, long left, long present) {
        return present >= ack && (left < named || named < Math.min(ensemble, present));
    }

    /** How many copies an entry has at least, if so many of the bookies of its ledger are left. */
    static int copies(int write, int named, long left) {
        return (int) Math.max(0, write - (named - left));
    }

    @Override
    public String toString() {
        return "ensemble=" + ensemble + ", write=" + write + ", ack=" + ack;
    }
}
