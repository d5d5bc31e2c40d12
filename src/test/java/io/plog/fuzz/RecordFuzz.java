package io.plog.fuzz;

import io.plog.log.LogTools;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * A segment whose header is right and whose records are arbitrary: raw (first byte even) or made by {@link LogForge} (odd).
 *
 * <p>Reading it ends, in a {@link LogException} or in records whose indexes follow one another; the reader and the
 * inspection agree on them, and nothing is changed.
 */
public final class RecordFuzz {
    private RecordFuzz() {}

    /** Runs one case. */
    public static void fuzzerTestOneInput(byte[] data) {
        Input input = new Input(data);
        boolean raw = input.u8() % 2 == 0;
        try {
            checkLooking(FuzzDisk.of(new LogForge(input).oneSegment(raw)));
        } catch (IOException undeclared) {
            throw new UncheckedIOException(undeclared);
        }
    }

    /**
     * Looks at a directory in both ways and checks that they agree and change nothing.
     *
     * @return what the reader found; null if there is no log
     */
    static @Nullable Reading checkLooking(SimulatedDisk disk) throws IOException {
        long before = disk.operations();
        Reading found = look(disk);
        if (disk.operations() != before) {
            throw new AssertionError("looking changed something");
        }
        return found;
    }

    private static @Nullable Reading look(SimulatedDisk storage) throws IOException {
        LogTools.Inspection inspection;
        try {
            inspection = LogTools.inspect(storage);
        } catch (LogException declared) {
            Reading reading = Reading.of(storage, 1);
            if (reading.failure() == null) {
                throw new AssertionError("the inspection failed and the reader did not", declared);
            }
            return reading;
        }
        if (inspection.logId().isEmpty() && inspection.damage().isEmpty()) {
            return null;
        }
        Reading reading = Reading.of(storage, Math.max(1, inspection.firstIndex()));
        reading.checkOrder();
        if (inspection.damage().isPresent() != reading.failure() instanceof LogDamagedException) {
            throw new AssertionError(
                    "damage by inspection: " + inspection.damage() + ", by reading: " + reading.failure());
        }
        long read = reading.records().size();
        if (read != inspection.records() && inspection.damage().isEmpty()) {
            throw new AssertionError(read + " records were read, " + inspection.records() + " were counted");
        }
        return reading;
    }
}
