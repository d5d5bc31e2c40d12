package io.plog.log.bookkeeper;

import java.io.InterruptedIOException;

/** Holds back the readers of entries until it is opened again. For any thread. */
final class ReadGate {
    private boolean held;
    private int waiting;

    synchronized void hold(boolean now) {
        held = now;
        notifyAll();
    }

    /** Goes through, at once or when the gate is opened. */
    synchronized void pass() throws InterruptedIOException {
        waiting++;
        notifyAll();
        try {
            while (held) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading");
        } finally {
            waiting--;
        }
    }

    /** Returns when somebody is held back. */
    synchronized void awaitReader() throws InterruptedException {
        while (!held || waiting == 0) {
            wait();
        }
    }
}
