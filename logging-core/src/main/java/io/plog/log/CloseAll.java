package io.plog.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Closes several things. One that fails keeps no other from being closed. */
final class CloseAll {
    private CloseAll() {}

    /**
     * Closes all of them, the last first.
     *
     * @throws IOException the first failure; the others are suppressed
     */
    static void of(List<? extends Closeable> opened) throws IOException {
        if (!opened.isEmpty()) {
            Closeable first = opened.get(0);
            try (first) {
                of(opened.subList(1, opened.size()));
            }
        }
    }

    /** The same after a failure, to which theirs are suppressed. */
    static void after(Throwable failure, List<? extends Closeable> opened) {
        try {
            of(opened);
        } catch (Throwable another) {
            failure.addSuppressed(another);
        }
    }
}
