package io.plog.app.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * How a plog that another plog started ends in order: when its standard input does, which its parent closes, or which ends with a
 * parent that was killed. Windows has no signal for it.
 */
public final class ParentWatch {
    /** The flag of the JVM that says so. */
    static final String FLAG = "-Dplog.ends.with.input=true";

    private ParentWatch() {}

    /** Whether another plog started this one. */
    public static boolean hasParent() {
        return Boolean.getBoolean("plog.ends.with.input");
    }

    /** From now on this process ends in order with its standard input, and no Ctrl-C ends it, if it was started so. */
    public static void endWithParent() {
        if (!hasParent()) {
            return;
        }
        StopSignals.ignore();
        Thread watch = new Thread(() -> awaitEnd(System.in), "plog-parent");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEnd(InputStream in) {
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // It has ended, too.
        }
        System.exit(ExitCode.DONE.code());
    }
}
