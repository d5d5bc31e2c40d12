package io.plog.measure;

/**
 * A plan that cannot be run: its file is wrong, or the server cannot do what it asks for (a target that it lacks, a size over its
 * limit). Nothing was measured.
 */
public final class PlanException extends Exception {
    /** With a sentence for the user. */
    public PlanException(String message) {
        super(message);
    }
}
