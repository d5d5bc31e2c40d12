package io.plog.app.log;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.log.LogTools;
import io.plog.log.spi.LogDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code plog log copy}: a copy of a log that is one. */
@Command(
        name = "copy",
        description = {
            "Copies a log, also while a server writes it, and verifies the copy: a backup, or a log to look into.",
            "The copy has every record that was acknowledged before it began, and the checkpoint. If it is interrupted, no"
                    + " server takes what is there for a log: delete it, and copy again."
        })
final class LogCopyCommand extends NamedLogCommand {
    @Parameters(
            index = "1",
            paramLabel = "DESTINATION",
            description = "An empty directory, or one that does not exist; for a striped log as many: DIR1+DIR2+...")
    private String destination;

    @Override
    protected ExitCode run() throws IOException {
        List<Path> source =
                directories("plog log copy copies files, and a log at an address has its copies on its bookies");
        // A log of one directory goes to one, whatever its name.
        List<Path> target = source.size() == 1 ? List.of(Path.of(destination)) : LogDirectories.parse(destination);
        for (Path directory : target) {
            Files.createDirectories(directory);
        }
        LogTools.CopySummary copied = LogTools.copy(LogDirectories.open(source), LogDirectories.open(target));
        print(text(copied), JsonText.object().put("records", copied.records()).setAll(JsonText.fields(copied)));
        return ExitCode.DONE;
    }

    private String text(LogTools.CopySummary copied) {
        return "copied and verified: " + records(copied.records(), copied.firstIndex(), copied.lastIndex())
                + (copied.checkpointIndex() == 0 ? "" : ", the checkpoint at " + copied.checkpointIndex()) + ", "
                + copied.bytes() + " bytes in " + destination;
    }
}
