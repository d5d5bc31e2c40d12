package io.plog.app.log;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.log.LogDirectories;
import io.plog.log.LogTools;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code plog log copy}: a copy of a log that is one. */
@Command(
        name = "copy",
        mixinStandardHelpOptions = true,
        description = {
            "Copies a log, also while a server writes it, and verifies the copy: a backup, or a log to look into.",
            "The copy has every record that was acknowledged before it began, and the checkpoint. If it is interrupted, no"
                    + " server takes what is there for a log: delete it, and copy again."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class LogCopyCommand implements Callable<Integer> {
    @Mixin
    private LogOperand log;

    @Parameters(
            index = "1",
            paramLabel = "DESTINATION",
            description = "An empty directory, or one that does not exist; for a striped log as many: DIR1+DIR2+...")
    private String destination;

    @Override
    public Integer call() throws IOException {
        List<Path> source =
                log.directories("plog log copy copies files, and a log at an address has its copies on its bookies");
        List<Path> target = LogDirectories.parse(destination);
        for (Path directory : target) {
            Files.createDirectories(directory);
        }
        LogTools.CopySummary copied = LogTools.copy(LogDirectories.open(source), LogDirectories.open(target));
        PrintWriter out = log.spec.commandLine().getOut();
        out.println(log.json ? json(copied) : text(copied));
        out.flush();
        return ExitCode.DONE.code();
    }

    private String text(LogTools.CopySummary copied) {
        return "copied and verified: " + copied.records() + " records"
                + (copied.records() == 0 ? "" : " (" + copied.firstIndex() + " to " + copied.lastIndex() + ")")
                + (copied.checkpointIndex() == 0 ? "" : ", the checkpoint at " + copied.checkpointIndex()) + ", "
                + copied.bytes() + " bytes in " + destination;
    }

    private static String json(LogTools.CopySummary copied) {
        return JsonText.line(JsonText.object().put("records", copied.records()).setAll(JsonText.fields(copied)));
    }
}
