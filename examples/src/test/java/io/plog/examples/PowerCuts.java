package io.plog.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The example of docs/simdisk.md, which quotes the part between the markers. */
final class PowerCuts {
    private PowerCuts() {}

    /** Returns how many operations a transfer takes. */
    static long run() throws Exception {
        // docs begin
        boolean crashed = true;
        for (int operation = 1; crashed; operation++) {
            for (long chance = 0; chance < 4; chance++) {
                SimulatedDisk disk = new SimulatedDisk(512);
                disk.faults().crashAtOperation(operation);
                List<String> acknowledged = transfer(disk, "debit 7", "credit 7");
                crashed = disk.hasCrashed();
                disk.crash();
                assertThat(replay(disk.afterCrash(chance)))
                        .as("crash at operation %d, chance %d", operation, chance)
                        .startsWith(acknowledged.toArray(String[]::new));
            }
        }
        // docs end
        SimulatedDisk undisturbed = new SimulatedDisk(512);
        transfer(undisturbed, "debit 7", "credit 7");
        return undisturbed.operations();
    }

    private static LogOptions options() {
        return LogOptions.in(Path.of("simulated")).withMaxRecordBytes(1024).withSegmentBytes(64 * 1024);
    }

    private static List<String> transfer(SimulatedDisk disk, String... steps) throws InterruptedException {
        List<String> acknowledged = new ArrayList<>();
        try (MessageLog log = MessageLog.open(options(), disk)) {
            for (String step : steps) {
                log.appendAndWait(ByteBuffer.wrap(step.getBytes(StandardCharsets.UTF_8)));
                acknowledged.add(step);
            }
        } catch (IOException powerIsGone) {
            assertThat(disk.hasCrashed()).isTrue();
        }
        return acknowledged;
    }

    private static List<String> replay(SimulatedDisk disk) throws IOException {
        List<String> found = new ArrayList<>();
        try (MessageLog log = MessageLog.open(options(), disk);
                LogReader reader = log.read(log.firstIndex())) {
            while (reader.next()) {
                found.add(StandardCharsets.UTF_8.decode(reader.payload()).toString());
            }
        }
        return found;
    }
}
