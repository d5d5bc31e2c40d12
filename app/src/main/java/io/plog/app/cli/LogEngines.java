package io.plog.app.cli;

import io.plog.log.DurableLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the engines of logs at addresses available to {@link DurableLog#open}: BookKeeper is not part of the program, but next to it. It
 * is loaded apart, with libraries of its own, and shares only the interface of logs with the program. Its own messages go to a file.
 */
public final class LogEngines {
    private static final String BOOKKEEPER = "bookkeeper";
    private static final String LOG_FILE = "org.slf4j.simpleLogger.logFile";

    private static @Nullable ClassLoader bookKeeper; // guarded by the class

    private LogEngines() {}

    /** What is done with logs at addresses. */
    @FunctionalInterface
    public interface Use<T> {
        /** Opens them; those that stay open need the engine no more. */
        T open() throws IOException;
    }

    /**
     * Lets this thread open logs at these addresses.
     *
     * @throws IOException if the engine of one of them is not next to the program, or {@code use} throws it
     */
    public static <T> T with(Collection<URI> addresses, Use<T> use) throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        if (addresses.stream().anyMatch(each -> BOOKKEEPER.equals(each.getScheme()))) {
            thread.setContextClassLoader(bookKeeper());
        }
        try {
            return use.open();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** The file with the messages of the engines that these addresses need; {@code null} if there is none. */
    public static @Nullable Path messages(Collection<URI> addresses) {
        return addresses.stream().anyMatch(each -> BOOKKEEPER.equals(each.getScheme()))
                ? Path.of(System.getProperty(LOG_FILE, defaultFile()))
                : null;
    }

    /** The rest of a sentence about a failure: where an engine said more; empty if none was used. */
    public static String whereMessagesAre() {
        Path said = Path.of(System.getProperty(LOG_FILE, defaultFile()));
        return Files.exists(said) ? "; BookKeeper's own messages are in " + said : "";
    }

    /** Deletes the file with the engines' messages, when they are not needed, unless the user has named one. */
    public static void deleteMessages() throws IOException {
        Path own = Path.of(defaultFile());
        if (own.equals(Path.of(System.getProperty(LOG_FILE, "")))) {
            Files.deleteIfExists(own);
        }
    }

    private static String defaultFile() {
        return Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "plog-bookkeeper-" + ProcessHandle.current().pid() + ".log")
                .toString();
    }

    private static synchronized ClassLoader bookKeeper() throws IOException {
        ClassLoader loaded = bookKeeper;
        if (loaded == null) {
            Path directory = BookKeeperJars.directory();
            if (System.getProperty(LOG_FILE) == null) {
                System.setProperty(LOG_FILE, defaultFile()); // read once, when the first of its classes is loaded
            }
            loaded = new URLClassLoader(
                    BOOKKEEPER, urls(directory), new InterfaceOfLogs(LogEngines.class.getClassLoader()));
            bookKeeper = loaded;
        }
        return loaded;
    }

    private static URL[] urls(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> jars =
                    files.filter(each -> each.toString().endsWith(".jar")).toList();
            URL[] urls = new URL[jars.size()];
            for (int i = 0; i < urls.length; i++) {
                urls[i] = url(jars.get(i));
            }
            return urls;
        } catch (IOException e) {
            throw new IOException("cannot list " + directory + ": " + e.getMessage());
        }
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What an engine sees of the program: the interface of logs. Its libraries may be of other versions than the program's. */
    private static final class InterfaceOfLogs extends ClassLoader {
        private static final String LOGS = "io.plog.log.";
        private static final String ENGINE = LOGS + BOOKKEEPER + ".";

        private final ClassLoader program;

        InterfaceOfLogs(ClassLoader program) {
            super("logs", ClassLoader.getPlatformClassLoader());
            this.program = program;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith(LOGS) && !name.startsWith(ENGINE)) {
                return program.loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }
    }
}
