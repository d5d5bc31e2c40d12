package io.plog.log;

/** Waiting for a thread that must have ended, whatever interrupts come meanwhile. */
final class Joins {
    private Joins() {}

    static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
