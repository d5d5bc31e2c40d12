package io.plog.measure.samples;

/**
 * A target's way of forcing, as the server names it and as it stands in sample files and results. A newer server may name
 * one that this version does not know: it counts as one that forces.
 *
 * @param text the label: {@code off}, {@code write}, {@code fdatasync} and so on
 */
public record ForceLabel(String text) {
    /** Nothing is logged. */
    public static final ForceLabel OFF = new ForceLabel("off");

    /** Logged, but handed to the operating system only. */
    public static final ForceLabel WRITE = new ForceLabel("write");

    /** Logged on several machines: enough of them have forced it. */
    public static final ForceLabel QUORUM = new ForceLabel("quorum");

    /** Nobody says whether there is a log: a service that is measured over HTTP. */
    public static final ForceLabel UNKNOWN = new ForceLabel("unknown");

    /** Whether there is a log, as far as is known. */
    public boolean isLogged() {
        return !equals(OFF) && isKnown();
    }

    /** Whether the server says what it does, and for how long. */
    public boolean isKnown() {
        return !equals(UNKNOWN);
    }

    /** Whether the log stops at the operating system's page cache, so that a power cut takes what was acknowledged. */
    public boolean isPageCacheOnly() {
        return equals(WRITE);
    }

    /** Whether an acknowledgement waits until the device was asked to make the record stable. */
    public boolean forces() {
        return isLogged() && !isPageCacheOnly();
    }

    /** Whether it is other machines, or other processes, that force. What they force on is not known to the server. */
    public boolean isForcedElsewhere() {
        return equals(QUORUM);
    }

    @Override
    public String toString() {
        return text;
    }
}
