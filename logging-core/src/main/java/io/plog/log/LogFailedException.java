package io.plog.log;

/**
 * A write or a force failed and the log is failed for good: what the device holds is unknown until the log is opened
 * again. Every append that was waiting ends with this exception and the first cause; nothing is acknowledged afterwards.
 */
public final class LogFailedException extends LogException {
    private static final long serialVersionUID = 1L;

    LogFailedException(String message) {
        super(message);
    }

    LogFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Always {@code true}: the bytes may have reached the device before the failure. */
    @Override
    public boolean isIndeterminate() {
        return true;
    }
}
