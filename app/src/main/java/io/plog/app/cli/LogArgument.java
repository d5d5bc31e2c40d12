package io.plog.app.cli;

import io.plog.log.spi.DurableLogProvider;
import io.plog.log.spi.LogDirectories;
import io.plog.log.spi.StoredLog;
import io.plog.log.spi.StoredRepair;
import io.plog.log.storage.LogDamagedException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A log that a command looks into, as people name it: {@code DIR}, {@code DIR1+DIR2+...}, {@code sim:MODEL@DIR1+...}
 * (what is stable of it), or the address of a log on several machines.
 *
 * @param directories in order; none if there is an address
 * @param address null if the log is in directories
 */
public record LogArgument(List<Path> directories, @Nullable URI address) {
    /** How it is named, for help texts. */
    public static final String LABEL = "DIR|ADDRESS";

    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*", Pattern.DOTALL);

    /** The parts in order. */
    public LogArgument {
        directories = List.copyOf(directories);
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static LogArgument parse(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("found nothing, expected the directory of a log, or its address");
        }
        return ADDRESS.matcher(text).matches()
                ? new LogArgument(List.of(), URI.create(text))
                : new LogArgument(
                        DirectoryArgument.isSimulated(text)
                                ? DirectoryArgument.written(text)
                                : LogDirectories.parse(text),
                        null);
    }

    /** As people named it. */
    @Override
    public String toString() {
        return address != null
                ? address.toString()
                : directories.stream().map(Path::toString).collect(Collectors.joining("+"));
    }

    /** The same with absolute paths. */
    public String describe() {
        return address != null ? address.toString() : LogDirectories.describe(directories);
    }

    /**
     * The directories, which exist.
     *
     * @throws IOException if one does not
     */
    public List<Path> existing() throws IOException {
        for (Path directory : directories) {
            if (!Files.exists(directory)) {
                throw new IOException("log directory " + directory + " does not exist");
            }
            if (!Files.isDirectory(directory)) {
                throw new IOException(directory + " is not a directory: expected the directory of a log");
            }
        }
        return directories;
    }

    /** What is done with a log. */
    public interface Look<T> {
        /** Does it, while the log is open. */
        T into(StoredLog log) throws IOException;
    }

    /**
     * Opens the log without disturbing a writer, and closes it in the end.
     *
     * @return what {@code look} returns
     * @throws IOException if the log cannot be read, or {@code look} throws it; or the engine of such logs is not next to the
     *     program, or failed: the message names the file with what it said
     */
    public <T> T look(Look<T> look) throws IOException {
        if (address == null) {
            try (StoredLog log = StoredLog.in(existing())) {
                return look.into(log);
            }
        }
        URI at = address;
        return explained(() -> {
            T result;
            try (StoredLog log = LogEngines.with(List.of(at), () -> StoredLog.open(at))) {
                result = look.into(log);
            }
            LogEngines.deleteMessages();
            return result;
        });
    }

    /**
     * Looks what can be done about the damage of the log at an address.
     *
     * @return what can be done; empty if nothing is to be done
     * @throws IOException as {@link #look}, and if it is damaged and nothing can be done
     */
    public static Optional<StoredRepair> planRepair(URI at) throws IOException {
        return explained(() ->
                LogEngines.with(List.of(at), () -> DurableLogProvider.of(at).planRepair(at)));
    }

    /** Damage speaks for itself; of another failure the engine may have said more. */
    private static <T> T explained(LogEngines.Use<T> use) throws IOException {
        try {
            return use.open();
        } catch (LogDamagedException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(Failures.sentence(e) + LogEngines.whereMessagesAre(), e);
        }
    }
}
