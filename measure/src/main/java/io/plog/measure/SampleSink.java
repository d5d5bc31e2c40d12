package io.plog.measure;

import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.Samples;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds the samples of a block in memory, so that nothing is written between its cells, and writes them out when the
 * block ends or too many have gathered. The arrays are used again: in a long run nothing is left to collect.
 */
final class SampleSink {
    /** With 20 columns of 8 bytes: 40 MiB. */
    private static final int MAX_HELD_SAMPLES = 256 * 1024;

    private final SampleFileWriter writer;
    private final ArrayDeque<Samples> free = new ArrayDeque<>();
    private final List<Held> held = new ArrayList<>();
    private long heldSamples;

    private record Held(CellKey cell, List<Samples> parts) {}

    SampleSink(SampleFileWriter writer) {
        this.writer = writer;
    }

    /** An empty recording with room for this many. */
    Samples take(int expected) {
        Samples samples = free.poll();
        return samples != null && samples.capacity() >= expected ? samples : new Samples(expected);
    }

    /** Takes a cell's samples back, one part for each connection. */
    void give(CellKey cell, List<Samples> parts) throws IOException {
        held.add(new Held(cell, parts));
        heldSamples += parts.stream().mapToLong(Samples::count).sum();
        if (heldSamples >= MAX_HELD_SAMPLES) {
            writeOut();
        }
    }

    void writeOut() throws IOException {
        for (Held cell : held) {
            for (Samples part : cell.parts) {
                writer.append(cell.cell, part);
                part.clear();
            }
            free.addAll(cell.parts);
        }
        held.clear();
        heldSamples = 0;
    }
}
