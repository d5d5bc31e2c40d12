package io.plog.server.targets;

import io.plog.server.monitoring.ServerNotices;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the checkpoints of a target's log are saved and its records dropped. Says a line when that fails, one when the reason is
 * another one, and one when it is over. A target for which it fails long, or whose log outgrows its bound meanwhile, is not ready:
 * its disk fills up, and its next start takes longer and longer. Safe for any thread.
 */
final class CheckpointHealth {
    private static final int MOST_TIMES_THE_BOUND = 2;
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final String target;
    private final long boundBytes;
    private final ServerNotices notices;
    private final LongSupplier nanoClock;

    private @Nullable String failing; // what fails and why, a sentence without its end; guarded by this
    private long since; // guarded by this

    /** @param boundBytes of the log, 0 for none */
    CheckpointHealth(String target, long boundBytes, ServerNotices notices, LongSupplier nanoClock) {
        this.target = target;
        this.boundBytes = boundBytes;
        this.notices = notices;
        this.nanoClock = nanoClock;
    }

    /** A checkpoint could not be saved, or one was saved and the records before it could not be dropped. */
    synchronized void failed(boolean saved, Throwable cause, boolean isTriedAgain) {
        String what = (saved
                        ? "records that its checkpoint covers cannot be dropped (" + LogSpace.reasonOf(cause)
                                + "), so its log grows"
                        : "no checkpoint can be saved (" + LogSpace.reasonOf(cause) + "); the one before is still good")
                + (isTriedAgain ? ". It is tried again each second" : "");
        if (failing == null) {
            since = nanoClock.getAsLong();
        }
        if (!Objects.equals(failing, what)) {
            failing = what;
            String sentence = "target " + target + ": " + what;
            if (!(cause instanceof IOException)) { // not foreseen
                notices.say(sentence, cause);
            } else {
                notices.say(sentence);
            }
        }
    }

    /** A checkpoint was saved, and what is not to be kept was dropped. */
    synchronized void succeeded() {
        if (failing != null) {
            failing = null;
            notices.say("target " + target + ": its checkpoints are saved and its records dropped again");
        }
    }

    /** Whether the last try failed. */
    synchronized boolean isFailing() {
        return failing != null;
    }

    /** What is wrong, a part of a sentence; {@code null} if nothing is, or not for long. */
    synchronized @Nullable String problem(long logBytes) {
        if (failing == null) {
            return null;
        }
        if (boundBytes > 0 && logBytes / MOST_TIMES_THE_BOUND > boundBytes) {
            return String.format(
                    Locale.ROOT,
                    "the log of target %s takes %d bytes, %.1f times its bound (retain) of %d: %s",
                    target,
                    logBytes,
                    (double) logBytes / boundBytes,
                    boundBytes,
                    failing);
        }
        long nanos = nanoClock.getAsLong() - since;
        return nanos <= LONG_NANOS
                ? null
                : "target " + target + " has had no checkpoint, or dropped nothing, for "
                        + TimeUnit.NANOSECONDS.toSeconds(nanos) + " s although it was due: " + failing;
    }
}
