package io.plog.log.bookkeeper;

import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What the log's node says: the one place that says which ledgers are the log. It is changed by compare-and-set only, so that
 * of two writers one loses before it has acknowledged anything.
 *
 * <pre>
 * plog-log 1                       the form, and its version
 * log 6fd2...                      the log's own number, made when it was created
 * writer 0c4e...                   who changed it last, a new number at each opening
 * changes 7                        how often it was changed, from 1; see ChangeNotes
 * quorum 3 3 2                     ensemble, write quorum, ack quorum
 * ledger 12 1 0 67108869           its number, its first index, its epoch, its bytes (0 in the last, which is being written)
 * ledger 15 61002 4 0
 * checkpoint 14 61001              its ledger, its index; no line if there is none
 * garbage 11                       a ledger that is not used, until it was deleted
 * fenced 12 1795000000             a ledger whose writer was fenced, and when, in seconds since 1970
 * check 1a2b3c4d                   CRC-32C of all lines before
 * </pre>
 *
 * @param changes how often it was changed, its creation included
 * @param ledgers at least one, in log order
 * @param garbage ledgers that are to be deleted
 * @param fenced ledgers whose writer was fenced, and when, in seconds since 1970: to be kept for a while
 */
record LedgerList(
        UUID log,
        UUID writer,
        long changes,
        Quorum quorum,
        List<Part> ledgers,
        @Nullable Pointer checkpoint,
        Set<Long> garbage,
        Map<Long, Long> fenced) {
    private static final String MAGIC = "plog-log";
    private static final int VERSION = 1;

    /**
     * A ledger of the log.
     *
     * @param epoch the node's version when the ledger came into the list; part of each record's check
     * @param bytes of its entries; 0 in the last ledger, which is being written
     */
    record Part(long ledger, long firstIndex, int epoch, long bytes) {}

    /** Where the checkpoint is, and the last record whose effect it holds. */
    record Pointer(long ledger, long index) {}

    LedgerList {
        ledgers = List.copyOf(ledgers);
        garbage = Set.copyOf(garbage);
        fenced = Map.copyOf(fenced);
        if (ledgers.isEmpty()) {
            throw new IllegalArgumentException("a log without a ledger");
        }
    }

    Part last() {
        return ledgers.get(ledgers.size() - 1);
    }

    /** The place in the list of the ledger that has a record, or will have it; not less than {@link #firstIndex}. */
    int placeOf(long index) {
        int place = ledgers.size() - 1;
        while (ledgers.get(place).firstIndex() > index) {
            place--;
        }
        return place;
    }

    long firstIndex() {
        return ledgers.get(0).firstIndex();
    }

    long checkpointIndex() {
        return checkpoint == null ? 0 : checkpoint.index();
    }

    /** What the check of each record of a ledger covers besides: of another log or another ledger it is another. */
    long checkedEpoch(Part part) {
        return log.getMostSignificantBits() ^ log.getLeastSignificantBits() ^ part.epoch();
    }

    /** Refuses another quorum than the log was made with. */
    void checkQuorum(String name, @Nullable Quorum asked) throws LogException {
        if (asked != null && !asked.equals(quorum)) {
            throw new LogException(
                    "log " + name + " was made with " + quorum + ", and the address asks for " + asked
                            + ": ask for the same, or use another name",
                    null);
        }
    }

    LedgerList ofWriter(UUID other) {
        return new LedgerList(log, other, changes, quorum, ledgers, checkpoint, garbage, fenced);
    }

    /** It after one more change. */
    LedgerList changed() {
        return new LedgerList(log, writer, changes + 1, quorum, ledgers, checkpoint, garbage, fenced);
    }

    /** The last ledger is complete, and another follows it. One without entries leaves the list. */
    LedgerList followedBy(long ledger, long firstIndex, int epoch, long bytesOfLast) {
        List<Part> parts = new ArrayList<>(ledgers);
        Set<Long> unused = new TreeSet<>(garbage);
        Part last = parts.remove(parts.size() - 1);
        if (last.firstIndex() == firstIndex) {
            unused.add(last.ledger());
        } else {
            parts.add(new Part(last.ledger(), last.firstIndex(), last.epoch(), bytesOfLast));
        }
        parts.add(new Part(ledger, firstIndex, epoch, 0));
        return new LedgerList(log, writer, changes, quorum, parts, checkpoint, unused, fenced);
    }

    /** Without the ledgers whose records all lie before the index. The last one stays. */
    LedgerList withoutBefore(long index) {
        List<Part> parts = new ArrayList<>(ledgers);
        Set<Long> unused = new TreeSet<>(garbage);
        while (parts.size() > 1 && parts.get(1).firstIndex() <= index) {
            unused.add(parts.remove(0).ledger());
        }
        return new LedgerList(log, writer, changes, quorum, parts, checkpoint, unused, fenced);
    }

    LedgerList withCheckpoint(Pointer pointer) {
        Set<Long> unused = new TreeSet<>(garbage);
        unused.remove(pointer.ledger());
        if (checkpoint != null) {
            unused.add(checkpoint.ledger());
        }
        return new LedgerList(log, writer, changes, quorum, ledgers, pointer, unused, fenced);
    }

    /** With an empty ledger in the place of the last one, which was empty and is gone. */
    LedgerList withLastReplaced(long ledger, int epoch) {
        List<Part> parts = new ArrayList<>(ledgers);
        Part gone = parts.remove(parts.size() - 1);
        parts.add(new Part(ledger, gone.firstIndex(), epoch, 0));
        return new LedgerList(log, writer, changes, quorum, parts, checkpoint, garbage, fenced);
    }

    /** Whether it is a ledger of the log, of its checkpoint, or one that is to be deleted. */
    boolean names(long ledger) {
        return garbage.contains(ledger)
                || (checkpoint != null && checkpoint.ledger() == ledger)
                || ledgers.stream().anyMatch(part -> part.ledger() == ledger);
    }

    LedgerList withGarbage(Set<Long> more) {
        Set<Long> unused = new TreeSet<>(garbage);
        unused.addAll(more);
        return new LedgerList(log, writer, changes, quorum, ledgers, checkpoint, unused, fenced);
    }

    /** The writer of the last ledger was fenced. */
    LedgerList withLastFenced(long wallSeconds) {
        Map<Long, Long> all = new TreeMap<>(fenced);
        all.put(last().ledger(), wallSeconds);
        return new LedgerList(log, writer, changes, quorum, ledgers, checkpoint, garbage, all);
    }

    /** Without fences that are so old that no bookie knows their ledgers any more. */
    LedgerList withoutFencesBefore(long wallSeconds) {
        Map<Long, Long> all = new TreeMap<>(fenced);
        all.values().removeIf(since -> since < wallSeconds);
        return new LedgerList(log, writer, changes, quorum, ledgers, checkpoint, garbage, all);
    }

    LedgerList withoutGarbage(Set<Long> deleted) {
        Set<Long> unused = new TreeSet<>(garbage);
        unused.removeAll(deleted);
        return new LedgerList(log, writer, changes, quorum, ledgers, checkpoint, unused, fenced);
    }

    String encode() {
        StringBuilder text = new StringBuilder();
        text.append(MAGIC).append(' ').append(VERSION).append('\n');
        text.append("log ").append(log).append('\n');
        text.append("writer ").append(writer).append('\n');
        text.append("changes ").append(changes).append('\n');
        text.append("quorum ").append(quorum.ensemble()).append(' ');
        text.append(quorum.write()).append(' ').append(quorum.ack()).append('\n');
        for (Part part : ledgers) {
            text.append("ledger ").append(part.ledger()).append(' ').append(part.firstIndex());
            text.append(' ')
                    .append(part.epoch())
                    .append(' ')
                    .append(part.bytes())
                    .append('\n');
        }
        if (checkpoint != null) {
            text.append("checkpoint ").append(checkpoint.ledger()).append(' ');
            text.append(checkpoint.index()).append('\n');
        }
        for (long ledger : new TreeSet<>(garbage)) {
            text.append("garbage ").append(ledger).append('\n');
        }
        new TreeMap<>(fenced)
                .forEach((ledger, since) -> text.append("fenced ")
                        .append(ledger)
                        .append(' ')
                        .append(since)
                        .append('\n'));
        String lines = text.toString();
        return lines + "check " + checkOf(lines) + "\n";
    }

    /** Reads the list of a log with this name. */
    static LedgerList decode(String name, String text) throws LogException {
        String[] lines = text.split("\n", -1);
        String[] first = lines[0].split(" ", -1);
        if (first.length == 2 && first[0].equals(MAGIC) && first[1].matches("[1-9][0-9]{0,8}")) {
            int version = Integer.parseInt(first[1]);
            if (version > VERSION) {
                throw new LogException(
                        "log " + name + " was written by a newer version (its list has form " + version
                                + ", this program knows " + VERSION + "): use that version",
                        null);
            }
        }
        int check = text.lastIndexOf("check ");
        String found = check < 0 ? "" : text.substring(0, check);
        if (!text.substring(Math.max(0, check)).equals("check " + checkOf(found) + "\n")) {
            throw damaged(name, "a list that ends with its check", "another check, or none");
        }
        try {
            return parse(found.split("\n", -1));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged(name, "a list of ledgers", "a line that is none: " + e.getMessage());
        }
    }

    private static LedgerList parse(String[] lines) {
        List<Part> parts = new ArrayList<>();
        Set<Long> unused = new TreeSet<>();
        Map<Long, Long> fences = new TreeMap<>();
        Pointer pointer = null;
        int[] quorum = new int[3];
        long changes = 0;
        for (int i = 3; i < lines.length; i++) {
            String[] words = lines[i].split(" ", -1);
            switch (words[0]) {
                case "changes" -> changes = Long.parseLong(words[1]);
                case "quorum" -> {
                    for (int k = 0; k < quorum.length; k++) {
                        quorum[k] = Integer.parseInt(words[k + 1]);
                    }
                }
                case "ledger" ->
                    parts.add(new Part(
                            Long.parseLong(words[1]),
                            Long.parseLong(words[2]),
                            Integer.parseInt(words[3]),
                            Long.parseLong(words[4])));
                case "checkpoint" -> pointer = new Pointer(Long.parseLong(words[1]), Long.parseLong(words[2]));
                case "garbage" -> unused.add(Long.parseLong(words[1]));
                case "fenced" -> fences.put(Long.parseLong(words[1]), Long.parseLong(words[2]));
                case "" -> {} // behind the last line
                default -> throw new IllegalArgumentException(lines[i]);
            }
        }
        return new LedgerList(
                UUID.fromString(lines[1].substring("log ".length())),
                UUID.fromString(lines[2].substring("writer ".length())),
                changes,
                new Quorum(quorum[0], quorum[1], quorum[2]),
                parts,
                pointer,
                unused,
                fences);
    }

    private static LogException damaged(String name, String expected, String found) {
        return new LogDamagedException(
                "/plog/" + name + " in ZooKeeper",
                0,
                expected,
                found,
                "Nothing was changed; restore the node from a copy of ZooKeeper's data");
    }

    private static String checkOf(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        return String.format("%08x", crc.getValue());
    }
}
