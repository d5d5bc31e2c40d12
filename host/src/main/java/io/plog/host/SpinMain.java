package io.plog.host;

import java.io.IOException;
import java.io.InputStream;

/**
 * The process of {@link AwakeProcessors}: a thread for each processor that has nothing to do and never sleeps. It ends when its
 * standard input ends, and so with the process that started it, whatever becomes of that.
 */
final class SpinMain {
    /** Pauses between two offers of the processor, about a microsecond: a thread that can run waits for no longer. */
    private static final int PAUSES = 40;

    private SpinMain() {}

    /**
     * Spins until standard input ends.
     *
     * @param args one: the number of threads
     */
    public static void main(String[] args) throws IOException {
        int threads = Integer.parseInt(args[0]);
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(SpinMain::spin, "plog-awake-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        awaitEnd(System.in);
    }

    private static void awaitEnd(InputStream in) throws IOException {
        while (in.read() >= 0) {
            // No report at all.
        }
    }

    /**
     * The offers matter. A thread that yields gives way to any other, of whatever priority, and the threads of a log and the event
     * loops yield while they look for work: without an offer in return each of them would wait for the next tick of the scheduler.
     */
    @SuppressWarnings("ThreadPriorityCheck") // not for correctness: a thread with work is to run at once
    private static void spin() {
        while (true) {
            for (int i = 0; i < PAUSES; i++) {
                Thread.onSpinWait();
            }
            Thread.yield();
        }
    }
}
