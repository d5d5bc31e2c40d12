package io.plog.measure.ledger;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A ledger cannot be written or forced, or holds what no client writes. What was acknowledged since the last force may be
 * missing in it, so a program that relies on it must stop. The message is one line for people.
 */
public final class LedgerException extends IOException {
    LedgerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
