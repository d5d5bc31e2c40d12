package io.plog.app.cli;

import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a measured run's results go and what is printed of them. Set by picocli. */
public final class ResultOptions {
    @Option(
            names = {"-o", "--out"},
            order = HelpGroups.RESULTS,
            paramLabel = "DIR",
            description = "Directory for the results. Default: a new one under plog-results, named after the time.")
    private @Nullable Path out;

    @Option(
            names = "--overwrite",
            order = HelpGroups.RESULTS,
            description = "Replace results that are in the directory already.")
    private boolean overwrite;

    @Option(names = "--csv", order = HelpGroups.RESULTS, description = "Also export all samples as samples.csv.")
    private boolean csv;

    @Option(names = "--json", order = HelpGroups.RESULTS, description = "Print results.json instead of the summary.")
    private boolean json;

    /** The directory that was named, or one named after the time. */
    public Path directory() {
        return out != null ? out : ResultsDirectory.byTime("", Instant.now());
    }

    /** Whether results that are there may be replaced. */
    public boolean overwrite() {
        return overwrite;
    }

    /** Whether all samples are exported as text, too. */
    public boolean csv() {
        return csv;
    }

    /** Whether JSON is printed. */
    public boolean json() {
        return json;
    }
}
