package io.plog.log.testing;

import io.plog.log.Append;
import io.plog.log.storage.LogException;
import java.util.function.Consumer;

/** An append whose outcome a test hears of where the log reports it, and in that moment. */
public final class CallbackAppend extends Append {
    private final Consumer<Append> durable;
    private final Consumer<LogException> failed;

    public CallbackAppend(Consumer<Append> durable, Consumer<LogException> failed) {
        this.durable = durable;
        this.failed = failed;
    }

    @Override
    protected void onDurable() {
        durable.accept(this);
    }

    @Override
    protected void onFailed(LogException cause) {
        failed.accept(cause);
    }
}
