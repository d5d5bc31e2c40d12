package io.plog.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import io.plog.log.storage.Force;
import io.plog.protocol.Status;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.monitoring.TargetEvents;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.BuiltInService;
import io.plog.server.state.MemoryBounds;
import io.plog.server.state.RequestId;
import io.plog.server.state.TargetModel;
import io.plog.server.state.TargetState;
import io.plog.server.state.TestRequest;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The state after every crash: log and checkpoint fit together, the state is that of a plain model that executed the
 * recovered records in order, what is repeated gets the answer that it got, and nothing is executed twice.
 */
@Timeout(value = 3, unit = java.util.concurrent.TimeUnit.HOURS)
class CrashedStateTest {
    private static final int SEGMENT = 64 << 10;
    private static final int CLIENTS = 3;
    private static final TargetOptions TARGET =
            TargetOptions.logged("t", Path.of("simulated"), Force.FDATASYNC).withSegmentBytes(SEGMENT);
    private static final TargetMeters METERS = new TargetMeters(new SimpleMeterRegistry(), TARGET, TargetEvents.NONE);

    /** A target, its clients, and what both may expect of each other, over several lives. */
    private static final class History {
        final SplittableRandom random;
        final BuiltInService service;
        final MemoryBounds bounds;
        final TargetModel model;
        final Map<RequestId, byte[]> submitted = new HashMap<>();
        final Map<RequestId, byte[]> unanswered =
                new TreeMap<>(Comparator.comparing(RequestId::number).thenComparing(RequestId::client));
        final long[] lastNumber = new long[CLIENTS];
        long saved; // the last checkpoint that was reported as saved
        SimulatedDisk disk;

        History(long seed, int sectorBytes) {
            random = new SplittableRandom(seed);
            service = random.nextBoolean() ? BuiltInService.CHAIN : BuiltInService.INVERT;
            // Never fewer clients than there are: one that is forgotten may have a request executed twice.
            bounds = new MemoryBounds(
                    1 + random.nextInt(8), CLIENTS, 1 + random.nextInt(40_000), 1 + random.nextInt(60_000));
            model = new TargetModel(service, bounds);
            disk = new SimulatedDisk(sectorBytes, seed);
        }

        TargetState machine() {
            return new TargetState("t", service.get(), bounds);
        }

        /** A life of the server: recovers, checks, and works until its end or the disk's. Says whether it was its own. */
        boolean live(int steps) throws Exception {
            LogOptions options = LogOptions.in(Path.of("simulated"))
                    .withMaxRecordBytes(SEGMENT / 4)
                    .withMaxBatchBytes(SEGMENT / 2)
                    .withSegmentBytes(SEGMENT)
                    .withSpin(java.time.Duration.ZERO);
            try (MessageLog log = MessageLog.open(options.withStorage(path -> disk))) {
                TargetState machine = machine();
                StateRecovery.run("t", log, machine, null);
                check(log, machine);
                try (Checkpointer checkpointer =
                        new Checkpointer(log, machine, TARGET, METERS, ServerNotices.standardError(), 0)) {
                    boolean goesOn = sendAgain(log, machine);
                    for (int step = 0; step < steps && goesOn; step++) {
                        goesOn = step(log, machine, checkpointer);
                    }
                    return goesOn;
                }
            } catch (IOException e) {
                if (disk.hasCrashed()) {
                    return false;
                }
                throw e;
            }
        }

        private boolean step(MessageLog log, TargetState machine, Checkpointer checkpointer) throws Exception {
            switch (random.nextInt(6)) {
                case 0 -> {
                    long index = checkpointer.save().index();
                    checkpointer.drop();
                    saved = index;
                }
                case 1 -> saved = checkpointer.save().index();
                case 2 -> askForEverything(machine);
                default -> {
                    return send(log, machine, newRequests());
                }
            }
            return true;
        }

        private List<byte[]> newRequests() {
            List<byte[]> records = new ArrayList<>();
            int count = 1 + random.nextInt(5);
            for (int i = 0; i < count; i++) {
                int client = random.nextInt(CLIENTS);
                lastNumber[client] += 1 + random.nextInt(2);
                byte[] payload = new byte[random.nextInt(3) == 0 ? random.nextInt(15_000) : random.nextInt(300)];
                random.nextBytes(payload);
                byte[] record = TestRequest.record(client, lastNumber[client], payload);
                submitted.put(TargetModel.idOf(record), record);
                records.add(record);
            }
            return records;
        }

