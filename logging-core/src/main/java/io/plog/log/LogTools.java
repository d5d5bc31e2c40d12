package io.plog.log;

import io.plog.log.file.CloseAll;
import io.plog.log.spi.LogDirectories;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Tools for commands: inspect a log, find intact records in a damaged one, repair it. An application that embeds a log does
 * not need them.
 */
public final class LogTools {
    private LogTools() {}

    // ---- Inspection ----

    /**
     * What a log's directory, or the directories of a striped log, hold, found out by reading all of it and changing nothing. Safe
     * concurrently with a running writer, although the end is then a moving one.
     *
     * @param logId the log's own identity; empty if there is no log
     * @param firstIndex the index of the first record, or that it would have
     * @param lastIndex the index of the last intact record; {@code firstIndex - 1} if there is none
     * @param markedIndex every record up to this index is known to have been durable
     * @param cleanlyClosed whether the log was closed in order and nothing happened since
     * @param checkpointIndex the index of its checkpoint, 0 if there is none
     * @param segments its segments in order, those prepared ahead of time included, and one that is damaged or missing; of a
     *     striped log, directory by directory
     * @param notes other findings, a sentence each
     * @param damage what is damaged, if anything; {@code segments} then ends with the last segment that could be read
     * @param windows where damage could not be distinguished from a torn write: one for each directory that was not closed in
     *     order, none if the log is damaged
     */
    public record Inspection(
            String logId,
            long firstIndex,
            long lastIndex,
            long markedIndex,
            boolean cleanlyClosed,
            long checkpointIndex,
            List<Segment> segments,
            List<String> notes,
            Optional<LogDamagedException> damage,
            List<Window> windows) {
        /** How many intact records there are. */
        public long records() {
            return lastIndex - firstIndex + 1;
        }
    }

    /**
     * One segment.
     *
     * @param directory which of a striped log's directories it is in; empty if the log has one directory only
     * @param file the file's name
     * @param state what it is: {@code sealed} (complete), {@code active} (the last in use), {@code prepared}, or
     *     {@code superseded} (behind the end of a striped log: a recovery would cut all of it)
     * @param content what was found in it: {@code valid}, {@code empty}, {@code torn}, {@code damaged} or {@code missing}, as
     *     {@code docs/log-format.md} defines them
     * @param firstIndex the index of its first record, or that it would have (in a striped log, at least); 0 if prepared
     * @param lastIndex the index of its last record; {@code firstIndex - 1} if it has none
     * @param fileBytes the file's length
     * @param usedBytes where its valid records end, in bytes from the start of the file
     * @param tornBytes bytes of something unfinished behind that place; a recovery would cut them
     * @param stopReason what was found where the valid records end
     */
    public record Segment(
            String directory,
            String file,
            String state,
            String content,
            long firstIndex,
            long lastIndex,
            long fileBytes,
            long usedBytes,
            long tornBytes,
            String stopReason) {}

    /**
     * The end of a directory that was not closed in order. Nothing outside of these bytes says that the records in them were
     * ever durable; so damage to them would be taken for a write that the crash interrupted.
     *
     * @param directory which of a striped log's directories it is in; empty if the log has one directory only
     * @param file the file's name
     * @param offset where it begins, in bytes from the start of the file: a block of 4096 bytes, or where the next record would
     *     go if no record is in doubt
     * @param firstIndex the first record that is in doubt; 0 if none is
     * @param lastIndex the last one; -1 if none is
     */
    public record Window(String directory, String file, long offset, long firstIndex, long lastIndex) {
        /** The window in a sentence. */
        public String describe() {
            String place = (directory.isEmpty() ? "" : directory + ", ") + file;
            return firstIndex == 0
                    ? "if a record stood at offset " + offset + " of " + place
                            + " and was damaged, that could not be distinguished from a torn write"
                    : "damage to what stands from offset " + offset + " of " + place + " on (records " + firstIndex
                            + " to " + lastIndex + ") could not be distinguished from a torn write";
        }
    }

    /**
     * Inspects the directories of a log, one or several in order.
     *
     * @throws LogException if one does not exist or cannot be used, or they are not all of the directories of one log in order
     * @throws IOException if the operating system fails to read; damage is not thrown but reported
     */
    public static Inspection inspect(List<Path> directories) throws IOException {
        List<Storage> storages = LogDirectories.open(directories);
        Inspection found = LogInspector.inspect(storages);
        new CloseAll(storages).close();
        return found;
    }

    /** Inspects a log of one directory. */
    public static Inspection inspect(Path directory) throws IOException {
        return inspect(List.of(directory));
    }

    /** Inspects a log of one directory on another storage, which stays open. */
    public static Inspection inspect(Storage storage) throws IOException {
        return inspectStorages(List.of(storage));
    }

    /** Inspects a log on other storages, all of them in order, which stay open. */
    public static Inspection inspectStorages(List<? extends Storage> storages) throws IOException {
        return LogInspector.inspect(storages);
    }

    // ---- Repair ----

    /** What can be done about damage. */
    public enum Remedy {
        /** End the log where the damage begins. */
        CUT,
        /** Fill the missing end of a segment's file with zeros; what that end held is damage of its own afterwards, if any. */
        PAD,
        /** Make the head anew from the oldest segment. */
        REBUILD_HEAD,
        /** Continue without the checkpoint. */
        DROP_CHECKPOINT,
        /** Continue without the cells. */
        DROP_CELLS
    }

