package io.plog.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import io.plog.log.storage.LogException;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/** The example of docs/simdisk.md, which quotes the part between the markers. */
final class PowerCuts {
    private static final int CALLERS = 4;

    private PowerCuts() {}

    /** A service under test: books on one account, and answers with the balance. */
    interface Service {
        long book(long amount) throws Exception;
    }

    /** How it is started on a log. */
    interface Starter {
        Service on(MessageLog log) throws IOException;
    }

    /** Returns how many operations the bookings take. */
    static long run(Starter starter) throws Exception {
        // docs begin
        boolean crashed = true;
        int operation = 0;
        while (crashed) {
            operation++;
            for (long chance = 0; chance < 4; chance++) {
                SimulatedDisk disk = new SimulatedDisk(512);
                disk.faults().crashAtOperation(operation);
                Map<Long, Long> answers = bookings(disk, starter); // by several callers at once
                crashed = disk.hasCrashed();
                disk.crash();
                assertThat(replay(disk.afterCrash(chance)))
                        .as("crash at operation %d, chance %d", operation, chance)
                        .containsAllEntriesOf(answers);
            }
        }
        // docs end
        return operation;
    }

    static MessageLog open(SimulatedDisk disk) throws IOException {
        return MessageLog.open(LogOptions.on(disk).withMaxRecordBytes(1024).withSegmentBytes(64 * 1024));
    }

    /** What each booking was answered, by its amount. */
    private static Map<Long, Long> bookings(SimulatedDisk disk, Starter starter) throws Exception {
        Map<Long, Long> answers = new ConcurrentHashMap<>();
        try (MessageLog log = open(disk)) {
            Service service = starter.on(log);
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int i = 1; i <= CALLERS; i++) {
                long amount = 10L * i;
                callers.add(CompletableFuture.runAsync(() -> book(service, amount, answers)));
            }
            callers.forEach(CompletableFuture::join);
        } catch (IOException powerIsGone) {
            assertThat(disk.hasCrashed()).isTrue();
        }
        return answers;
    }

    private static void book(Service service, long first, Map<Long, Long> answers) {
        try {
            for (long amount = first; amount < first + 5; amount++) {
                answers.put(amount, service.book(amount));
            }
        } catch (LogException | ExecutionException powerIsGone) {
            return;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The balance behind each booking that the log has, in its order. */
    private static Map<Long, Long> replay(SimulatedDisk disk) throws IOException {
        Map<Long, Long> found = new HashMap<>();
        long balance = 0;
        try (MessageLog log = open(disk);
                LogReader reader = log.read(log.firstIndex())) {
            while (reader.next()) {
                ByteBuffer record = reader.payload();
                long amount = record.getLong();
                balance += amount;
                found.put(amount, balance);
            }
        }
        return found;
    }
}
