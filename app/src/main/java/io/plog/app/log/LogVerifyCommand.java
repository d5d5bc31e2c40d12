package io.plog.app.log;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.log.LogTools;
import io.plog.log.spi.StoredLog;
import io.plog.log.storage.LogDamagedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code plog log verify}: reads everything and says whether it is as it should be. */
@Command(
        name = "verify",
        description = "Reads and checks every record. Exit code 0: all is well; 1: there is no log; 3: it is damaged.")
final class LogVerifyCommand extends NamedLogCommand {
    @Override
    protected ExitCode run() throws IOException {
        LogTools.Inspection found = log().look(StoredLog::inspect);
        LogDamagedException damage = found.damage().orElse(null);
        if (damage == null && found.logId().isEmpty()) {
            // Such as the mount point of a disk that is not mounted: nothing that was promised is fine there.
            throw new IOException("there is no log in " + log().describe());
        }
        print(text(found, damage), json(found));
        if (damage != null) {
            throw damage;
        }
        return ExitCode.DONE;
    }

    private static String text(LogTools.Inspection found, @Nullable LogDamagedException damage) {
        List<String> lines = new ArrayList<>();
        String read = records(found.records(), found.firstIndex(), found.lastIndex()) + " in "
                + found.segments().size() + " segments";
        if (damage != null) {
            lines.add("damaged: " + read + " are intact before the damage");
        } else if (tornBytes(found) > 0) {
            lines.add("fine: " + read + " are intact; a torn tail will be cut and kept when the log is opened");
        } else {
            lines.add("fine: " + read + " are intact"
                    + (found.cleanlyClosed()
                            ? "; the log was closed in order"
                            : "; the log was not closed, or is open"));
        }
        found.segments().forEach(segment -> lines.addAll(finding(found, segment, damage)));
        found.windows().forEach(window -> lines.add("note: " + window.describe()));
        found.notes().forEach(note -> lines.add("note: " + note));
        return String.join(System.lineSeparator(), lines);
    }

    /** What is not plainly valid, in the words of docs/log-format.md. */
    private static List<String> finding(
            LogTools.Inspection found, LogTools.Segment segment, @Nullable LogDamagedException damage) {
        String place = (segment.directory().isEmpty() ? "" : segment.directory() + ", ") + segment.file() + ", offset "
                + segment.usedBytes() + ": " + segment.content();
        if (damage != null
                && damage.file().equals(segment.file())
                && damage.directory().equals(segment.directory())) {
            return List.of(place + ", before the watermark: expected " + damage.expected() + ", found " + damage.found()
                    + ". The log is not opened");
        }
        if (segment.tornBytes() == 0) {
            return List.of();
        }
        String next = segment.directory().isEmpty()
                ? "record " + (segment.lastIndex() + 1)
                : "a record from " + (segment.lastIndex() + 1) + " on";
        return List.of(place + ", last segment, behind the watermark: " + segment.tornBytes() + " bytes where "
                + next + " would stand (found " + segment.stopReason() + "). Everything up to " + found.markedIndex()
                + " is known to have been durable; what these bytes were may have been acknowledged, but nothing in"
                + " the log says so");
    }

    private static long tornBytes(LogTools.Inspection found) {
        return found.segments().stream().mapToLong(LogTools.Segment::tornBytes).sum();
    }

    private static ObjectNode json(LogTools.Inspection found) {
        ObjectNode json = JsonText.object()
                .put("ok", found.damage().isEmpty())
                .put("records", found.records())
                .put("firstIndex", found.firstIndex())
                .put("lastIndex", found.lastIndex())
                .put("markedIndex", found.markedIndex())
                .put("cleanlyClosed", found.cleanlyClosed())
                .put("checkpointIndex", found.checkpointIndex())
                .put("tornBytes", tornBytes(found));
        json.set("segments", JsonText.array(found.segments().stream().map(LogVerifyCommand::json)));
        json.set("windows", JsonText.array(found.windows().stream().map(LogInfoCommand::placed)));
        found.damage()
                .ifPresent(damage -> (damage.directory().isEmpty() ? json : json.put("directory", damage.directory()))
                        .put("file", damage.file())
                        .put("offset", damage.offset())
                        .put("expected", damage.expected())
                        .put("found", damage.found()));
        return json;
    }

    private static ObjectNode json(LogTools.Segment segment) {
        ObjectNode json = LogInfoCommand.placed(segment);
        json.retain("directory", "file", "state", "content");
        return json.put("offset", segment.usedBytes());
    }
}
