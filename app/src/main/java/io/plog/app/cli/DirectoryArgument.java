package io.plog.app.cli;

import io.plog.log.Storage;
import io.plog.simdisk.DeviceModel;
import io.plog.simdisk.ModelledDisk;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A directory as people name it: {@code DIR}, or {@code sim:MODEL@DIR} for a simulated disk with its files there.
 *
 * @param directory absolute
 * @param name as results name it
 * @param opener of its storage
 */
public record DirectoryArgument(Path directory, String name, Storage.Opener opener) {
    private static final String SIMULATED = "sim:";

    /** Whether a text names a simulated disk. */
    public static boolean isSimulated(String text) {
        return text.startsWith(SIMULATED);
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException if it names a simulated disk without directory, or an unknown model
     */
    public static DirectoryArgument parse(String text) {
        if (!isSimulated(text)) {
            Path directory = absolute(text);
            return new DirectoryArgument(directory, directory.toString(), Storage::onDisk);
        }
        int at = text.indexOf('@');
        if (at < 0 || at == text.length() - 1) {
            throw new IllegalArgumentException("'" + text + "': expected sim:MODEL@DIR with a model of "
                    + DeviceModel.NAMES + ", and the directory for its files");
        }
        DeviceModel model = DeviceModel.parse(text.substring(SIMULATED.length(), at));
        Path directory = absolute(text.substring(at + 1));
        return new DirectoryArgument(directory, model.prefix() + directory, model.opener());
    }

    /**
     * The directory of a simulated disk that is only looked into.
     *
     * @throws IllegalArgumentException as {@link #parse}, and if its files were not written on a disk of this model
     */
    static Path written(String text) {
        DirectoryArgument disk = parse(text);
        Optional<String> model;
        try {
            model = ModelledDisk.modelOf(disk.directory);
        } catch (IOException e) {
            throw new IllegalArgumentException("'" + text + "': " + Failures.sentence(e), e);
        }
        if (model.isEmpty() || !text.startsWith(SIMULATED + model.get() + "@")) {
            throw new IllegalArgumentException("'" + text + "': the files in " + disk.directory + " were written on "
                    + model.map(label -> "the simulated disk " + label).orElse("no simulated disk")
                    + ": name them without sim:, which looks at the same files");
        }
        return disk.directory;
    }

    /** Says of each directory that is opened as a real one, and whose files a simulated disk wrote, that this is so. */
    public static void noteIfSimulated(Storage.Opener opener, List<Path> directories, PrintWriter err)
            throws IOException {
        for (Path directory : directories) {
            Optional<String> model = ModelledDisk.modelOf(directory);
            if (model.isPresent() && opener.facts().isEmpty()) {
                err.println("note: " + directory + " was written on the simulated disk " + model.get()
                        + "; from now on its files are those of a real log. To simulate further, name sim:"
                        + model.get()
                        + "@" + directory);
                err.flush();
            }
        }
    }

    private static Path absolute(String text) {
        return Path.of(text).toAbsolutePath().normalize();
    }
}
