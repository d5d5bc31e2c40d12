package io.plog.app.log;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.log.LogTools;
import io.plog.log.storage.LogDamagedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code plog log info}: what a log holds. */
@Command(name = "info", description = "Prints what the log holds: ranges, sizes, marks.")
final class LogInfoCommand extends NamedLogCommand {
    @Override
    protected ExitCode run() throws IOException {
        List<String> servers = new ArrayList<>();
        LogTools.Inspection found = log().look(stored -> {
            servers.addAll(stored.servers());
            return stored.inspect();
        });
        print(text(found, servers), json(found, servers));
        if (found.damage().isPresent()) {
            throw found.damage().get();
        }
        return ExitCode.DONE;
    }

    private String text(LogTools.Inspection found, List<String> servers) {
        StringBuilder text = new StringBuilder();
        line(text, place(), log().describe());
        line(text, "log", found.logId().isEmpty() ? "none yet" : found.logId());
        line(text, "records", found.records() + range(found.firstIndex(), found.lastIndex()));
        line(text, "durable", "known up to record " + found.markedIndex());
        line(text, "checkpoint", found.checkpointIndex() == 0 ? "none" : "at record " + found.checkpointIndex());
        line(text, "closed", found.cleanlyClosed() ? "in order" : "not in order, or open at this moment");
        if (log().address() != null) {
            line(text, "holder", servers.isEmpty() ? "no standby" : servers.get(0));
            servers.stream().skip(1).forEach(each -> line(text, "waiting", each));
        }
        text.append(String.format(
                "%n%-28s %-9s %-8s %12s %12s %12s %12s %8s%n",
                "segment", "state", "content", "first", "last", "bytes", "used", "torn"));
        String directory = "";
        for (LogTools.Segment segment : found.segments()) {
            if (!segment.directory().equals(directory)) {
                directory = segment.directory();
                text.append("in ").append(directory).append(System.lineSeparator());
            }
            text.append(String.format(
                    "%-28s %-9s %-8s %12s %12s %12d %12d %8d%n",
                    segment.file(),
                    segment.state(),
                    segment.content(),
                    segment.lastIndex() < segment.firstIndex() ? "-" : segment.firstIndex(),
                    segment.lastIndex() < segment.firstIndex() ? "-" : segment.lastIndex(),
                    segment.fileBytes(),
                    segment.usedBytes(),
                    segment.tornBytes()));
        }
        found.notes().forEach(note -> text.append("note: ").append(note).append(System.lineSeparator()));
        return text.toString().stripTrailing();
    }

    private String place() {
        return log().address() == null ? "directory" : "address";
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format("%-10s %s%n", name, value));
    }

    private static String range(long first, long last) {
        return last < first ? "" : " (" + first + " to " + last + ")";
    }

    private ObjectNode json(LogTools.Inspection found, List<String> servers) {
        ObjectNode json = JsonText.object()
                .put(place(), log().describe())
                .put("logId", found.logId())
                .put("records", found.records())
                .put("firstIndex", found.firstIndex())
                .put("lastIndex", found.lastIndex())
                .put("markedIndex", found.markedIndex())
                .put("checkpointIndex", found.checkpointIndex())
                .put("cleanlyClosed", found.cleanlyClosed());
        json.set("servers", JsonText.texts(servers.stream()));
        json.set("segments", JsonText.array(found.segments().stream().map(LogInfoCommand::placed)));
        json.set("notes", JsonText.texts(found.notes().stream()));
        json.put("damage", found.damage().map(LogDamagedException::getMessage).orElse(""));
        return json;
    }

    /** What a log has in one of its directories, which a log with a single one does not name. */
    static ObjectNode placed(Record part) {
        ObjectNode json = JsonText.fields(part);
        if (json.path("directory").asText().isEmpty()) {
            json.remove("directory");
        }
        return json;
    }
}
