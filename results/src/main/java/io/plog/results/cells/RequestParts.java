package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.ForceLabel;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Samples;
import io.plog.protocol.ServiceKind;
import java.util.List;

/** The parts of the latency of each request of a cell. */
final class RequestParts {
    /** What a target says that executes nothing during its force. */
    private static final String AFTER_FORCE = "after the force";

    private final Samples samples;
    private final boolean executesOnPath;
    private final boolean open;
    private final boolean unread;

    /**
     * Reads nothing yet.
     *
     * @param open whether requests had intended times
     * @param unread whether requests may wait unread for an event loop that blocks
     */
    RequestParts(RunInfo.Target target, Samples samples, boolean open, boolean unread) {
        this.samples = samples;
        this.open = open;
        this.unread = unread;
        executesOnPath = target.forceLabel().equals(ForceLabel.OFF)
                || ServiceKind.ofLabel(target.facts().getOrDefault("service", ""))
                        .filter(ServiceKind::isOrdered)
                        .isPresent()
                || target.facts().getOrDefault("executes", "").equals(AFTER_FORCE);
    }

    /** What the parts are called. */
    List<String> names() {
        return LatencyPart.names(unread);
    }

    /** When the request began: its intended time if there are any, else when it was sent. */
    long beginNanos(int sample) {
        return samples.get(open ? Column.INTENDED : Column.SENT, sample);
    }

    /** When its reply had arrived. */
    long endNanos(int sample) {
        return samples.get(Column.SENT, sample) + samples.get(Column.END_TO_END, sample);
    }

    /** From the beginning to the end. */
    long latencyNanos(int sample) {
        return endNanos(sample) - beginNanos(sample);
    }

    /** In the order of {@link LatencyPart}; their sum is {@link #latencyNanos}. */
    long[] of(int sample) {
        return LatencyPart.nanos(samples, sample, beginNanos(sample), executesOnPath);
    }
}
