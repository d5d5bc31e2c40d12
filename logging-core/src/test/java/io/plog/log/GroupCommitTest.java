package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A batch is used again and again, and its lane may fill it again the moment it is free. */
class GroupCommitTest {
    private static final int LANES = 2;

    private final AppendQueue queue = new AppendQueue(16, 1 << 20);
    private final GroupCommit commit = new GroupCommit(
            new AppendNotifier(queue, new LogListener() {}, new BatchMetrics(), new CallbackMonitor()),
            new DiskGate(),
            LANES,
            0);

    /** Without records: there is no file to write. Does between two steps of a thread what another may do there. */
    private static class Watched extends Batch {
        @SuppressWarnings("NullAway") // nothing is written, so neither is looked at
        Watched() {
            super(null, null, new BusyClock(), 8);
        }

        /** As the lane does, when the batch is free. */
        void fill(long turn) {
            done = false;
            inUse = true;
            ticket = turn;
        }
    }

    private void acknowledge(Watched batch, long turn) {
        batch.fill(turn);
        commit.begin(batch);
        batch.skip();
        commit.acknowledgeInOrder();
    }

    /** Otherwise the batches between its turn and the next that it gets would never be acknowledged. */
    @Test
    void aBatchThatIsFilledAgainTheMomentItIsFreeSkipsNoTurn() {
        Watched batch = new Watched() {
            @Override
            void free() {
                super.free();
                fill(100);
            }
        };
        acknowledge(batch, 0);
        assertThat(commit.nextTicket()).isEqualTo(1);
    }

    @Test
    void aBatchIsNotFreeBeforeItsTurnIsOver() {
        long[] next = {-1};
        Watched batch = new Watched() {
            @Override
            void free() {
                next[0] = commit.nextTicket();
                super.free();
            }
        };
        acknowledge(batch, 0);
        assertThat(batch.inUse).isFalse();
        assertThat(next).containsExactly(1);
    }

    /** It was done of its turn before, which says nothing of this one: nothing of it is written yet. */
    @Test
    void aBatchThatIsBeingFilledForTheOldestTurnIsNotAcknowledged() {
        long places = 8;
        Watched reused = new Watched() {
            @Override
            boolean isDone() {
                boolean was = super.isDone();
                if (commit.nextTicket() == places) {
                    fill(places);
                }
                return was;
            }
        };
        acknowledge(reused, 0);
        for (int turn = 1; turn < places; turn++) {
            acknowledge(new Watched(), turn);
        }
        assertThat(commit.nextTicket()).isEqualTo(places);
        commit.acknowledgeInOrder();
        assertThat(commit.nextTicket())
                .as("the oldest that is not acknowledged")
                .isEqualTo(places);
    }
}
