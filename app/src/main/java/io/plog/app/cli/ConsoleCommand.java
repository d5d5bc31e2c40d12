package io.plog.app.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * What all commands have in common: {@code --help}, the exit codes, and where they print: results on standard output, all else on
 * standard error. Set by picocli; for one thread, but for what it prints.
 */
@Command(
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed, or ended early (Ctrl-C, server gone): what was measured is written, marked as partial",
            "2:misused: an option, or what it names, makes no sense",
            "3:the log is damaged",
            "4:an audit, a gate (--fail-if) or an expectation did not hold",
            "5:measured to its end, but the run is not valid; the summary says why"
        })
public abstract class ConsoleCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /**
     * Does it.
     *
     * @return how it ended
     * @throws Exception that {@link Failures} words
     */
    protected abstract ExitCode run() throws Exception;

    /** Gives back what it kept until its end, whichever that is. */
    protected void ended() throws IOException {}

    @Override
    public final Integer call() throws Exception {
        try {
            return run().code();
        } finally {
            out().flush();
            err().flush();
            ended();
        }
    }

    protected final CommandSpec spec() {
        return spec;
    }

    /** Where results go; flushed at the end. */
    protected final PrintWriter out() {
        return new CleanWriter(spec.commandLine().getOut());
    }

    /** Where all else goes; flushed at the end. */
    protected final PrintWriter err() {
        return new CleanWriter(spec.commandLine().getErr());
    }

    /** Prints results at once. */
    public final void print(String text) {
        out().print(text);
        out().flush();
    }

    /** Says something on standard error, at once. */
    public void say(String line) {
        err().println(line);
        err().flush();
    }

    /** Says what is not as it should be, or a note, after the command's name. */
    public final void complain(String sentence) {
        say(spec.qualifiedName() + ": " + sentence);
    }
}
