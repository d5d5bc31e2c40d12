package io.plog.server.targets;

import io.plog.log.Checkpoint;
import io.plog.log.DurableLog;
import io.plog.log.LogReader;
import io.plog.server.options.ServerStartException;
import io.plog.server.state.TargetState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes a target's state again: from its checkpoint, and from the records behind that. */
final class StateRecovery {
    private StateRecovery() {}

    /**
     * Restores and replays. When this returns, the machine holds the effect of every record of the log.
     *
     * @param target its name, for messages
     * @param machine in its first state, or as it was followed
     * @param followed the state that a standby has made of the log's beginning; {@code null} if there is none
     * @throws ServerStartException if the checkpoint is not one of this service, records are missing that the state depends
     *     on, or the service fails
     * @throws io.plog.log.storage.LogDamagedException if the log or its checkpoint is damaged
     * @throws IOException if either cannot be read
     */
    static ReplayReport run(
            String target, DurableLog log, TargetState machine, FollowedState.@Nullable Followed followed)
            throws IOException {
        long began = System.nanoTime();
        long restored = log.checkpointIndex();
        long from = followed == null
                ? begin(target, machine, log.checkpoint(), log.firstIndex())
                : followed.lastIndex() + 1;
        long requests = 0;
        long skipped = 0;
        long bytes = followed == null ? 0 : followed.bytes();
        try (LogReader reader = log.read(from)) {
            while (reader.next()) {
                ByteBuffer record = reader.payload();
                bytes += record.remaining();
                if (replay(target, machine, reader.index(), record)) {
                    requests++;
                } else {
                    skipped++;
                }
            }
        }
        return new ReplayReport(
                restored,
                followed == null ? 0 : followed.lastIndex(),
                requests,
                skipped,
                bytes,
                Duration.ofNanos(System.nanoTime() - began));
    }

    /** Restores what the log begins with, and returns the index of the first record that is to be replayed. */
    static long begin(String target, TargetState machine, Optional<Checkpoint> checkpoint, long firstIndex)
            throws ServerStartException {
        if (checkpoint.isEmpty()) {
            checkBeginsWithTheFirstRecord(target, machine, firstIndex);
            return firstIndex;
        }
        long index = checkpoint.get().index();
        try {
            machine.restore(index, checkpoint.get().state());
        } catch (IllegalArgumentException e) {
            throw new ServerStartException(
                    "target " + target + ": its checkpoint at index " + index + " " + e.getMessage(), e);
        }
        return Math.max(index + 1, firstIndex);
    }

    /** A log that was cut without a checkpoint serves a stateless service only; a program that embeds it can make one. */
    private static void checkBeginsWithTheFirstRecord(String target, TargetState machine, long firstIndex)
            throws ServerStartException {
        if (firstIndex > 1 && !machine.isStateless()) {
            throw new ServerStartException("target " + target + ": its log begins with record " + firstIndex
                    + " and has no checkpoint: the state of the service '"
                    + machine.service().name() + "' depends on the records before. Use another log");
        }
    }

    /** Executes a record again; returns whether it was a request. After this threw, the machine is of no use. */
    static boolean replay(String target, TargetState machine, long index, ByteBuffer record)
            throws ServerStartException {
        try {
            return machine.replay(index, record);
        } catch (RuntimeException | Error e) {
            throw new ServerStartException(
                    "target " + target + ": the service '" + machine.service().name() + "' failed at record " + index
                            + " of the log, which it executed before: " + e,
                    e);
        }
    }
}
