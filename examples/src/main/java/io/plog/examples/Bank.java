package io.plog.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.plog.log.Append;
import io.plog.log.Checkpoint;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The example of {@code docs/embedding.md}, compiled and run: ExamplesTest holds the two together. */
final class Bank {
    private Bank() {}

    // docs begin
    /** Accounts that no booking overdraws: each booking is logged before it is answered. For any number of threads. */
    static final class Accounts implements AutoCloseable {
        private final MessageLog log;
        private final Map<String, Long> balances = new TreeMap<>(); // guarded by this
        private long applied; // the last record whose effect they have; guarded by this

        /** Restores the state: the last checkpoint, and every record behind it, in order. */
        Accounts(MessageLog log) throws IOException {
            this.log = log;
            Optional<Checkpoint> saved = log.checkpoint();
            if (saved.isPresent()) {
                restore(saved.get().index(), saved.get().state());
            }
            try (LogReader reader = log.read(applied + 1)) {
                while (reader.next()) {
                    apply(reader.index(), reader.payload());
                }
            }
        }

        /** Books, and answers with the balance; it is negative, and nothing was booked, if that would overdraw. */
        CompletableFuture<Long> book(String account, long amount) {
            byte[] name = account.getBytes(UTF_8);
            ByteBuffer record = ByteBuffer.allocate(Long.BYTES + name.length);
            record.putLong(amount).put(name).flip();
            Booking booking = new Booking(record.duplicate());
            log.append(booking, record);
            return booking.answer;
        }

        private final class Booking extends Append {
            final CompletableFuture<Long> answer = new CompletableFuture<>();
            private final ByteBuffer record;

            Booking(ByteBuffer record) {
                this.record = record;
            }

            /** The log calls this in the order of its records. So the state is always one that a replay gives. */
            @Override
            protected void onDurable() {
                long balance = apply(index(), record);
                answer.completeAsync(() -> balance); // what waits for it does not run on the log's thread
            }

            @Override
            protected void onFailed(LogException cause) {
                answer.completeExceptionally(cause);
            }
        }

        private synchronized long apply(long index, ByteBuffer record) {
            long amount = record.getLong();
            String account = UTF_8.decode(record).toString();
            long balance = balances.getOrDefault(account, 0L) + amount;
            if (balance >= 0) {
                balances.put(account, balance);
            }
            applied = index;
            return balance;
        }

        /** What a caller is told of a booking that failed. */
        static String sentenceFor(LogException failure) {
            if (failure instanceof LogRefusedException) {
                return "not booked: try again later"; // the queue or the disk is full, or the log was closed
            }
            return failure.isIndeterminate()
                    ? "unknown: it may be booked; ask for the balance when the service has restarted"
                    : "not booked: the service has to be restarted";
        }

        /** Keeps the state, and drops the records that it stands for. Call it now and then, on a thread of its own. */
        void checkpoint() throws IOException {
            ByteArrayOutputStream state = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(state);
            long index;
            synchronized (this) { // the state as it is behind this record, and no other
                index = applied;
                for (Map.Entry<String, Long> balance : balances.entrySet()) {
                    out.writeUTF(balance.getKey());
                    out.writeLong(balance.getValue());
                }
            }
            log.saveCheckpoint(index, ByteBuffer.wrap(state.toByteArray()));
            log.truncateBefore(index + 1);
        }

        private void restore(long index, ByteBuffer state) throws IOException {
            byte[] bytes = new byte[state.remaining()];
            state.get(bytes);
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            while (in.available() > 0) {
                balances.put(in.readUTF(), in.readLong());
            }
            applied = index;
        }

        /** Answers what was accepted, and lets the next start skip the recovery. */
        @Override
        public void close() throws IOException {
            log.close();
        }
    }
    // docs end
}
