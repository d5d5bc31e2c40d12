package io.plog.server.targets;

import io.plog.log.Checkpoint;
import io.plog.log.DurableLog;
import io.plog.log.LogReader;
import io.plog.server.options.ServerStartException;
import io.plog.server.state.StateMachine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/** Makes a target's state again: from its checkpoint, and from the records behind that. */
final class StateRecovery {
    private final String target;
    private final DurableLog log;
    private final StateMachine machine;

    private StateRecovery(String target, DurableLog log, StateMachine machine) {
        this.target = target;
        this.log = log;
        this.machine = machine;
    }

    /**
     * Restores and replays. When this returns, the machine holds the effect of every record of the log.
     *
     * @param target its name, for messages
     * @param machine in its first state
     * @throws ServerStartException if the checkpoint is not one of this service, records are missing that the state depends
     *     on, or the service fails
     * @throws io.plog.log.LogDamagedException if the log or its checkpoint is damaged
     * @throws IOException if either cannot be read
     */
    static ReplayReport run(String target, DurableLog log, StateMachine machine) throws IOException {
        return new StateRecovery(target, log, machine).run();
    }

    private ReplayReport run() throws IOException {
        long began = System.nanoTime();
        Optional<Checkpoint> checkpoint = log.checkpoint();
        if (checkpoint.isPresent()) {
            restore(checkpoint.get());
        } else {
            checkBeginsWithTheFirstRecord();
        }
        long restored = checkpoint.map(Checkpoint::index).orElse(0L);
        return replay(restored, Math.max(restored + 1, log.firstIndex()), began);
    }

    private ReplayReport replay(long restored, long from, long began) throws IOException {
        long requests = 0;
        long skipped = 0;
        long bytes = 0;
        try (LogReader reader = log.read(from)) {
            while (reader.next()) {
                ByteBuffer record = reader.payload();
                bytes += record.remaining();
                if (replay(reader.index(), record)) {
                    requests++;
                } else {
                    skipped++;
                }
            }
        }
        return new ReplayReport(restored, requests, skipped, bytes, Duration.ofNanos(System.nanoTime() - began));
    }

    private void restore(Checkpoint checkpoint) throws ServerStartException {
        try {
            machine.restore(checkpoint.index(), checkpoint.state());
        } catch (IllegalArgumentException e) {
            throw new ServerStartException(
                    "target " + target + ": its checkpoint at index " + checkpoint.index() + " " + e.getMessage(), e);
        }
    }

    /** A log that was cut without a checkpoint serves a stateless service only; a program that embeds it can make one. */
    private void checkBeginsWithTheFirstRecord() throws ServerStartException {
        if (log.firstIndex() > 1 && !machine.isStateless()) {
            throw new ServerStartException("target " + target + ": its log begins with record " + log.firstIndex()
                    + " and has no checkpoint: the state of the service '"
                    + machine.service().name() + "' depends on the records before. Use another log");
        }
    }

    private boolean replay(long index, ByteBuffer record) throws ServerStartException {
        try {
            return machine.replay(index, record);
        } catch (RuntimeException e) {
            throw new ServerStartException(
                    "target " + target + ": the service '" + machine.service().name() + "' failed at record " + index
                            + " of the log, which it executed before: " + e,
                    e);
        }
    }
}
