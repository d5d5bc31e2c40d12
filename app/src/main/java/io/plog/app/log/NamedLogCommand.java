package io.plog.app.log;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.JsonText;
import io.plog.app.cli.LogArgument;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands that look into a log have in common. */
abstract class NamedLogCommand extends ConsoleCommand {
    @Parameters(
            index = "0",
            paramLabel = LogArgument.LABEL,
            description = "The log's directory; of a striped log all of them: DIR1+DIR2+...; or the address of a log on"
                    + " several machines: bookkeeper://ZOOKEEPER:PORT/NAME")
    private String name;

    @Option(names = "--json", description = "Print JSON, one object a line.")
    private boolean json;

    /**
     * The log as the user named it.
     *
     * @throws IllegalArgumentException if that names none
     */
    final LogArgument log() {
        return LogArgument.parse(name);
    }

    /**
     * The log's directories, in order, for what works on files.
     *
     * @param why the rest of a sentence that begins with "an address"
     * @throws IOException if one does not exist
     * @throws IllegalArgumentException if the log is at an address
     */
    final List<Path> directories(String why) throws IOException {
        LogArgument log = log();
        if (log.address() != null) {
            throw new IllegalArgumentException(log + " is an address: expected a directory; " + why);
        }
        return log.existing();
    }

    final boolean isJson() {
        return json;
    }

    /** Prints one of the two. */
    final void print(String text, ObjectNode object) {
        out().println(json ? JsonText.line(object) : text);
    }

    /** So many records, and which they are. */
    static String records(long count, long first, long last) {
        return count + " records" + (count == 0 ? "" : " (" + first + " to " + last + ")");
    }
}
