package io.plog.log.bookkeeper;

import io.plog.log.Append;
import io.plog.log.LogException;
import java.util.concurrent.CompletableFuture;

/** An append whose outcome is a future. */
final class FutureAppend extends Append {
    private final CompletableFuture<Long> future = new CompletableFuture<>();

    CompletableFuture<Long> future() {
        return future;
    }

    @Override
    protected void onDurable() {
        future.complete(index());
    }

    @Override
    protected void onFailed(LogException cause) {
        future.completeExceptionally(cause);
    }
}
