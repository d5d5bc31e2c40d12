package io.plog.app.cli;

import io.plog.log.LogDirectories;
import io.plog.log.Storage;
import io.plog.simdisk.DeviceModel;
import io.plog.simdisk.ModelledDisk;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A directory as people name it: {@code DIR}, or {@code sim:MODEL@DIR} for a simulated disk with its files there.
 *
 * @param directory absolute
 * @param device stands before it: {@code sim:MODEL@}, or nothing
 * @param opener of its storage
 */
public record DirectoryArgument(Path directory, String device, Storage.Opener opener) {
    private static final String SIMULATED = "sim:";

    /** A directory, or a simulated disk in it if there is a model. */
    public static DirectoryArgument of(Path directory, @Nullable DeviceModel model) {
        return model == null
                ? new DirectoryArgument(directory, "", Storage::onDisk)
                : new DirectoryArgument(directory, model.prefix(), model.opener());
    }

    /** As results name it. */
    public String name() {
        return device + directory;
    }

    /** Another directory on such a device. */
    public DirectoryArgument in(Path other) {
        return new DirectoryArgument(other.toAbsolutePath().normalize(), device, opener);
    }

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
            return of(absolute(text), null);
        }
        int at = text.indexOf('@');
        if (at < 0 || at == text.length() - 1) {
            throw new IllegalArgumentException("'" + text + "': expected sim:MODEL@DIR with a model of "
                    + DeviceModel.NAMES + ", and the directory for its files");
        }
        DeviceModel model = DeviceModel.parse(text.substring(SIMULATED.length(), at));
        return of(absolute(text.substring(at + 1)), model);
    }

    /**
     * Reads the directories of a log: {@code DIR+DIR...}, or {@code sim:MODEL@DIR+DIR...} with a disk of the model in each.
     *
     * @throws IllegalArgumentException as {@link #parse}, and if a model stands before a directory that is not the first
     */
    public static List<DirectoryArgument> parseAll(String text) {
        int begin = isSimulated(text) ? text.indexOf('@') + 1 : 0;
        List<Path> directories = LogDirectories.parse(text.substring(begin));
        if (directories.size() > 1 && directories.stream().anyMatch(each -> isSimulated(each.toString()))) {
            throw new IllegalArgumentException(
                    "'" + text + "': the directories of a striped log are all on disks of one"
                            + " model: expected sim:MODEL@DIR1+DIR2, with the model once");
        }
        return directories.stream()
                .map(each -> parse(text.substring(0, begin) + each))
                .toList();
    }

    /**
     * The directories of a log on simulated disks that are only looked into.
     *
     * @throws IllegalArgumentException as {@link #parseAll}, and if their files were not written on disks of this model
     */
    static List<Path> written(String text) {
        List<DirectoryArgument> disks = parseAll(text);
        disks.forEach(DirectoryArgument::checkModel);
        return disks.stream().map(DirectoryArgument::directory).toList();
    }

    private void checkModel() {
        Optional<String> model;
        try {
            model = ModelledDisk.modelOf(directory);
        } catch (IOException e) {
            throw new IllegalArgumentException("'" + name() + "': " + Failures.sentence(e), e);
        }
        if (model.isEmpty() || !device.equals(SIMULATED + model.get() + "@")) {
            throw new IllegalArgumentException("'" + name() + "': the files in " + directory + " were written on "
                    + model.map(label -> "the simulated disk " + label).orElse("no simulated disk")
                    + ": name them without sim:, which looks at the same files");
        }
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
