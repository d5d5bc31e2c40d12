package io.plog.measure;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;

/**
 * Reads from a socket for a limited time in all: a timeout of the socket's own is for each read, of which a peer that sends byte by
 * byte causes many. For one thread.
 */
final class TimedInput {
    private final Socket socket;
    private final InputStream in;
    private final long deadline;

    /** @param millis from now, at least 1 */
    TimedInput(Socket socket, int millis) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.deadline = System.nanoTime() + 1_000_000L * millis;
    }

    /**
     * Reads so many bytes, or fewer if the peer closes first.
     *
     * @throws SocketTimeoutException if they are not there in time
     */
    byte[] read(int bytes) throws IOException {
        byte[] all = new byte[bytes];
        int count = 0;
        while (count < bytes) {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis < 1) {
                throw new SocketTimeoutException();
            }
            socket.setSoTimeout((int) millis);
            int read = in.read(all, count, bytes - count);
            if (read < 0) {
                return Arrays.copyOf(all, count);
            }
            count += read;
        }
        return all;
    }
}
