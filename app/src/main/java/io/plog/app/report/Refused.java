package io.plog.app.report;

/** An expected failure of a command: one line for the user, and the exit code. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1;
    private final int code;

    Refused(int code, String sentence) {
        super(sentence, null, false, false);
        this.code = code;
    }

    int code() {
        return code;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
