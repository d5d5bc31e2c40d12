package io.plog.server.state;

import io.plog.server.service.Service;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A target's state at one index of its log, and its form in a checkpoint, which {@code docs/checkpoint-format.md} specifies.
 *
 * <p>It is made for one checkpoint, while requests are executed: a client's answers are copied before they change, or when it is
 * their turn to be encoded. So a request waits for the copy of one client at most.
 */
public final class StateImage {
    static final int VERSION = 1;

    private static final String WHAT_TO_DO = ". Serve this log with the service that made it, or use another log";

    private static final int CLIENT_BYTES = 8 + 1 + 8 + 4;
    private static final int ANSWER_BYTES = 8 + 8 + 4 + 4;

    /** Clients are encoded into pieces of about this size. */
    private static final int PIECE_BYTES = 256 << 10;

    private final long index;
    private final String service;
    private final boolean storesAnswers;
    private final Service.Snapshot state;
    private final Deque<Client> clients;
    private final Object lock;

    /** What is remembered of one client at the image's index. Needs the state machine's lock. */
    static final class Client {
        private final Session session;
        private @Nullable Answers copy;
        private @Nullable OutOfMemoryError noHeap;

        Client(Session session) {
            this.session = session;
        }

        /** The answers are about to change. If there is no heap for a copy that is the image's misfortune, not the client's. */
        void keep(Answers answers) {
            try {
                copy = answers.copy();
            } catch (OutOfMemoryError e) {
                noHeap = e;
            }
        }

        private Answers answers() {
            session.keepForImage();
            if (noHeap != null) {
                throw noHeap;
            }
            return Objects.requireNonNull(copy);
        }
    }

    record Answer(long number, RecordedAnswer recorded) {}

    /** @param storesAnswers whether answers are kept as bytes; else the service makes them again */
    StateImage(
            long index,
            String service,
            boolean storesAnswers,
            Service.Snapshot state,
            List<Client> clients,
            Object lock) {
        this.index = index;
        this.service = service;
        this.storesAnswers = storesAnswers;
        this.state = state;
        this.clients = new ArrayDeque<>(clients);
        this.lock = lock;
    }

    /** The last record whose effect it holds. */
    public long index() {
        return index;
    }

    /**
     * Its form in a checkpoint, in pieces. To be called once.
     *
     * <pre>
     *  version  name length  name   flags  state length  state  clients
     *  u32 1    u16          UTF-8  u8     u32                  u32
     *
     *  for each client:  client  flags  floor  answers
     *                    u64     u8     u64    u32
     *  for each answer:  request  index  payload bytes  record crc  answer (if stored)
     *                    u64      u64    u32            u32
     * </pre>
     */
    public ByteBuffer[] encode() {
        ByteBuffer encoded = state.encode();
        byte[] name = service.getBytes(StandardCharsets.UTF_8);
        ByteBuffer beginning = ByteBuffer.allocate(4 + 2 + name.length + 1 + 4 + encoded.remaining() + 4);
        beginning.putInt(VERSION).putShort((short) name.length).put(name);
        beginning.put((byte) (storesAnswers ? 1 : 0));
        beginning.putInt(encoded.remaining()).put(encoded);
        beginning.putInt(clients.size());
        Pieces pieces = new Pieces();
        pieces.all.add(beginning.flip());
        for (Client client = clients.poll(); client != null; client = clients.poll()) {
            Answers answers;
            synchronized (lock) {
                answers = client.answers();
            }
            encode(client.session.client(), answers, pieces);
        }
        return pieces.end();
    }

    private static void encode(long client, Answers answers, Pieces pieces) {
        long bytes = CLIENT_BYTES + (long) answers.count() * ANSWER_BYTES + answers.storedBytes();
        ByteBuffer out = pieces.room(bytes);
        out.putLong(client).put((byte) (answers.forgotSome() ? 1 : 0));
        out.putLong(answers.forgotSome() ? answers.floor() : 0).putInt(answers.count());
        for (int i = 0; i < answers.count(); i++) {
            out.putLong(answers.number(i)).putLong(answers.index(i));
            out.putInt(answers.payloadBytes(i)).putInt(answers.recordCrc(i));
            byte[] answer = answers.answer(i);
            if (answer != null) {
                out.put(answer);
            }
        }
    }

