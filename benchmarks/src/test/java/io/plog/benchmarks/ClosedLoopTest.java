package io.plog.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.benchmarks.journal.Journal;
import io.plog.benchmarks.journal.Pending;
import io.plog.benchmarks.result.Cell;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60) // a loop that waits for what is never completed
class ClosedLoopTest {
    private static final long LONG = Long.MAX_VALUE / 2;

    /** Completes the oldest append when so many are outstanding as may be, and all of them with the last. */
    private static final class CountingJournal implements Journal {
        private final int outstanding;
        private final int last;
        private final Deque<Pending> waiting = new ArrayDeque<>();
        private int most;
        private int appends;
        private int failAt = -1;

        CountingJournal(int outstanding, int last) {
            this.outstanding = outstanding;
            this.last = last;
        }

        @Override
        public void appendAndWait(ByteBuffer payload) {
            assertThat(payload.remaining()).isEqualTo(payload.capacity());
            payload.position(payload.limit());
            appends++;
        }

        @Override
        public void append(Pending pending) {
            assertThat(pending.payload().remaining()).isEqualTo(10);
            pending.payload().position(10);
            waiting.add(pending);
            most = Math.max(most, waiting.size());
            if (++appends == failAt) {
                pending.fail(new IOException("no"));
                waiting.remove(pending);
                waiting.forEach(Pending::complete);
            } else if (appends == last) {
                waiting.forEach(Pending::complete);
            } else if (waiting.size() == outstanding) {
                waiting.remove().complete();
            }
        }

        @Override
        public void close() {}
    }

    @Test
    void asManyAreOutstandingAsAskedAndNoMore() throws Exception {
        CountingJournal journal = new CountingJournal(4, 100);
        ClosedLoop loop = new ClosedLoop(journal, new Cell(4, 10));
        assertThat(loop.run(100, LONG)).isEqualTo(100);
        assertThat(journal.appends).isEqualTo(100);
        assertThat(journal.most).isEqualTo(4);
    }

    @Test
    void atDepthOneTheBlockingCallIsUsed() throws Exception {
        CountingJournal journal = new CountingJournal(1, 20);
        ClosedLoop loop = new ClosedLoop(journal, new Cell(1, 10));
        assertThat(loop.run(20, LONG)).isEqualTo(20);
        assertThat(journal.appends).isEqualTo(20);
        assertThat(journal.most).isZero();
    }

    @Test
    void anAppendThatFailsEndsTheLoop() {
        CountingJournal journal = new CountingJournal(4, 100);
        journal.failAt = 10;
        ClosedLoop loop = new ClosedLoop(journal, new Cell(4, 10));
        assertThatThrownBy(() -> loop.run(100, LONG))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("no");
    }

    @Test
    void itStopsWhenTheTimeIsOver() throws Exception {
        CountingJournal journal = new CountingJournal(1, 20);
        assertThat(new ClosedLoop(journal, new Cell(1, 10)).run(100, 0)).isLessThan(100);
    }
}
