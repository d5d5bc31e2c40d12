package io.plog.app.cli;

import io.plog.log.storage.LogDamagedException;
import io.plog.measure.PlanException;
import io.plog.results.compare.NotComparableException;
import io.plog.stats.text.ClosestName;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Turns whatever a command throws into one line on standard error and an exit code. This is the only place that does,
 * so that every command fails alike.
 */
public final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
    private final boolean stackTraces;
    private final UnaryOperator<String> origin;

    /**
     * @param stackTraces whether to print the stack trace after the line
     * @param origin says of a sentence where a value comes from that it quotes, to stand behind it; "" if that is plain
     */
    public Failures(boolean stackTraces, UnaryOperator<String> origin) {
        this.stackTraces = stackTraces;
        this.origin = origin;
    }

    @Override
    public int handleExecutionException(Exception thrown, CommandLine command, ParseResult parsed) {
        String sentence = sentence(thrown);
        print(command, sentence + (thrown instanceof IllegalArgumentException ? origin.apply(sentence) : ""), thrown);
        return exitCode(cause(thrown)).code();
    }

    /**
     * Reports a failure that cannot be thrown through picocli, such as one in a shutdown hook.
     *
     * @return the exit code
     */
    public static int report(CommandLine command, Exception failure) {
        Failures failures =
                command.getExecutionExceptionHandler() instanceof Failures own ? own : new Failures(false, line -> "");
        return failures.handleExecutionException(failure, command, command.getParseResult());
    }

    @Override
    public int handleParseException(ParameterException misuse, String[] args) {
        CommandLine command = misuse.getCommandLine();
        String hint = misuse instanceof UnmatchedArgumentException unmatched
                ? suggestion(command, unmatched)
                : nameLikeAnOption(command);
        String line = misuse.getMessage() + origin.apply(misuse.getMessage()) + hint + "; '"
                + command.getCommandSpec().qualifiedName() + " --help' lists what there is";
        print(command, line, misuse);
        return ExitCode.MISUSED.code();
    }

    /** A file's name that begins with a dash was taken for an option, and is missed then. */
    private static String nameLikeAnOption(CommandLine command) {
        return command.getUnmatchedArguments().stream()
                .filter(word -> word.startsWith("-"))
                .findFirst()
                .map(word -> "; found the unknown option " + word + ": if that is the name of a file, write ./" + word)
                .orElse("");
    }

    /** Picocli's own suggestions miss two letters that changed places, the commonest slip of all. */
    private static String suggestion(CommandLine command, UnmatchedArgumentException unmatched) {
        Set<String> known = new TreeSet<>(command.getCommandSpec().optionsMap().keySet());
        known.addAll(command.getSubcommands().keySet());
        String given = unmatched.getUnmatched().get(0);
        if (known.contains("--server") && given.matches("\\w.*:.+")) {
            return " (did you mean --server " + given + "?)"; // which other load generators take without an option
        }
        String word = given.replaceFirst("=.*", "");
        return ClosestName.to(word, known)
                .map(near -> " (did you mean " + near + "?)")
                .orElse("");
    }

    private void print(CommandLine command, String line, Throwable thrown) {
        String oneLine = line.strip().replaceAll("\\s*[\\r\\n]+\\s*", "; ");
        PrintWriter err = new CleanWriter(command.getErr());
        err.println(command.getCommandSpec().qualifiedName() + ": " + oneLine + localeHint(oneLine));
        if (stackTraces) {
            thrown.printStackTrace(err);
        }
        err.flush();
    }

    private static ExitCode exitCode(Throwable failure) {
        if (failure instanceof LogDamagedException) {
            return ExitCode.LOG_DAMAGED;
        }
        // The libraries check their own arguments: an option's value makes no sense, or does not suit the server.
        return failure instanceof IllegalArgumentException
                        || failure instanceof PlanException
                        || failure instanceof NotComparableException
                ? ExitCode.MISUSED
                : ExitCode.FAILED;
    }

    /** What happened, below the wrappers that only carried it from one thread or signature to another. */
    private static Throwable cause(Throwable thrown) {
        Throwable failure = thrown;
        while (failure.getCause() != null
                && (failure instanceof UncheckedIOException
                        || failure instanceof ExecutionException
                        || failure instanceof CompletionException)) {
            failure = failure.getCause();
        }
        return failure;
    }

    /** What went wrong, as one sentence for the user, without the command's name. */
    public static String sentence(Throwable thrown) {
        Throwable failure = cause(thrown);
        if (failure instanceof FileSystemException file) {
            return fileSentence(file);
        }
        if (failure instanceof UnknownHostException) {
            return "unknown host " + failure.getMessage();
        }
        String message = failure.getMessage();
        boolean expected = failure instanceof IOException
                || failure instanceof IllegalArgumentException
                || failure instanceof PlanException
                || failure instanceof NotComparableException;
        if (expected && message != null && !message.isBlank()) {
            return message;
        }
        if (failure instanceof InterruptedException) {
            return "interrupted";
        }
        String name = failure.getClass().getSimpleName();
        return "unexpected " + name + (message == null ? "" : ": " + message)
                + " (please report it, with what PLOG_DEBUG=1 adds)";
    }

    /** The JDK's messages of these are often nothing but the file's name. */
    private static String fileSentence(FileSystemException failure) {
        String file = String.valueOf(failure.getFile());
        if (failure instanceof NoSuchFileException) {
            return file + ": no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return file + ": permission denied";
        }
        if (failure instanceof NotDirectoryException) {
            return file + ": not a directory";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return file + ": exists already";
        }
        return String.valueOf(failure.getMessage());
    }

    /** The advice that follows this message; empty if the message is about something else. */
    static String localeHint(String message) {
        return message.contains("unmappable characters")
                ? "; names of files can only have characters of the locale's encoding, "
                        + System.getProperty("sun.jnu.encoding")
                        + " here: set LC_ALL to a locale with UTF-8, such as C.UTF-8"
                : "";
    }
}
