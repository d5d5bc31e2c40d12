package io.plog.measure.ledger;

import java.io.IOException;

/** A ledger holds something that no client writes. The message is one line for people: which ledger and line, expected and found. */
public final class LedgerFormatException extends IOException {
    private static final long serialVersionUID = 1;

    private final long line;

    LedgerFormatException(String ledger, long line, String expected, String found) {
        super("ledger " + ledger + ", line " + line + ": expected " + expected + ", found " + found);
        this.line = line;
    }

    /** The line, from 1. */
    public long line() {
        return line;
    }
}
