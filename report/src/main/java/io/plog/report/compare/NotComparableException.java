package io.plog.report.compare;

/** What was to be compared or merged does not belong together. The message is one line for people that names what differs. */
public final class NotComparableException extends Exception {
    private static final long serialVersionUID = 1;

    NotComparableException(String message) {
        super(message);
    }
}
