package io.plog.results.cells;

import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleMemory;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.SideEvents;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The samples of a run from its sample file. Not thread-safe. */
public final class SampleFile implements SampleSource, Closeable {
    private final SampleFileReader reader;

    private SampleFile(SampleFileReader reader) {
        this.reader = reader;
    }

    /**
     * Opens and checks a sample file.
     *
     * @throws io.plog.measure.samples.SampleFileException if it is none, is damaged, or of a newer format
     * @throws IOException if it can't be read
     */
    public static SampleFile open(Path file) throws IOException {
        return new SampleFile(SampleFileReader.open(file));
    }

    @Override
    public RunInfo info() {
        return reader.info();
    }

    @Override
    public Optional<RunInfo.End> end() {
        return reader.end();
    }

    @Override
    public Optional<String> cut() {
        return reader.cut();
    }

    @Override
    public List<SideEvents> events() throws IOException {
        return reader.events();
    }

    @Override
    public Samples samples(RunInfo.Target target, int payloadBytes) throws IOException {
        CellKey cell = new CellKey(target.id(), payloadBytes);
        SampleMemory.check("cell " + target.name() + ", " + payloadBytes + " bytes,", reader.count(cell));
        return reader.samples(cell);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
