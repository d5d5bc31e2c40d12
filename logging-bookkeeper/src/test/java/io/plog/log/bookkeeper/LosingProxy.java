package io.plog.log.bookkeeper;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * The way to a real ZooKeeper, which loses just what it is asked to: a request, or the answer to one. Then the connection ends, as it
 * does when a server or a network fails. It understands as much of the protocol as that takes: each message is its length, and a
 * request is its number, its kind, and the path.
 */
final class LosingProxy implements AutoCloseable {
    /** What is lost of a request. */
    enum Part {
        REQUEST,
        ANSWER
    }

    static final int CREATE = 1;
    static final int SET_DATA = 5;

    private record Loss(int kind, String path, Part part, Runnable before) {}

    private static final Loss NONE = new Loss(0, "", Part.ANSWER, () -> {});

    private final ServerSocket listener;
    private final int target;
    private final Deque<Loss> losses = new ArrayDeque<>(); // guarded by this
    private int lost; // guarded by this

    LosingProxy(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** The next request of this kind for a path is lost in part. */
    void lose(int kind, String path, Part part) {
        lose(kind, path, part, () -> {});
    }

    /**
     * The same, after something else has happened.
     *
     * @param before the connection ends; what was asked for is done then, if the answer is lost
     */
    synchronized void lose(int kind, String path, Part part, Runnable before) {
        losses.add(new Loss(kind, path, part, before));
    }

    /** How many requests were lost in part. */
    synchronized int lost() {
        return lost;
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "losing-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                Connection connection = new Connection(client, server);
                start(connection::requests);
                start(connection::answers);
            } catch (IOException e) {
                // ZooKeeper is gone, or this is closed
            }
        }
    }

    /** The loss that a request calls for, taken from the list; NONE if none. */
    private synchronized Loss take(ByteBuffer request) {
        Loss next = losses.peek();
        if (next == null || request.limit() < 12 || request.getInt(4) != next.kind()) {
            return NONE;
        }
        byte[] path = new byte[Math.min(request.getInt(8), request.limit() - 12)];
        request.get(12, path);
        if (!new String(path, StandardCharsets.UTF_8).equals(next.path())) {
            return NONE;
        }
        lost++;
        return losses.remove();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private final class Connection {
        private final Socket client;
        private final Socket server;
        private final Set<Integer> losing = new HashSet<>(); // guarded by this
        private Runnable before = () -> {}; // guarded by this

        Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void requests() {
            try (DataInputStream in = new DataInputStream(client.getInputStream());
                    DataOutputStream out = new DataOutputStream(server.getOutputStream())) {
                copy(in, out); // who it is
                while (true) {
                    byte[] message = read(in);
                    ByteBuffer request = ByteBuffer.wrap(message);
                    Loss loss = take(request);
                    if (loss != NONE && loss.part() == Part.REQUEST) {
                        loss.before().run();
                        return;
                    } else if (loss != NONE) {
                        synchronized (this) {
                            losing.add(request.getInt(0));
                            before = loss.before();
                        }
                    }
                    write(out, message);
                }
            } catch (IOException e) {
                // one side ended it
            } finally {
                end();
            }
        }

        void answers() {
            try (DataInputStream in = new DataInputStream(server.getInputStream());
                    DataOutputStream out = new DataOutputStream(client.getOutputStream())) {
                copy(in, out);
                while (true) {
                    byte[] message = read(in);
                    synchronized (this) {
                        if (losing.contains(ByteBuffer.wrap(message).getInt(0))) {
                            before.run();
                            return;
                        }
                    }
                    write(out, message);
                }
            } catch (IOException e) {
                // one side ended it
            } finally {
                end();
            }
        }

        private void end() {
            try {
                client.close();
                server.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        private void copy(DataInputStream in, DataOutputStream out) throws IOException {
            write(out, read(in));
        }

        private byte[] read(DataInputStream in) throws IOException {
            byte[] message = new byte[in.readInt()];
            in.readFully(message);
            return message;
        }

        private void write(DataOutputStream out, byte[] message) throws IOException {
            ByteBuffer framed = ByteBuffer.allocate(Integer.BYTES + message.length);
            out.write(framed.putInt(message.length).put(message).array());
            out.flush();
        }
    }
}
