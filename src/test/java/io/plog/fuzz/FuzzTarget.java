package io.plog.fuzz;

import io.plog.e2e.support.Directories;
import io.plog.server.http.HttpFuzz;
import io.plog.server.http.HttpSeeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** What can be fuzzed, and with which cases that begins. */
enum FuzzTarget {
    /** Frames of either side. */
    FRAME(FrameFuzz.class, FrameFuzz::fuzzerTestOneInput, FrameSeeds::all),
    /** The records of a segment. */
    RECORD(RecordFuzz.class, RecordFuzz::fuzzerTestOneInput, LogSeeds::segments),
    /** A whole log directory. */
    RECOVERY(RecoveryFuzz.class, RecoveryFuzz::fuzzerTestOneInput, LogSeeds::directories),
    /** Requests of the HTTP port. */
    HTTP(HttpFuzz.class, HttpFuzz::fuzzerTestOneInput, HttpSeeds::all),
    /** A client's ledger. */
    LEDGER(LedgerFuzz.class, LedgerFuzz::fuzzerTestOneInput, LedgerFuzz::seeds);

    private final Class<?> type;
    // Functions without a state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Consumer<byte[]> run;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Supplier<List<byte[]>> seeds;

    FuzzTarget(Class<?> type, Consumer<byte[]> run, Supplier<List<byte[]>> seeds) {
        this.type = type;
        this.run = run;
        this.seeds = seeds;
    }

    /** As {@code tools/fuzz} and the corpus's files name it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The class that Jazzer is to be reported. */
    String className() {
        return type.getName();
    }

    /** Runs one case; throws on a finding. */
    void run(byte[] data) {
        run.accept(data);
    }

    /**
     * All cases, by name: those made from valid input, those that reach the most code (a zip file), and those that were
     * findings once (a directory).
     */
    Map<String, byte[]> cases(Path corpus) throws IOException {
        Map<String, byte[]> cases = seeds();
        Path zip = corpus.resolve(label() + ".zip");
        if (Files.exists(zip)) {
            try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(Files.readAllBytes(zip)))) {
                for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                    cases.put(entry.getName(), in.readAllBytes());
                }
            }
        }
        Path findings = corpus.resolve(label());
        if (Files.isDirectory(findings)) {
            for (Path file : Directories.files(findings)) {
                cases.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        return cases;
    }

    /** The cases made from valid input. */
    Map<String, byte[]> seeds() {
        Map<String, byte[]> cases = new LinkedHashMap<>();
        for (byte[] seed : seeds.get()) {
            cases.put("seed-" + cases.size(), seed);
        }
        return cases;
    }
}
