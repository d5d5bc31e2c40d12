package io.plog.measure.ledger;

import java.io.IOException;

/**
 * A ledger cannot be written or forced. What was acknowledged since the last force may be missing in it, so a program that
 * relies on it must stop. The message is one line for people.
 */
public final class LedgerException extends IOException {
    private static final long serialVersionUID = 1;

    LedgerException(String message) {
        super(message);
    }

    LedgerException(String message, Throwable cause) {
        super(message, cause);
    }
}
