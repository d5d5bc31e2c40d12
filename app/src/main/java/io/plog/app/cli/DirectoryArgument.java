package io.plog.app.cli;

import io.plog.log.LogOptions;
import io.plog.log.spi.LogDirectories;
import io.plog.log.storage.Storage;
import io.plog.simdisk.DeviceModel;
import io.plog.simdisk.ModelledDisk;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A directory as people name it: {@code DIR}, or {@code sim:MODEL@DIR} for a simulated disk with its files there.
 *
 * @param directory absolute from here on
 * @param model of the simulated disk; null for a real one
 */
public record DirectoryArgument(Path directory, @Nullable DeviceModel model) {
    private static final String SIMULATED = "sim:";

    public DirectoryArgument {
        directory = directory.toAbsolutePath().normalize();
    }

    /** What stands before the directory: {@code sim:MODEL@}, or nothing. */
    String device() {
        return model == null ? "" : model.prefix();
    }

    /** What opens its storage. */
    public Storage.Opener opener() {
        return model == null ? LogOptions.ON_DISK : model.opener();
    }

    /** As results name it. */
    public String name() {
        return device() + directory;
    }

    /**
     * Refuses logs that have no room, before anything starts.
     *
     * @param bytes that they need at most
     * @param fewer what else than another place would help, for a sentence
     * @throws IOException if fewer are free
     */
    public void checkRoom(long bytes, String fewer) throws IOException {
        long free = directory.toFile().getUsableSpace();
        if (free < bytes) {
            throw new IOException("the logs need up to " + (bytes >> 20) + " MiB, but " + directory + " has "
                    + (free >> 20) + " free; name another place with --log-dir, or " + fewer);
        }
    }

    /** Another directory on such a device. */
    public DirectoryArgument in(Path other) {
        return new DirectoryArgument(other, model);
    }

    /**
     * The same, if there is such a directory for logs.
     *
     * @throws IOException if there is none
     */
    public DirectoryArgument existing() throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new IOException("--log-dir " + directory
                    + (Files.exists(directory) ? " is not a directory" : " does not exist")
                    + ": expected a directory on the disk to measure");
        }
        return this;
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
        if (!namesDirectory(text)) {
            throw new IllegalArgumentException("'" + text + "': expected sim:MODEL@DIR with a model of "
                    + DeviceModel.NAMES + ", and the directory for its files");
        }
        return parse(text, Path.of(""));
    }

    /** Whether it is more than the model of a simulated disk. */
    public static boolean namesDirectory(String text) {
        int at = text.indexOf('@');
        return !isSimulated(text) || (at >= 0 && at < text.length() - 1);
    }

    /**
     * Reads what may leave the directory of a simulated disk out: {@code sim:MODEL}.
     *
     * @param otherwise the directory then
     * @throws IllegalArgumentException if it is empty, or names an unknown model
     */
    public static DirectoryArgument parse(String text, Path otherwise) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("found nothing, expected the name of a directory");
        }
        if (!isSimulated(text)) {
            return new DirectoryArgument(Path.of(text), null);
        }
        int at = text.indexOf('@');
        DeviceModel model = DeviceModel.parse(text.substring(SIMULATED.length(), at < 0 ? text.length() : at));
        return new DirectoryArgument(namesDirectory(text) ? Path.of(text.substring(at + 1)) : otherwise, model);
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
        if (model.isEmpty() || !device().equals(SIMULATED + model.get() + "@")) {
            throw new IllegalArgumentException("'" + name() + "': the files in " + directory + " were written on "
                    + model.map(label -> "the simulated disk " + label).orElse("no simulated disk")
                    + ": name them without sim:, which looks at the same files");
        }
    }

    /** Makes real logs of those that are opened as such and whose files a simulated disk wrote, and says so. */
    public static void makeReal(Storage.Opener opener, List<Path> directories, PrintWriter err) throws IOException {
        for (Path directory : directories) {
            Optional<String> model = opener.isSimulated() ? Optional.empty() : ModelledDisk.makeReal(directory);
            if (model.isPresent()) {
                err.println("note: " + directory + " was written on the simulated disk " + model.get()
                        + "; from now on its files are those of a real log, which no simulated disk opens");
                err.flush();
            }
        }
    }
}
