package io.plog.app.cli;

/** Ends this process when the plog that started it has ended: a parent that was killed cannot end its children. */
public final class ParentWatch {
    /** The system property that names the process that started this one. */
    static final String PARENT_PROPERTY = "plog.parent.pid";

    private ParentWatch() {}

    /** From now on, this process ends in order when its parent has ended, if {@code plog.parent.pid} names one. */
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
