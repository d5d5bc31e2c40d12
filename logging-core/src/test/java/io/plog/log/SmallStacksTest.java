package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller with little stack left harms nobody else. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SmallStacksTest {
    /** Of less than 100 bytes each: far less than there must be room for when the log's work begins. */
    private static final int FRAMES = 300;

    @TempDir
    private Path directory;

    @Test
    void callersAtTheEndOfTheirStacksHarmNobody() throws Exception {
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

    private static boolean hasRoomFor(int frames) {
        try {
            return frames == 0 || hasRoomFor(frames - 1);
        } catch (StackOverflowError e) {
            return false;
        }
    }

    /** Whatever an append needs is loaded by then: a class that a caller's stack has no room for is lost for the whole process. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"})
    void theyMayBeTheFirstToAppendInTheirProcess(String how) throws Exception {
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
