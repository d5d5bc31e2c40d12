package io.plog.benchmarks.journal;

import io.plog.log.LogListener;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import io.plog.log.storage.Force;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Semaphore;

/**
 * plog's own log, with the defaults but for the way of forcing. Where the beginning is dropped, that is done at each change of
 * segment, on a thread of its own, as a service would.
 */
final class PlogJournal extends LogJournal {
    private volatile boolean closed;

    private PlogJournal(MessageLog log, boolean futures) {
        super(log, futures);
    }

    /** @param futures whether to append with a future each */
    static PlogJournal open(Workload workload, Force force, boolean futures) throws IOException {
        Semaphore changes = new Semaphore(0);
        MessageLog log = MessageLog.open(
                LogOptions.in(workload.directory()).withForce(force).withListener(new LogListener() {
                    @Override
                    public void segmentChanged(long segment, long changeNanos) {
                        changes.release();
                    }
                }));
        PlogJournal journal = new PlogJournal(log, futures);
        Thread thread = new Thread(() -> journal.drop(log, workload.retainedRecords(), changes), "retention");
        thread.setDaemon(true);
        thread.start();
        return journal;
    }

    private void drop(MessageLog log, long retainedRecords, Semaphore changes) {
        try {
            while (!closed) {
                changes.acquire();
                log.truncateBefore(Math.max(log.firstIndex(), log.durableIndex() + 1 - retainedRecords));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            if (!closed) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        super.close();
    }
}
