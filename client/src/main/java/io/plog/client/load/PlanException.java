package io.plog.client.load;

/** The server cannot do what the plan asks for: a target that it lacks, a size over its limit. Nothing was measured. */
public final class PlanException extends Exception {
    private static final long serialVersionUID = 1;

    PlanException(String message) {
        super(message);
    }
}
