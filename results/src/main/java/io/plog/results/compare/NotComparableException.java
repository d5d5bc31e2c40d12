package io.plog.results.compare;

/** The runs cannot be compared or merged. The message names the difference in one line. */
public final class NotComparableException extends Exception {
    NotComparableException(String message) {
        super(message);
    }
}
