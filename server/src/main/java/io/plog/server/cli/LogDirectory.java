package io.plog.server.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What the commands that look into a log have in common. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class LogDirectory {
    @Parameters(paramLabel = "DIR", description = "The log's directory.")
    Path directory;

    @Option(names = "--json", description = "Print JSON, one object a line.")
    boolean json;

    @Spec(Target.MIXEE)
    CommandSpec spec;

    /**
     * Checks what the library would say less clearly.
     *
     * @throws IOException if there is no such directory
     */
    void check() throws IOException {
        if (!Files.exists(directory)) {
            throw new IOException("log directory " + directory + " does not exist");
        }
        if (!Files.isDirectory(directory)) {
            throw new IOException(directory + " is not a directory: expected the directory of a log");
        }
    }
}
