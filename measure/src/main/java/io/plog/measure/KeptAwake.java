package io.plog.measure;

/**
 * What keeps this machine's processors awake during a run, the same for all its cells.
 *
 * @param pid the process whose processor time goes into it; 0 if there is none
 * @param fact {@code yes: } and how, or {@code no: } and why, as the fact {@value #FACT} of the client
 */
public record KeptAwake(long pid, String fact) {
    /** The fact of the client that says it. */
    public static final String FACT = "keepAwake";

    /** Nothing was asked for. */
    public static final KeptAwake NOTHING = new KeptAwake(0, "no");
}