    /**
     * Damage, and what its repair would cost.
     *
     * @param damage what is damaged
     * @param remedy what can be done
     * @param firstLost the index of the first record that the log would lose; 0 if it would lose none
     * @param acknowledged every record up to this index was acknowledged, as far as the log itself says; so those from
     *     {@code firstLost} to here are acknowledged records that would be lost
     * @param intactBehind how many intact records lie behind the damage and would be cut with it
     */
    public record RepairPlan(
            LogDamagedException damage, Remedy remedy, long firstLost, long acknowledged, long intactBehind) {
        /** How many acknowledged records the log would lose, at least. */
        public long acknowledgedLost() {
            return firstLost == 0 ? 0 : Math.max(0, acknowledged - firstLost + 1);
        }
    }

    /**
     * Looks for the first damage and what can be done about it, changing nothing.
     *
     * @param storages all directories of the log, in order
     * @return empty if the log is not damaged
     * @throws LogDamagedException if nothing that is done here would help; it says why
     */
    public static Optional<RepairPlan> planRepair(List<? extends Storage> storages) throws IOException {
        return LogRepair.plan(storages);
    }

    /**
     * Makes a damaged log usable again by giving up what is damaged and everything behind it. It follows the plan exactly,
     * keeps what it cuts in files next to the log, and says which acknowledged records the log has lost.
     *
     * <p>It does not join what lies before the damage with what lies behind it: a log with a gap would be replayed into a state that
     * never was. {@link #salvage(List, SalvageSink)} gets at the intact records behind the damage, before a repair.
     *
     * <p>Of a striped log it cuts every directory at the same record, and the damaged one last.
     *
     * <p>Takes the writer's lock. If it is interrupted by a crash, the log is damaged as before, or repaired, or ends with a torn
     * tail that the next recovery cuts and keeps; what was cut is kept in each case.
     *
     * @param plan as {@link #planRepair} gave it; what is done is about exactly this damage
     * @param storages all directories of the log, in order
     * @return the names of the files in which what was cut is kept, with their directories if there are several
     * @throws IllegalArgumentException if the log is not damaged in this way (any more); nothing was changed
     * @throws LogLockedException if the log is open
     */
    public static List<String> repair(RepairPlan plan, List<? extends Storage> storages) throws IOException {
        return LogRepair.carryOut(plan, storages);
    }

    // ---- Copies ----

    /**
     * A copy of a log.
     *
     * @param firstIndex the index of its first record, or that it would have
     * @param lastIndex the index of its last record; {@code firstIndex - 1} if it has none
     * @param checkpointIndex the index of its checkpoint, 0 if there is none
     * @param bytes of its segments
     */
    public record CopySummary(long firstIndex, long lastIndex, long checkpointIndex, long bytes) {
        /** How many records it has. */
        public long records() {
            return lastIndex - firstIndex + 1;
        }
    }

    /**
     * Copies a log, also while it is being written, and verifies the copy. It has every record that was durable when this was
     * called, and the checkpoint; it is a log of its own, of the same identity, that was not closed (or was, if that one was).
     *
     * <p>A copy that was interrupted, or failed, is refused by every opening. Files that are copied by other means, one after the
     * other or as links, are no copy of a log that is being written.
     *
     * @param from all directories of the log, in order
     * @param to as many empty directories
     * @throws LogDamagedException if the log is damaged
     * @throws LogException if there is no log, if a directory is not empty, or if the log drops its beginning faster than it is copied
     */
    public static CopySummary copy(List<? extends Storage> from, List<? extends Storage> to) throws IOException {
        return LogCopy.copy(from, to);
    }

    // ---- Salvage ----

    /** Receives what is found, in log order; of a striped log, in that of each directory. */
    public interface SalvageSink {
        /**
         * An intact record.
         *
         * @param file the segment's name; of a striped log, with the directory before it
         * @param payload read-only, valid during the call
         */
        void record(String file, long offset, long index, ByteBuffer payload) throws IOException;
    }

    /**
     * What was found.
     *
     * @param records how many intact records
     * @param firstIndex the index of the first of them, 0 if there is none
     * @param lastIndex the index of the last of them, 0 if there is none
     * @param missing how many records between those two are missing, if none was found twice
     * @param acknowledged every record up to this index was acknowledged, as the highest intact watermark says
     * @param unreadableSegments segments whose header is damaged
     * @param lost what the disk cannot read, of which file
     */
    public record SalvageSummary(
            long records,
            long firstIndex,
            long lastIndex,
            long missing,
            long acknowledged,
            int unreadableSegments,
            List<String> lost) {}

    /**
     * Finds every intact record of a log, also those behind damage, which no reader delivers, because a log with a gap is none.
     * For people who have to save what can be saved; it changes nothing.
     *
     * <p>Each segment is searched by itself, and of a striped log one directory after the other. A record is recognised by its
     * check, which covers its segment's epoch, and by its payload's, and must come later in the order than the one before; so
     * neither old bytes nor damaged ones are taken for records. A segment whose own header is damaged cannot be searched, since
     * its epoch is lost.
     *
     * @param directories all directories of the log, in any order
     * @throws IOException if the operating system fails to read, or the sink throws it
     */
    public static SalvageSummary salvage(List<Path> directories, SalvageSink sink) throws IOException {
        List<Storage> storages = LogDirectories.open(directories);
        SalvageSummary found = LogSalvage.search(storages, sink);
        new CloseAll(storages).close();
        return found;
    }
}
