package io.plog.measure.samples;

/**
 * Names a cell of the experiment: what is measured again and again under equal conditions.
 *
 * @param targetId the target's number in the protocol; its name is in {@link RunInfo#targets()}
 * @param payloadBytes the payload size, at least 0
 */
public record CellKey(int targetId, int payloadBytes) implements Comparable<CellKey> {
    /** By target, then by size. */
    @Override
    public int compareTo(CellKey other) {
        int byTarget = Integer.compare(targetId, other.targetId);
        return byTarget != 0 ? byTarget : Integer.compare(payloadBytes, other.payloadBytes);
    }
}
