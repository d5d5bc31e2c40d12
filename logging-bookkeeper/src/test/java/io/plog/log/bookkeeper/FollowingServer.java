package io.plog.log.bookkeeper;

import io.plog.log.Checkpoint;
import io.plog.log.LogReader;
import io.plog.log.spi.LogFollower;
import io.plog.log.storage.LogDamagedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A server of a {@link SimulatedHistory} that follows the log while others write it: it may be killed at any operation, and meets
 * bookies and a ZooKeeper that do not answer.
 */
final class FollowingServer {
    /** Is shown a record; throws if it is another one than it was or will be. */
    interface Shown {
        void record(long index, ByteBuffer payload);
    }

    private final SimulatedCluster cluster;
    private final SimulatedCounts counts;
    private final Shown shown;
    private @Nullable SimulatedStore store;
    private LogFollower follower;
    private long next; // the index behind what it has applied; 0 if it has nothing to go on with

    FollowingServer(SimulatedCluster cluster, SimulatedCounts counts, Shown shown) {
        this.cluster = cluster;
        this.counts = counts;
        this.shown = shown;
        this.follower = newFollower();
    }

    private LogFollower newFollower() {
        return new LedgerFollower("r", () -> store = new SimulatedStore(cluster));
    }

    /** It is killed at that operation, 0 being the next; another takes its place. */
    void killAt(int operation) {
        SimulatedStore now = store;
        if (now != null) {
            now.killAt(operation);
        }
    }

    /** It looks, and applies some of what it finds. */
    void follow(int mostRecords) throws IOException {
        try {
            if (next == 0) {
                LogFollower.Beginning beginning = follower.begin();
                long covered = beginning.checkpoint().map(Checkpoint::index).orElse(0L);
                next = Math.max(covered + 1, beginning.firstIndex());
                counts.followBeginnings.increment();
            }
            try (LogReader reader = follower.read(next)) {
                for (int i = 0; i < mostRecords && reader.next(); i++) {
                    if (reader.index() != next) {
                        throw new AssertionError("followed record " + reader.index() + " instead of " + next);
                    }
                    shown.record(next, reader.payload().duplicate());
                    next++;
                    counts.followed.increment();
                }
            }
        } catch (SimulatedStore.Killed e) {
            follower = newFollower();
            next = 0;
        } catch (LogFollower.StartAnewException | LogReader.RecordsDroppedException e) {
            next = 0;
        } catch (LogDamagedException e) {
            throw e;
        } catch (IOException e) {
            follower.close(); // no server answers
        }
    }

    /** Its state is good for this log, unless records that it lacks were dropped. */
    void check(ReplicatedLog opened) {
        if (next == 0) {
            return;
        }
        boolean good = follower.isBeginningOf(opened, next - 1);
        if (!good && next >= opened.firstIndex()) {
            throw new AssertionError("what was followed up to " + (next - 1) + " is not the beginning of the log, "
                    + opened.firstIndex() + " to " + opened.durableIndex());
        }
        if (good && next < opened.firstIndex()) {
            throw new AssertionError("the records between " + next + " and " + opened.firstIndex() + " are missing");
        }
        (good ? counts.followedTakeovers : counts.followedInVain).increment();
    }
}
