package io.plog.app.audit;

import io.plog.measure.ledger.AuditLedgerReader;
import io.plog.measure.ledger.LedgerException;
import io.plog.measure.ledger.LedgerLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The ledgers of an audit, read once: those lines that one target has logged, as {@link Acknowledgements}, and how many
 * others there are. For one thread.
 */
final class LedgerFiles {
    private final @Nullable Integer asked;
    private final Map<Integer, Long> loggedLines = new TreeMap<>(); // by target
    private final List<Violation> contradictions = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Acknowledgements acknowledged = new Acknowledgements();
    private long lines;
    private long unlogged;
    private long repeats;

    /**
     * @param asked the target's id; null for the only one that has logged lines
     */
    LedgerFiles(@Nullable Integer asked) {
        this.asked = asked;
    }

    /**
     * Reads one more ledger.
     *
     * @throws LedgerException if it is no ledger
     */
    void read(Path file) throws IOException {
        try (AuditLedgerReader reader = AuditLedgerReader.open(file)) {
            for (LedgerLine line = reader.next(); line != null; line = reader.next()) {
                add(line);
            }
            lines += reader.lines();
            if (reader.unfinishedBytes() > 0) {
                notes.add("ledger " + file + " ends within a line (" + reader.unfinishedBytes()
                        + " bytes): an append that was interrupted, left out");
            }
        }
    }

    private void add(LedgerLine line) {
        if (line.index() == 0) {
            unlogged++;
            return;
        }
        loggedLines.merge(line.target(), 1L, Long::sum);
        if (asked == null ? isAmbiguous() : line.target() != asked) {
            return;
        }
        Violation.Place place = new Violation.Place(line.index(), line.length(), line.crc32c());
        Violation.Place known = acknowledged.add(line.client(), line.request(), place);
        if (place.equals(known)) {
            repeats++;
        } else if (known != null) {
            contradictions.add(new Violation(Violation.Kind.CONTRADICTED, line.client(), line.request(), known, place));
        }
    }

    private boolean isAmbiguous() {
        return asked == null && loggedLines.size() > 1;
    }

    /**
     * Checks that there is one target to audit.
     *
     * @throws IllegalArgumentException if the ledgers name several and none was asked for, or not the one that was
     */
    void checkTarget() {
        boolean none = asked != null && !loggedLines.isEmpty() && !loggedLines.containsKey(asked);
        if (isAmbiguous() || none) {
            String there = loggedLines.entrySet().stream()
                    .map(each -> each.getKey() + " (" + each.getValue() + " lines)")
                    .collect(Collectors.joining(", "));
            throw new IllegalArgumentException(
                    none
                            ? "the ledger has no line of target " + asked + "; it has " + there
                            : "--target is missing: the ledger has lines of several targets: " + there);
        }
    }

    boolean hasTarget() {
        return loggedLines.containsKey(asked);
    }

    Acknowledgements acknowledged() {
        return acknowledged;
    }

    /** What it contradicts itself in. */
    List<Violation> contradictions() {
        return contradictions;
    }

    /** The target's id; empty text if no line was logged by any. */
    String target() {
        return asked != null
                ? asked.toString()
                : loggedLines.keySet().stream().findFirst().map(String::valueOf).orElse("");
    }

    /** How many whole lines were read. */
    long lines() {
        return lines;
    }

    /** How many of them are of requests that were not logged. */
    long unlogged() {
        return unlogged;
    }

    /** How many of them are of other targets. */
    long ofOthers() {
        long logged = loggedLines.values().stream().mapToLong(Long::longValue).sum();
        return asked == null ? 0 : logged - loggedLines.getOrDefault(asked, 0L);
    }

    /** How many of them say again what another one says. */
    long repeats() {
        return repeats;
    }

    /** What else is worth telling, a sentence each. */
    List<String> notes() {
        return notes;
    }
}
