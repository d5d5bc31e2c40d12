package io.plog.benchmarks.journal;

import io.plog.log.Force;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The contestants that run in a JVM. */
public enum Contestant {
    PLAIN_FDATASYNC("plain-fdatasync", Kind.PLAIN, PlainJournal::new),
    PLOG_FDATASYNC("plog-fdatasync", Kind.PLOG, workload -> PlogJournal.open(workload, Force.FDATASYNC, false)),
    PLOG_FSYNC("plog-fsync", Kind.PLOG, workload -> PlogJournal.open(workload, Force.FSYNC, false)),
    PLOG_DSYNC("plog-dsync", Kind.PLOG, workload -> PlogJournal.open(workload, Force.DSYNC, false)),
    PLOG_DIRECT("plog-direct", Kind.PLOG, workload -> PlogJournal.open(workload, Force.DIRECT, false)),
    /** The default way of forcing again, but each append returns a future. */
    PLOG_FUTURE("plog-future", Kind.PLOG, workload -> PlogJournal.open(workload, Force.FDATASYNC, true)),
    /** Without the executor that the journal has of its own: right for one appending thread, and faster. */
    ARTEMIS_NIO_CALLER("artemis-nio-caller", Kind.PEER, workload -> new ArtemisJournal(workload, false)),
    ARTEMIS_AIO_CALLER("artemis-aio-caller", Kind.PEER, workload -> new ArtemisJournal(workload, true));

    /** What a contestant is compared as. */
    public enum Kind {
        /** What the disk can do: {@code fio}. */
        LIMIT,
        PLAIN,
        PLOG,
        PEER
    }

    /** Opens a journal, with its files prepared for the workload. */
    @FunctionalInterface
    interface Opener {
        Journal open(Workload workload) throws Exception;
    }

    private final String label;
    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker") // the openers are references to constructors, without state
    private final Opener opener;

    Contestant(String label, Kind kind, Opener opener) {
        this.label = label;
        this.kind = kind;
        this.opener = opener;
    }

    /** The name used on the command line and in results. */
    public String label() {
        return label;
    }

    /** What it is compared as. */
    public Kind kind() {
        return kind;
    }

    /**
     * Opens a journal, with its files prepared for the workload.
     *
     * @throws UnavailableException if it cannot take part on this machine
     */
    public Journal open(Workload workload) throws Exception {
        return opener.open(workload);
    }

    /**
     * The contestant with this name.
     *
     * @throws IllegalArgumentException if there is none; the message lists them all
     */
    public static Contestant ofLabel(String label) {
        for (Contestant contestant : values()) {
            if (contestant.label.equals(label)) {
                return contestant;
            }
        }
        throw new IllegalArgumentException("unknown contestant '" + label + "': expected one of "
                + Arrays.stream(values()).map(Contestant::label).collect(Collectors.joining(", ")));
    }

    /** All of them. */
    public static List<Contestant> all() {
        return List.of(values());
    }
}
