package io.plog.server.targets;

import io.plog.log.Append;
import io.plog.log.CallerSide;
import io.plog.log.LogFailedException;
import io.plog.server.state.TargetState;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * In place of a target's log while another server holds it: takes nothing. The target's state machine refuses requests before they get
 * here; should one come all the same, it is refused here.
 */
public final class StandbyLog implements RecordLog {
    private final String target;
    private final TargetState machine;
    private volatile String sentence = "";
    private volatile @Nullable FollowedState followed;

    /**
     * Refuses requests from now on.
     *
     * @param target its name, for messages
     * @param machine in its first state
     * @param before the machine that had the log until another server took it over; {@code null} if there was none
     */
    public StandbyLog(String target, TargetState machine, @Nullable TargetState before) {
        this.target = target;
        this.machine = machine;
        sentence = sentence("another server may hold the log");
        if (before == null) {
            machine.standsBy(sentence);
        } else {
            machine.standsByAfter(before, sentence);
        }
    }

    /** Tells why it waits, a part of a sentence. */
    public void because(String why) {
        sentence = sentence(why);
        machine.standsBy(sentence);
    }

    /** Tells how far it is followed. */
    public void follows(FollowedState state) {
        followed = state;
    }

    /** How many records are known to be in the log and not applied here; NaN while nothing of it is. */
    double recordsBehind() {
        FollowedState state = followed;
        return state == null ? Double.NaN : state.recordsBehind();
    }

    private String sentence(String why) {
        return "target " + target + " is a standby: " + why;
    }

    @Override
    public void append(Append append, ByteBuffer... record) {
        CallerSide.refuse(append, new LogFailedException(sentence, null, false, LogFailedException.Reason.FENCED));
    }

    @Override
    public void appendAndWait(Append append, ByteBuffer... record) {
        append(append, record);
    }

    @Override
    public String problem() {
        FollowedState state = followed;
        return state == null ? sentence : sentence + state.progress();
    }

    @Override
    public CheckpointReport checkpoint() throws IOException {
        throw new IOException(sentence);
    }

    @Override
    public void close() {}
}
