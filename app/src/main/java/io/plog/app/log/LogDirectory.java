package io.plog.app.log;

import io.plog.log.LogDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What the commands that look into a log have in common. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class LogDirectory {
    @Parameters(paramLabel = "DIR", description = "The log's directory; of a striped log all of them: DIR1+DIR2+...")
    private String names;

    @Option(names = "--json", description = "Print JSON, one object a line.")
    boolean json;

    @Spec(Target.MIXEE)
    CommandSpec spec;

    /**
     * The log's directories, in order. Checks what the library would say less clearly.
     *
     * @throws IOException if one does not exist
     * @throws IllegalArgumentException if a name is empty
     */
    List<Path> directories() throws IOException {
        List<Path> directories = LogDirectories.parse(names);
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

    /** As the user named them. */
    String names() {
        return names;
    }
}
