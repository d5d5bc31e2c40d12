package io.plog.app.cli;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the commands have in common that write a directory of results. */
public abstract class ResultsCommand extends ConsoleCommand {
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

    /** Kept until the command ends. */
    private @Nullable Closeable lock;

    /** The directory for the results: the one that was named, or one named after the command and the time. */
    protected final Path directory() {
        if (out == null) {
            out = ResultsDirectory.byTime(spec().name() + "-", Instant.now());
        }
        return out;
    }

    /**
     * Checks that results may be written there; changes nothing.
     *
     * @throws IOException if they may not
     */
    protected final void checkDirectory() throws IOException {
        ResultsDirectory.check(directory(), overwrite);
    }

    /**
     * Makes the directory ready for new results.
     *
     * @throws IOException if there are some that may not be replaced
     */
    protected final Path prepareDirectory() throws IOException {
        lock = ResultsDirectory.prepare(directory(), overwrite);
        return directory();
    }

    /**
     * Keeps other runs out of the directory of an interrupted run.
     *
     * @throws IOException if it still runs
     */
    protected final Path resumeDirectory(Path interrupted) throws IOException {
        lock = ResultsLock.take(interrupted);
        return interrupted;
    }

    /** Notes what else this command has in a directory on a disk that it measures: what was killed could not remove its own. */
    protected final void noteOthers(Path directory) {
        String @Nullable [] names = directory.toFile().list();
        for (String name : names == null ? new String[0] : names) {
            if (name.matches("plog-" + spec().name() + "-\\d{12,}")) {
                complain("note: " + directory.resolve(name)
                        + " was left by a run that was killed or failed, unless one that"
                        + " is under way uses it: delete it if you do not need it");
            }
        }
    }

    @Override
    protected void ended() throws IOException {
        if (lock != null) {
            lock.close();
        }
    }
}
