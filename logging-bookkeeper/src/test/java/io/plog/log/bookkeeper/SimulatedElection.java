package io.plog.log.bookkeeper;

import io.plog.log.spi.HolderElection;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A queue without ZooKeeper. For any thread. */
final class SimulatedElection implements HolderElection {
    private final List<Waiting> queue = new ArrayList<>(); // guarded by this

    private boolean refusing; // guarded by this
    private boolean doubting; // guarded by this

    @Override
    public synchronized Place join(String self, Duration notice) throws IOException {
        if (refusing) {
            throw new LogException("no ZooKeeper answers", new IOException("refused"));
        }
        Waiting place = new Waiting(self, notice);
        queue.add(place);
        notifyAll();
        return place;
    }

    synchronized List<String> servers() {
        return queue.stream().map(each -> each.self).toList();
    }

    synchronized void doubt(boolean now) {
        doubting = now;
    }

    synchronized void refuse(boolean now) {
        refusing = now;
    }

    /** The first counts as gone; it lives, so it joins again, at the end. */
    synchronized void forgetFirst() {
        queue.add(queue.remove(0));
        notifyAll();
    }

    private final class Waiting implements Place {
        private final String self;
        private final Duration notice;

        Waiting(String self, Duration notice) {
            this.self = self;
            this.notice = notice;
        }

        @Override
        public boolean awaitTurn(Duration atMost) throws IOException, InterruptedException {
            long deadline = System.nanoTime() + atMost.toNanos();
            synchronized (SimulatedElection.this) {
                while (queue.indexOf(this) > 0 && deadline - System.nanoTime() > 0) {
                    SimulatedElection.this.wait(1);
                }
                if (!queue.contains(this)) {
                    throw new IOException("the place was given up");
                }
                return queue.get(0) == this;
            }
        }

        @Override
        public boolean isSurelyFirst() {
            synchronized (SimulatedElection.this) {
                return !doubting && !queue.isEmpty() && queue.get(0) == this;
            }
        }

        @Override
        public String holder() {
            synchronized (SimulatedElection.this) {
                return queue.isEmpty() ? "" : queue.get(0).self;
            }
        }

        @Override
        public boolean isWaitedFor() {
            synchronized (SimulatedElection.this) {
                return queue.contains(this) && queue.get(queue.size() - 1) != this;
            }
        }

        @Override
        public Duration notice() {
            return notice;
        }

        @Override
        public void close() {
            synchronized (SimulatedElection.this) {
                queue.remove(this);
                SimulatedElection.this.notifyAll();
            }
        }
    }
}
