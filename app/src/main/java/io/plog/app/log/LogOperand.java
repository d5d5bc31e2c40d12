package io.plog.app.log;

import io.plog.app.cli.LogArgument;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What the commands that look into a log have in common. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class LogOperand {
    @Parameters(
            index = "0",
            paramLabel = LogArgument.LABEL,
            description = "The log's directory; of a striped log all of them: DIR1+DIR2+...; or the address of a log on"
                    + " several machines: bookkeeper://ZOOKEEPER:PORT/NAME")
    private String name;

    @Option(names = "--json", description = "Print JSON, one object a line.")
    boolean json;

    @Spec(Target.MIXEE)
    CommandSpec spec;

    /**
     * The log as the user named it.
     *
     * @throws IllegalArgumentException if that names none
     */
    LogArgument log() {
        return LogArgument.parse(name);
    }

    /**
     * The log's directories, in order, for what works on files.
     *
     * @param why the rest of a sentence that begins with "an address"
     * @throws IOException if one does not exist
     * @throws IllegalArgumentException if the log is at an address
     */
    List<Path> directories(String why) throws IOException {
        LogArgument log = log();
        if (log.address() != null) {
            throw new IllegalArgumentException(log + " is an address: expected a directory; " + why);
        }
        return log.existing();
    }
}
