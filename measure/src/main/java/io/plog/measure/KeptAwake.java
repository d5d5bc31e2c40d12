package io.plog.measure;

/**
 * What keeps this machine's processors awake during a run, the same for all its cells.
 *
 * @param pid the process that does ({@link io.plog.host.AwakeProcessors}); 0 if none does
 * @param told how it is done, or why it is not, as the fact {@value #FACT} of the client
 */
public record KeptAwake(long pid, String told) {
    /** The fact of the client that tells it. */
    public static final String FACT = "keepAwake";

    /** Nobody was asked to. */
    public static final KeptAwake NOTHING = new KeptAwake(0, "no");

    /** Whether something keeps them awake. */
    public boolean keeps() {
        return pid != 0;
    }
}
