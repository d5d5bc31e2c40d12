package io.plog.app.cli;

/** Ends a process that another plog has started, once that is gone: killed, it cannot end what it has started. */
public final class ParentWatch {
    /** The system property that names the process that started this one. */
    static final String PARENT_PROPERTY = "plog.parent.pid";

    private ParentWatch() {}

    /** From now on, this process ends in good order when the one that started it is gone, if one is named. */
    public static void endWithParent() {
        Long parent = Long.getLong(PARENT_PROPERTY);
        if (parent == null) {
            return;
        }
        Thread watch = new Thread(() -> awaitEnd(parent), "plog-parent");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEnd(long pid) {
        ProcessHandle.of(pid).ifPresent(parent -> parent.onExit().join());
        System.exit(ExitCode.FAILED.code());
    }
}
