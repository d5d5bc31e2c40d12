package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.file.DiskStorage;
import io.plog.log.file.Payload;
import io.plog.log.storage.LogException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller with little stack left harms no other. */
@Timeout(value = 20, unit = TimeUnit.MINUTES) // SmallStacks notices by itself that nothing goes on
class SmallStacksTest {
    /** Of less than 100 bytes each: far less than there must be room for when the log's work begins. */
    private static final int FRAMES = 300;

    /** The same for putting a record in. */
    private static final int FRAMES_TO_PUT = 30;

    @TempDir
    private Path directory;

    @Test
    void callersAtTheEndOfTheirStacksHarmNoOther() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        AtomicInteger begunWithoutRoom = new AtomicInteger();
        MessageLog log = MessageLog.open(Logs.options(directory).withGroupsInFlight(2), storage);
        storage.hook((operation, file) -> begunWithoutRoom.addAndGet(hasRoomFor(FRAMES) ? 0 : 1));
        new SmallStacks(log).run();
        assertThat(log.failure()).isNull();
        storage.hook((operation, file) -> {});
        log.close(); // one that stands still is left: to close it takes longer than this test may
        assertThat(begunWithoutRoom).as("operations on the disk").hasValue(0);
    }

    @Test
    void aRecordIsPutInWithRoomOnTheStackOrNotAtAll() throws Exception {
        AtomicInteger put = new AtomicInteger();
        AtomicInteger withoutRoom = new AtomicInteger();
        AppendOrder order = new AppendOrder() {
            @Override
            public @Nullable LogException put(Completion completion, Payload payload, long calledNanos) {
                put.incrementAndGet();
                withoutRoom.addAndGet(hasRoomFor(FRAMES_TO_PUT) ? 0 : 1);
                return null;
            }

            @Override
            public void wake() {}

            @Override
            public void workUntil(BooleanSupplier done) {}
        };
        AppendIntake intake = new AppendIntake(order, new LogThreads(), 100, 0);
        Thread caller = new Thread(null, () -> appendOnTheWayBack(intake), "small", 256 * 1024);
        caller.start();
        caller.join();
        assertThat(put.get()).isGreaterThan(100);
        assertThat(withoutRoom).as("records put in at the end of the stack").hasValue(0);
    }

    @SuppressWarnings({"InfiniteRecursion", "FutureReturnValueIgnored"}) // the stack ends it
    private static void appendOnTheWayBack(AppendIntake intake) {
        try {
            appendOnTheWayBack(intake);
        } catch (StackOverflowError end) {
            // on the way back
        }
        try {
            intake.append(new ByteBuffer[] {ByteBuffer.allocate(8)});
        } catch (StackOverflowError tooDeep) {
            return; // the caller hears of it
        }
    }

    private static boolean hasRoomFor(int frames) {
        try {
            return frames == 0 || hasRoomFor(frames - 1);
        } catch (StackOverflowError e) {
            return false;
        }
    }

    /** Whatever an append needs is loaded by then: a class that a caller's stack has no room for is lost for the whole process. */
    @Test
    void theyMayBeTheFirstToAppendInTheirProcess() throws Exception {
        appendFirst("-Xint"); // whose frames are the largest
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"})
    @Tag("slow")
    void theyMayBeTheFirstHoweverTheirProcessCompiles(String how) throws Exception {
        appendFirst(how);
    }

    private void appendFirst(String how) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), how, "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(SmallStacks.class.getName());
        command.add(directory.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).startsWith("fine ");
    }
}