        /** What a client does whose requests were not answered. */
        private boolean sendAgain(MessageLog log, TargetState machine) throws Exception {
            List<byte[]> records = new ArrayList<>(unanswered.values());
            unanswered.clear();
            return records.isEmpty() || send(log, machine, records);
        }

        /** Sends all of them at once, some of them twice, and waits. Says whether the log is still good. */
        private boolean send(MessageLog log, TargetState machine, List<byte[]> records) throws Exception {
            List<TestRequest> sent = new ArrayList<>();
            for (byte[] record : records) {
                for (int copy = random.nextInt(4) == 0 ? 2 : 1; copy > 0; copy--) {
                    TestRequest request = request(machine, record);
                    sent.add(request);
                    if (machine.admit(request)) {
                        log.append(request, request.record());
                    }
                }
            }
            boolean goesOn = true;
            List<TestRequest> answered = new ArrayList<>();
            List<TestRequest> outdated = new ArrayList<>();
            for (TestRequest request : sent) {
                Status status = request.await();
                if (status == Status.OK) {
                    answered.add(request);
                } else if (status != Status.OUTDATED) {
                    assertThat(disk.hasCrashed())
                            .as(status + ": " + request.sentence())
                            .isTrue();
                    byte[] record = request.record().array();
                    unanswered.put(TargetModel.idOf(record), record);
                    goesOn = false;
                } else {
                    outdated.add(request);
                }
            }
            note(answered);
            for (TestRequest request : outdated) {
                // Only now, since what was answered meanwhile may have moved the window.
                assertThat(model.statusOf(TargetModel.idOf(request.record().array())))
                        .isEqualTo(Status.OUTDATED);
            }
            return goesOn;
        }

        /** Adds what was executed to the model, in log order, and compares the answers. */
        private void note(List<TestRequest> answered) {
            answered.sort(Comparator.comparingLong(TestRequest::answerIndex).thenComparing(TestRequest::isRepeat));
            for (TestRequest request : answered) {
                if (request.answerIndex() == model.size() + 1) {
                    assertThat(request.isRepeat()).as("the first of its number").isFalse();
                    model.add(request.record().array());
                }
                int index = (int) request.answerIndex();
                assertThat(model.record(index)).isEqualTo(request.record().array());
                assertThat(request.reply()).as("answer at %d", index).isEqualTo(model.answer(index));
            }
        }

        private static TestRequest request(TargetState machine, byte[] record) {
            RequestId id = TargetModel.idOf(record);
            return new TestRequest(
                    machine, id.client(), id.number(), java.util.Arrays.copyOfRange(record, 24, record.length));
        }

        /** Sends everything again that was ever executed, and lets nothing be executed. */
        private void askForEverything(TargetState machine) {
            model.executed().forEach((id, index) -> {
                TestRequest again = request(machine, model.record(index));
                if (model.isRemembered(id)) {
                    assertThat(machine.admit(again)).isFalse();
                    assertThat(again.status()).as("%s", id).isEqualTo(Status.OK);
                    assertThat(again.answerIndex()).isEqualTo((long) index);
                    assertThat(again.reply()).as("%s", id).isEqualTo(model.answer(index));
                    TestRequest other = new TestRequest(machine, id.client(), id.number(), new byte[16_000]);
                    assertThat(machine.admit(other)).isFalse();
                    assertThat(other.status()).as("%s", id).isEqualTo(Status.CONFLICT);
                } else {
                    assertThat(machine.admit(again)).as("%s is new", id).isFalse();
                    assertThat(again.status()).as("%s", id).isEqualTo(Status.OUTDATED);
                }
            });
        }

