package io.plog.benchmarks.journal;

import io.plog.log.storage.Force;
import io.plog.stats.text.Labelled;

/** The contestants that run in a JVM. */
public enum Contestant implements Labelled {
    PLAIN_FDATASYNC(Kind.PLAIN, PlainJournal::new),
    PLOG_FDATASYNC(Kind.PLOG, workload -> PlogJournal.open(workload, Force.FDATASYNC, false)),
    PLOG_FSYNC(Kind.PLOG, workload -> PlogJournal.open(workload, Force.FSYNC, false)),
    PLOG_DSYNC(Kind.PLOG, workload -> PlogJournal.open(workload, Force.DSYNC, false)),
    PLOG_DIRECT(Kind.PLOG, workload -> PlogJournal.open(workload, Force.DIRECT, false)),
    /** The default way of forcing again, but each append returns a future. */
    PLOG_FUTURE(Kind.PLOG, workload -> PlogJournal.open(workload, Force.FDATASYNC, true)),
    /** Without the executor that the journal has of its own: right for one appending thread, and faster. */
    ARTEMIS_NIO_CALLER(Kind.PEER, workload -> new ArtemisJournal(workload, false)),
    ARTEMIS_AIO_CALLER(Kind.PEER, workload -> new ArtemisJournal(workload, true));

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

    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker") // the openers are references to constructors, without state
    private final Opener opener;

    Contestant(Kind kind, Opener opener) {
        this.kind = kind;
        this.opener = opener;
    }

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
        return Labelled.of("contestant", label, values());
    }
}
