package io.plog.measure.ledger;

import java.io.IOException;

/** A ledger holds something that no client writes. The message is one line for people and says all of this. */
public final class LedgerFormatException extends IOException {
    private static final long serialVersionUID = 1;

    private final String ledger;
    private final long line;
    private final String expected;
    private final String found;

    LedgerFormatException(String ledger, long line, String expected, String found) {
        super("ledger " + ledger + ", line " + line + ": expected " + expected + ", found " + found);
        this.ledger = ledger;
        this.line = line;
        this.expected = expected;
        this.found = found;
    }

    /** The ledger's name. */
    public String ledger() {
        return ledger;
    }

    /** The line, from 1. */
    public long line() {
        return line;
    }

    /** What should stand there. */
    public String expected() {
        return expected;
    }

    /** What stands there, its beginning if it is long; bytes that are no visible ASCII characters as {@code \xNN}. */
    public String found() {
        return found;
    }
}