        /** Compares what was recovered with what was acknowledged, submitted, and saved. */
        private void check(MessageLog log, TargetState machine) throws IOException {
            long first = log.firstIndex();
            long last = log.durableIndex();
            assertThat(last).as("the last record").isGreaterThanOrEqualTo(model.size());
            assertThat(log.checkpointIndex()).as("the checkpoint").isBetween(Math.max(saved, first - 1), last);
            saved = log.checkpointIndex();
            try (LogReader reader = log.read(first)) {
                for (long index = first; index <= last; index++) {
                    assertThat(reader.next()).isTrue();
                    byte[] record = new byte[reader.payload().remaining()];
                    reader.payload().get(record);
                    if (index > model.size()) {
                        assertThat(record).isEqualTo(submitted.get(TargetModel.idOf(record)));
                        model.add(record); // which finds what was executed twice
                    }
                    assertThat(record).as("record %d", index).isEqualTo(model.record((int) index));
                }
            }
            TargetState fresh = machine();
            for (int index = 1; index <= model.size(); index++) {
                fresh.replay(index, ByteBuffer.wrap(model.record(index)));
            }
            assertThat(state(machine)).as("the whole state").isEqualTo(state(fresh));
            assertThat(machine.appliedIndex()).isEqualTo(last);
            askForEverything(machine);
        }

        private static ByteBuffer state(TargetState machine) {
            ByteBuffer all = ByteBuffer.allocate(1 << 20);
            for (ByteBuffer piece : machine.snapshot().encode()) {
                all.put(piece);
            }
            return all.flip();
        }

        /** Only the process starts again, or the whole machine. */
        void restart() {
            if (random.nextInt(3) == 0) {
                disk = disk.afterKill();
            } else {
                disk.crash();
                disk = disk.afterCrash(random);
            }
        }
    }

    /** Runs a history that crashes at this operation; says whether it came so far. Later lives crash now and then, too. */
    private static boolean crashAt(long operation, long seed, int sectorBytes, int steps) throws Exception {
        History history = new History(seed, sectorBytes);
        try {
            history.disk.faults().crashAtOperation(operation);
            boolean crashed = !history.live(steps);
            for (int life = 0; life < 3; life++) {
                history.restart();
                if (history.random.nextInt(3) > 0) {
                    history.disk.faults().crashAtOperation(1 + history.random.nextInt(30));
                }
                history.live(3);
            }
            history.restart();
            assertThat(history.live(4)).isTrue();
            history.restart();
            assertThat(history.live(0)).isTrue();
            return crashed;
        } catch (Throwable t) {
            throw new AssertionError(
                    "seed " + seed + ", sector " + sectorBytes + ", crash at operation " + operation + ", steps "
                            + steps + ": " + t,
                    t);
        }
    }

    /** Chance says for each history which fifth of its crash points a build tries; a build with the slow tests tries all. */
    @Test
    void everyFifthCrashPointOfAShortHistoryLeavesAConsistentPair() throws Exception {
        crashPoints(5, System.nanoTime());
    }

    @Test
    @Tag("slow")
    void everyCrashPointOfAShortHistoryLeavesAConsistentPair() throws Exception {
        crashPoints(1, 0);
    }

    private static void crashPoints(int step, long chance) throws Exception {
        SplittableRandom random = new SplittableRandom(chance);
        for (int sectorBytes : new int[] {512, 4096}) {
            for (long seed = 1; seed <= 4; seed++) {
                long operation = 1 + random.nextInt(step);
                while (crashAt(operation, seed, sectorBytes, 8)) {
                    operation += step;
                }
                assertThat(operation).isGreaterThan(20);
            }
        }
    }

    @Test
    void randomHistoriesLeaveAConsistentPair() throws Exception {
        campaign(60);
    }

    /** Length and seed: {@code -Dplog.test.jvmArgs="-Dplog.crash.runs=100000 -Dplog.crash.seed=1"}. */
    @Test
    @Tag("slow")
    void manyRandomHistoriesLeaveAConsistentPair() throws Exception {
        campaign(Integer.getInteger("plog.crash.runs", 20_000));
    }

    private static void campaign(int runs) throws Exception {
        long firstSeed = Long.getLong("plog.crash.seed", System.nanoTime());
        System.out.println(runs + " random histories of a target's state from seed " + firstSeed);
        SplittableRandom random = new SplittableRandom(firstSeed);
        for (int run = 0; run < runs; run++) {
            crashAt(
                    1 + random.nextInt(200),
                    random.nextLong(),
                    random.nextBoolean() ? 512 : 4096,
                    1 + random.nextInt(30));
        }
    }
}
