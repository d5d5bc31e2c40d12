package io.plog.app.cli;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Where BookKeeper's jars are: next to the program, in {@code lib/bookkeeper}, or where the launcher says. */
public final class BookKeeperJars {
    private static final String PROPERTY = "plog.bookkeeper.lib";

    /** The launcher of a checkout, which knows how to get them. */
    private static final String LAUNCHER = "plog.bookkeeper.fetch";

    private BookKeeperJars() {}

    /**
     * The class path of the program with BookKeeper.
     *
     * @throws IOException if BookKeeper is not there
     */
    public static String classPath() throws IOException {
        return System.getProperty("java.class.path")
                + File.pathSeparator
                + directory().resolve("*");
    }

    /**
     * The directory with the jars, which are fetched first if there is a launcher to ask.
     *
     * @throws IOException if they are not there
     */
    static synchronized Path directory() throws IOException {
        Path directory = directory(System.getProperty("java.class.path"));
        String launcher = System.getProperty(LAUNCHER);
        if (launcher != null) {
            fetch(launcher);
            System.clearProperty(LAUNCHER); // once in a process
        }
        if (!hasJars(directory)) {
            throw new IOException("BookKeeper is not there: expected its jars in " + directory
                    + ". Install the package plog-bookkeeper, or unpack plog-VERSION-bookkeeper.tar.gz in "
                    + directory.resolve("../..").normalize());
        }
        return directory;
    }

    private static void fetch(String launcher) throws IOException {
        int code;
        try {
            // It says itself what it does, and why it failed.
            code = new ProcessBuilder(launcher, "--fetch-bookkeeper")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start()
                    .waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while BookKeeper was fetched");
        }
        if (code != 0) {
            throw new IOException("BookKeeper is needed here and could not be fetched");
        }
    }

    private static Path directory(String classPath) {
        String said = System.getProperty(PROPERTY);
        if (said != null) {
            return Path.of(said);
        }
        Path program = Path.of(classPath.split(File.pathSeparator, 2)[0]).toAbsolutePath();
        return program.resolveSibling("lib").resolve("bookkeeper");
    }

    private static boolean hasJars(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.anyMatch(file -> file.getFileName().toString().startsWith("plog-logging-bookkeeper-"));
        } catch (IOException e) {
            return false;
        }
    }
}
