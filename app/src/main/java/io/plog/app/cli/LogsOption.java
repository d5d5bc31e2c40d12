package io.plog.app.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command that starts servers has their logs. */
public final class LogsOption {
    @Option(
            names = "--log-dir",
            paramLabel = "DIR",
            description =
                    "Directory on the disk to use, sim:MODEL@DIR for a simulated one, or sim:MODEL; the logs go into a"
                            + " new one inside. Default: within --out.")
    private @Nullable String logDir;

    /**
     * What it names; changes nothing.
     *
     * @param otherwise the directory if it names none; need not exist yet
     * @throws IOException if it names something else that is no directory
     * @throws IllegalArgumentException if it names an unknown model
     */
    public DirectoryArgument orElse(Path otherwise) throws IOException {
        DirectoryArgument within = new DirectoryArgument(otherwise, null);
        DirectoryArgument named = logDir == null ? within : DirectoryArgument.parse(logDir, otherwise);
        return named.directory().equals(within.directory()) ? named : named.existing();
    }
}
