package io.plog.app.lab;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plog lab bug}: hunts the bugs of lab 9. */
@Command(
        name = "bug",
        description = {
            "Runs random histories against logs that each have a bug, on a simulated disk with the faults that you choose, until a"
                    + " promise is broken. Adds a line for each to bugs.csv in this directory.",
            "Example:",
            "  plog lab bug 3 --faults cut,force --histories 200"
        })
final class LabBugCommand extends ConsoleCommand {
    static final String NAME = "lab bug";

    /** A line of the table: bug, faults, histories, whether it was found, and the seed of the first. */
    static final Pattern ROW = Pattern.compile("([0-8]),([a-z+]+),(\\d{1,9}),(true|false),[^,]*,(\\d{1,18})");

    private static final List<String> FAULTS = List.of("cut", "kill", "force", "write", "short", "space");
    private static final Path TABLE = Path.of("bugs.csv");
    private static final String HEADING = "bug,faults,histories,found,promise,seed\n";

    @Parameters(
            paramLabel = "NUMBER",
            arity = "1..*",
            description = "The bugs, 1 to " + BugLoader.BUGS + "; 0 is the log without one.")
    private List<Integer> bugs;

    @Option(
            names = "--faults",
            paramLabel = "FAULT",
            split = ",",
            defaultValue = "cut",
            description =
                    "What may happen: cut (the power), kill (the process), force (fails once), write (fails once), short"
                            + " (writes write less), space (the disk is full).")
    private LinkedHashSet<String> faults;

    @Option(
            names = "--histories",
            paramLabel = "N",
            defaultValue = "500",
            description = "At most so many for each bug (default: ${DEFAULT-VALUE}).")
    private int histories;

    @Option(names = "--seed", paramLabel = "N", description = "Repeats the histories of an earlier run.")
    private @Nullable Long seed;

    @Override
    protected ExitCode run() throws IOException {
        for (int bug : bugs) {
            if (bug < 0 || bug > BugLoader.BUGS) {
                throw new IllegalArgumentException("there is no bug " + bug + ": expected 0 to " + BugLoader.BUGS);
            }
        }
        for (String fault : faults) {
            if (!FAULTS.contains(fault)) {
                throw new IllegalArgumentException(
                        "unknown fault '" + fault + "': expected some of " + String.join(",", FAULTS));
            }
        }
        if (histories < 1) {
            throw new IllegalArgumentException("--histories is " + histories + ": expected 1 or more");
        }
        long first = seed == null ? new SplittableRandom().nextLong(1L << 32) : seed;
        int found = 0;
        for (int bug : bugs) {
            found += hunt(bug, first) ? 1 : 0;
        }
        if (bugs.size() > 1) {
            out().println(found + " of " + bugs.size() + " found");
        }
        return ExitCode.DONE;
    }

    private boolean hunt(int bug, long first) throws IOException {
        BugLoader loader = new BugLoader(bug);
        String with = String.join("+", faults);
        String broken = "";
        int history = 0;
        while (broken.isEmpty() && history < histories) {
            broken = loader.history(first + history, faults);
            history++;
        }
        PrintWriter out = out();
        if (!broken.isEmpty()) {
            out.println("bug " + bug + ": found in history " + history + " with " + with + " (--seed "
                    + (first + history - 1) + ")");
            out.println("  " + broken);
        } else {
            out.println("bug " + bug + ": not found in " + history + " histories with " + with);
        }
        out.flush();
        if (!Files.exists(TABLE)) {
            Files.writeString(TABLE, HEADING);
        }
        String promise = broken.split(":", 2)[0];
        Files.writeString(
                TABLE,
                bug + "," + with + "," + history + "," + !broken.isEmpty() + "," + promise + "," + first + "\n",
                StandardOpenOption.APPEND);
        return !broken.isEmpty();
    }
}
