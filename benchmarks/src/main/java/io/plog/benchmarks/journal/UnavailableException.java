package io.plog.benchmarks.journal;

/** A contestant cannot take part on this machine. The message says what is missing, for the reader of the results. */
public final class UnavailableException extends Exception {
    public UnavailableException(String message) {
        super(message);
    }
}
