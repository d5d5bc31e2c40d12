package io.plog.app.lab.yours;

import io.plog.app.cli.ChildProcess;
import io.plog.protocol.FrameType;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A server with the service {@code chain}, and before it a proxy that passes frames on, but for what may happen to them. It draws lots in
 * the order in which frames come. Safe for several threads.
 *
 * <p>What may happen: {@code lost} frames, some with their connection; {@code repeated} requests and replies; {@code delayed} ones, which
 * come behind the client's next request; {@code late}: before some replies an earlier one comes once more; {@code pieces}: a frame comes
 * in two; {@code killed}: the server dies before a reply reaches the client, or behind that.
 */
final class FaultyNetwork implements Closeable {
    private static final int STRIKES_ONE_IN = 4;
    private static final int MOST_KILLS = 2; // of a history
    private static final int MOST_FRAME_BYTES = 1 << 20;
    private static final long BETWEEN_PIECES_NANOS = 3_000_000;
    private static final byte[] NONE = {};

    private final Path folder;
    private final ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    private volatile Future<ChildProcess> server; // is done when it runs
    private final AtomicInteger frames = new AtomicInteger(); // from the client, in this history

    private final List<Link> links = new CopyOnWriteArrayList<>();

    // The rest is guarded by this.
    private final List<byte[]> replies = new ArrayList<>(); // of this history
    private Set<String> may = Set.of();
    private SplittableRandom random = new SplittableRandom(0);
    private byte[] held = NONE; // the frame that is delayed
    private boolean isKilling; // when a reply comes
    private int kills;

    /** Starts the server; its log and output go to a folder. */
    FaultyNetwork(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        Files.createDirectory(log());
        server = CompletableFuture.completedFuture(start());
        LogTrial.CALLERS.execute(this::accept);
    }

    private ChildProcess start() throws IOException, InterruptedException {
        return ChildProcess.server(folder, 0, List.of("--log", "main=" + log() + ",service=chain"));
    }

    Path log() {
        return folder.resolve("log");
    }

    /** Where the client connects to. */
    int port() {
        return listener.getLocalPort();
    }

    /** Begins a history. */
    synchronized void begin(Set<String> happening, SplittableRandom lots) {
        cutAll();
        held = NONE;
        replies.clear();
        may = happening;
        random = lots;
        frames.set(0);
        isKilling = false;
        kills = 0;
    }

    /** How many frames came from the client in this history; negative while the server starts. */
    int frames() {
        return server.isDone() ? frames.get() : -1;
    }

    /** Returns when the server runs. */
    ChildProcess awaitServer() throws IOException {
        try {
            return server.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IOException("the server of the lab does not start: " + e.getMessage(), e);
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                connect(listener.accept());
            } catch (IOException e) {
                // The judge has closed it, or the server is just killed.
            }
        }
    }

    private synchronized void connect(Socket client) throws IOException {
        if (!server.isDone()) {
            client.close();
            return;
        }
        client.setTcpNoDelay(true);
        Link link = new Link(
                client,
                new Socket(InetAddress.getLoopbackAddress(), awaitServer().port()));
        links.add(link);
        LogTrial.CALLERS.execute(() -> link.pass(client));
        LogTrial.CALLERS.execute(() -> link.pass(link.server));
    }

    private boolean strikes(String what) {
        return may.contains(what) && random.nextInt(STRIKES_ONE_IN) == 0;
    }

    /** What becomes of a frame; {@code up} to the server. */
    private void pass(Link link, boolean up, byte[] frame) throws IOException {
        frames.addAndGet(up ? 1 : 0);
        FrameType type = FrameType.ofCode(frame[Integer.BYTES]);
        if (strikes("lost")) {
            if (random.nextBoolean()) {
                link.close();
            }
            return;
        }
        if (type == FrameType.REQUEST && may.contains("killed") && kills < MOST_KILLS && random.nextInt(3) == 0) {
            isKilling = true;
        }
        if (type == FrameType.REPLY && isKilling && (kills == 0 || random.nextBoolean())) {
            crash();
            return;
        }
        if (type == FrameType.REPLY && may.contains("late")) {
            if (!replies.isEmpty() && random.nextBoolean()) {
                link.send(false, replies.get(random.nextInt(replies.size())));
            }
            replies.add(frame);
        }
        boolean counts = type == FrameType.REQUEST || type == FrameType.REPLY;
        byte[] before = held;
        if (counts && before.length == 0 && strikes("delayed")) {
            held = frame;
        } else {
            link.send(up, frame);
        }
        if (counts && strikes("repeated")) {
            link.send(up, frame);
        }
        if (type == FrameType.REQUEST && before.length > 0) {
            link.send(FrameType.ofCode(before[Integer.BYTES]) == FrameType.REQUEST, before);
            held = NONE;
        }
        if (type == FrameType.REPLY && isKilling) {
            crash();
        }
    }

    private void crash() throws IOException {
        awaitServer().kill();
        kills++;
        isKilling = false;
        cutAll();
        FutureTask<ChildProcess> starting = new FutureTask<>(this::start);
        server = starting;
        LogTrial.CALLERS.execute(starting);
    }

    private void cutAll() {
        links.forEach(Link::close);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cutAll();
        awaitServer().close();
    }

    /** A connection of the client, and its own one to the server. */
    private final class Link {
        private final Socket client;
        private final Socket server;

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void pass(Socket from) {
            try (from) {
                DataInputStream in = new DataInputStream(from.getInputStream());
                while (true) {
                    int length = in.readInt();
                    if (length < 1 || length > MOST_FRAME_BYTES) {
                        throw new IOException("no frame");
                    }
                    byte[] frame = new byte[Integer.BYTES + length];
                    ByteBuffer.wrap(frame).putInt(length);
                    in.readFully(frame, Integer.BYTES, length);
                    synchronized (FaultyNetwork.this) {
                        if (links.contains(this)) {
                            FaultyNetwork.this.pass(this, from == client, frame);
                        }
                    }
                }
            } catch (IOException e) {
                // One side has closed, or sends what is no frame.
            } finally {
                close();
            }
        }

        void send(boolean up, byte[] frame) throws IOException {
            Socket to = up ? server : client;
            int first = !up && strikes("pieces") ? 1 + random.nextInt(frame.length - 1) : frame.length;
            to.getOutputStream().write(frame, 0, first);
            if (first < frame.length) {
                LockSupport.parkNanos(BETWEEN_PIECES_NANOS);
                to.getOutputStream().write(frame, first, frame.length - first);
            }
        }

        void close() {
            try (client;
                    server) {
                links.remove(this);
            } catch (IOException e) {
                // They are closed all the same.
            }
        }
    }
}
