package io.plog.measure;

/** Receives the progress of an experiment, a few times a second, on a thread of the experiment. */
@FunctionalInterface
public interface ProgressListener {
    /** Ignores everything. */
    ProgressListener NONE = progress -> {};

    /** Must return quickly. An exception ends the reports, not the experiment. */
    void progress(Progress progress);

    /**
     * How far it is.
     *
     * @param warmup whether what runs now is not counted
     * @param done requests of the trial answered so far, warm-up included
     * @param total requests of the trial that there will be, warm-up included
     * @param perSecond requests a second since the trial's start
     * @param leftMillis how long the trial will take at that rate
     * @param target the name of the target under way
     * @param payloadBytes the size under way
     * @param block the block under way, from 1; 0 while warming up
     * @param blocks how many blocks there are
     * @param trial the trial under way, from 1
     * @param trials how many trials there are
     */
    record Progress(
            boolean warmup,
            long done,
            long total,
            double perSecond,
            long leftMillis,
            String target,
            int payloadBytes,
            int block,
            int blocks,
            int trial,
            int trials) {

        /** The same, in this of so many trials. */
        public Progress inTrial(int which, int of) {
            return new Progress(
                    warmup, done, total, perSecond, leftMillis, target, payloadBytes, block, blocks, which, of);
        }
    }
}
