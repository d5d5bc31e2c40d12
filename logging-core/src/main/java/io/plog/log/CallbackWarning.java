package io.plog.log;

import java.util.Locale;

/** The words for a callback that does not return. */
final class CallbackWarning {
    private static final int MOST_FRAMES = 12;

    private CallbackWarning() {}

    static String of(long nanos, Thread thread) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "a callback of the log has not returned for %.1f s on thread %s; until it does, no append is given its"
                        + " outcome. It is here:",
                nanos / 1e9,
                thread.getName()));
        StackTraceElement[] frames = thread.getStackTrace();
        for (int i = 0; i < Math.min(frames.length, MOST_FRAMES); i++) {
            text.append(i == 0 ? " " : " < ").append(frames[i]);
        }
        return text.toString();
    }
}
