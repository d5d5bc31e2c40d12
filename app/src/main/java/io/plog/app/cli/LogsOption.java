package io.plog.app.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command that starts servers has their logs. */
public final class LogsOption {
    @Option(
            names = "--log-dir",
            order = HelpGroups.WHERE,
            paramLabel = "DIR",
            description =
                    "Directory on the disk to use, or sim:MODEL@DIR for a simulated one; the logs go into a new one"
                            + " inside. Default: within --out.")
    private @Nullable String logDir;

    /**
     * What it names; changes nothing.
     *
     * @param otherwise the directory if it names none
     * @throws IOException if it names something that is no directory
     * @throws IllegalArgumentException if it names an unknown model
     */
    public DirectoryArgument orElse(Path otherwise) throws IOException {
        if (logDir == null) {
            return DirectoryArgument.parse(otherwise.toString());
        }
        DirectoryArgument named = DirectoryArgument.parse(logDir);
        ResultsDirectory.checkLogDir(named.directory());
        return named;
    }
}
