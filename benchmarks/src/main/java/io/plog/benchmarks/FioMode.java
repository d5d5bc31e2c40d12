package io.plog.benchmarks;

import java.util.List;

/** The ways in which fio makes each write durable. */
enum FioMode {
    FDATASYNC("fio-fdatasync", "--fdatasync=1"),
    DSYNC("fio-dsync", "--sync=dsync"),
    DIRECT("fio-direct", "--sync=dsync", "--direct=1");

    private static final int BLOCK = 4096;

    private final String label;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> options;

    FioMode(String label, String... options) {
        this.label = label;
        this.options = List.of(options);
    }

    /** Its name among the contestants. */
    String label() {
        return label;
    }

    /** What to add to fio's command line. */
    List<String> options() {
        return options;
    }

    /** The size of one write for this many bytes: direct I/O takes whole blocks. */
    int blockBytes(int bytes) {
        return this == DIRECT ? (bytes + BLOCK - 1) & -BLOCK : bytes;
    }
}
