package io.plog.app.lab.yours;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.lab.yours.Promise.Verdict;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SplittableRandom;
import picocli.CommandLine.Option;

/** Judges a program by random histories in a folder of this directory, which is kept if one breaks a promise. */
abstract class ProgramCommand extends JudgeCommand {
    private static final Path FOLDER = Path.of("yours-files");

    @Option(
            names = "--command",
            required = true,
            paramLabel = "COMMAND",
            description = "The program and its arguments.")
    private String command;

    /** Lets a program live through histories. For one thread. */
    interface Trial extends Closeable {
        /**
         * One history.
         *
         * @param may what may happen in it
         * @return what was wrong, a sentence; "" if nothing was
         */
        String history(Set<String> may, SplittableRandom random) throws IOException, InterruptedException;
    }

    private final String kind;

    /**
     * A command.
     *
     * @param kind of the promises
     * @param enough histories of each promise for points
     */
    ProgramCommand(String kind, int enough) {
        super(enough);
        this.kind = kind;
    }

    abstract Trial trial(String program, Path folder) throws IOException, InterruptedException;

    @Override
    protected final ExitCode run() throws IOException, InterruptedException {
        histories();
        Files.deleteIfExists(RESULT);
        ResultsDirectory.delete(FOLDER);
        Files.createDirectories(FOLDER);
        ExitCode code;
        try (Trial trial = trial(command, FOLDER)) {
            code = judge(
                    Promise.of(kind),
                    (promise, most) -> judge(trial, promise, most, seed()),
                    command,
                    command.getBytes(StandardCharsets.UTF_8));
        }
        if (code == ExitCode.DONE) {
            ResultsDirectory.delete(FOLDER);
        } else {
            say("what it worked on is in " + FOLDER);
        }
        return code;
    }

    /** Tries histories until one breaks the promise. */
    static Verdict judge(Trial trial, Promise promise, int most, long seed) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed + promise.title().hashCode());
        String why = "";
        int history = 0;
        while (why.isEmpty() && history < most) {
            why = trial.history(promise.may(), random.split());
            history++;
        }
        return promise.after(history, why);
    }
}
