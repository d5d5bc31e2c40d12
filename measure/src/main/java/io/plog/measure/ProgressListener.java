package io.plog.measure;

import java.util.Locale;

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
     * @param text for people, without a line's end
     * @param secondsLeft until its end, with the rest of a warm-up at its longest; negative if it is not known
     * @param secondsWarmUp of which the warm-up takes
     * @param secondsCounted and what is counted
     */
    record Progress(long done, long total, String text, long secondsLeft, long secondsWarmUp, long secondsCounted) {
        /** Without a time. */
        public Progress(long done, long total, String text) {
            this(done, total, text, -1, 0, 0);
        }

        /** The same as a part of a run of several equal ones, from 0, of which some warm up at once; the name precedes the text. */
        public Progress inPart(int part, int parts, int atOnce, String name) {
            long after = (parts - 1 - part) * secondsCounted + ((parts - 1) / atOnce - part / atOnce) * secondsWarmUp;
            return new Progress(
                    part * total + done,
                    parts * total,
                    name + text,
                    secondsLeft < 0 ? secondsLeft : secondsLeft + after,
                    secondsWarmUp,
                    secondsCounted);
        }

        /** The text with the time that is left. */
        public String line() {
            String format = secondsLeft < 0 ? "%s" : secondsLeft < 3600 ? "%s  %d:%02d min left" : "%s  %d:%02d h left";
            long large = secondsLeft < 3600 ? secondsLeft / 60 : secondsLeft / 3600;
            return String.format(
                    Locale.ROOT, format, text, large, (secondsLeft < 3600 ? secondsLeft : secondsLeft / 60) % 60);
        }
    }
}
