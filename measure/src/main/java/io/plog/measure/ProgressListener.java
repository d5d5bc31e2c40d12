package io.plog.measure;

/** Receives how far a run is, a few times a second, on a thread of the run. */
@FunctionalInterface
public interface ProgressListener {
    /** Ignores everything. */
    ProgressListener NONE = progress -> {};

    /** Must return quickly. An exception ends the reports, not the run. */
    void progress(Progress progress);

    /**
     * How far it is.
     *
     * @param done of {@code total}, in whatever the run counts: requests, or seconds
     * @param total 0 if it is not known
     * @param line for people, without a line's end
     */
    record Progress(long done, long total, String line) {
        /** The same as a part of a run of several equal ones, from 0; the name precedes the line. */
        public Progress inPart(int part, int parts, String name) {
            return new Progress(part * total + done, parts * total, name + line);
        }
    }
}