    /** Buffers that are filled one after the other. */
    private static final class Pieces {
        final List<ByteBuffer> all = new ArrayList<>();
        private ByteBuffer last = ByteBuffer.allocate(0);

        /** A buffer with room for so many bytes. */
        ByteBuffer room(long bytes) {
            if (last.remaining() < bytes) {
                all.add(last.flip());
                last = ByteBuffer.allocate(Math.max(PIECE_BYTES, Math.toIntExact(bytes)));
            }
            return last;
        }

        ByteBuffer[] end() {
            all.add(last.flip());
            return all.toArray(ByteBuffer[]::new);
        }
    }

    /**
     * Restores an empty service and an empty table from a checkpoint.
     *
     * @throws IllegalArgumentException if it is not a state of this service in this form: says what its checkpoint is or has,
     *     without a subject
     */
    static void decode(ByteBuffer encoded, Service service, ClientTable table) {
        ByteBuffer in = encoded.duplicate();
        try {
            String name = readName(in);
            if (!name.equals(service.name())) {
                throw new IllegalArgumentException(
                        "was made by the service '" + name + "': expected '" + service.name() + "'" + WHAT_TO_DO);
            }
            boolean storesAnswers = in.get() != 0;
            if (storesAnswers == service.isStateless()) {
                throw new IllegalArgumentException((storesAnswers ? "has" : "lacks")
                        + " stored answers: the service was changed under its old name" + WHAT_TO_DO);
            }
            service.restore(slice(in, length(in)));
            int clients = length(in);
            for (int i = 0; i < clients; i++) {
                restoreClient(in, storesAnswers, table);
            }
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("has a state that ends too early, after " + in.limit() + " bytes", e);
        }
        if (in.hasRemaining()) {
            throw new IllegalArgumentException(
                    "has a state that goes on for " + in.remaining() + " bytes: expected the end");
        }
    }

    private static String readName(ByteBuffer in) {
        int version = in.getInt();
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    Integer.compareUnsigned(version, VERSION) > 0
                            ? "was written by a newer plog (state version " + Integer.toUnsignedString(version)
                                    + ", this one reads " + VERSION
                                    + "); nothing is wrong with it, use that version"
                            : "has a state of version " + version + ": expected " + VERSION);
        }
        return StandardCharsets.UTF_8
                .decode(slice(in, Short.toUnsignedInt(in.getShort())))
                .toString();
    }

    private static void restoreClient(ByteBuffer in, boolean storesAnswers, ClientTable table) {
        long client = in.getLong();
        boolean forgotSome = in.get() != 0;
        long floor = in.getLong();
        int count = length(in);
        List<Answer> answers = new ArrayList<>(Math.min(count, MemoryBounds.WINDOW));
        for (int i = 0; i < count; i++) {
            long number = in.getLong();
            long index = in.getLong();
            int payloadBytes = in.getInt();
            int crc = in.getInt();
            answers.add(new Answer(
                    number,
                    new RecordedAnswer(index, payloadBytes, crc, storesAnswers ? bytes(in, payloadBytes) : null)));
        }
        table.restore(client, forgotSome ? floor : null, answers);
    }

    private static byte @Nullable [] bytes(ByteBuffer in, int length) {
        ByteBuffer slice = slice(in, length);
        byte[] bytes = new byte[slice.remaining()];
        slice.get(bytes);
        return bytes;
    }

    /** A length or a count, which what follows must have room for before anything is allocated. */
    private static int length(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        return length;
    }

    private static ByteBuffer slice(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer slice = in.slice(in.position(), length);
        in.position(in.position() + length);
        return slice;
    }
}
