package io.plog.results.compare;

/** The runs cannot be compared or merged. The message names the difference in one line. */
public final class NotComparableException extends Exception {
    private static final long serialVersionUID = 1;

    NotComparableException(String message) {
        super(message);
    }
}
