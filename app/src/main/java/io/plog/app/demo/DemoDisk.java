package io.plog.app.demo;

import io.plog.app.cli.DirectoryArgument;
import io.plog.simdisk.DeviceModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A disk of a demo, as {@code --log-dir} names it: {@code DIR} or {@code sim:MODEL@DIR}, or {@code NAME=} before it to tell it from
 * others by more than a letter. {@code sim:MODEL} alone keeps its files with the results.
 *
 * @param name follows the way of forcing in the names of its targets; empty if it has none
 * @param place what stands behind the name, the same whatever directory plog is started in
 */
record DemoDisk(String name, String place) {
    private static final Pattern NAMED = Pattern.compile("((?:simulated-)?[A-Za-z0-9_-]{1,30})=(.*)", Pattern.DOTALL);

    /** Says in the name of each target, so wherever a figure stands, that it is none of a real disk. */
    private static final String SIMULATED = "simulated-";

    /** Reads the option; what stands before {@code =} and is no name belongs to the directory. */
    static DemoDisk parse(String text) {
        Matcher named = NAMED.matcher(text);
        String name = named.matches() ? named.group(1) : "";
        String place = named.matches() ? named.group(2) : text;
        DirectoryArgument read = DirectoryArgument.parse(place, Path.of(""));
        DeviceModel model = read.model();
        if (model != null && !name.startsWith(SIMULATED)) {
            name = SIMULATED + (name.isEmpty() ? model.label().replace(':', '-') : name);
        }
        return new DemoDisk(name, DirectoryArgument.namesDirectory(place) ? read.name() : place);
    }

    /** What it is a model of; null for a real disk. */
    @Nullable
    DeviceModel model() {
        return DirectoryArgument.parse(place, Path.of("")).model();
    }

    boolean isWithResults() {
        return !DirectoryArgument.namesDirectory(place);
    }

    /**
     * Where its logs go, which need not exist if that is with the results.
     *
     * @throws IOException if it names no directory
     */
    Path directory(Path results) throws IOException {
        return isWithResults()
                ? results.resolve("log-" + name)
                : DirectoryArgument.parse(place).existing().directory();
    }

    /** A new directory for the logs on each disk; all are checked before the first is made. */
    static List<Path> create(Path results, List<DemoDisk> disks) throws IOException {
        if (disks.isEmpty()) {
            return List.of(Files.createDirectories(results.resolve("log")));
        }
        List<Path> checked = new ArrayList<>();
        for (DemoDisk disk : disks) {
            checked.add(disk.directory(results));
        }
        if (checked.stream().distinct().count() < checked.size()) {
            throw new IllegalArgumentException("--log-dir names the same directory twice: "
                    + checked.stream().map(Path::toString).collect(Collectors.joining(", ")));
        }
        List<Path> made = new ArrayList<>();
        for (int i = 0; i < disks.size(); i++) {
            made.add(
                    disks.get(i).isWithResults()
                            ? Files.createDirectories(checked.get(i))
                            : Files.createTempDirectory(checked.get(i), "plog-demo-"));
        }
        return made;
    }

    /** The nearest directory that exists: it is on the disk that would be measured. */
    static Path existing(Path directory) {
        Path at = directory.toAbsolutePath().normalize();
        while (!Files.isDirectory(at)) {
            at = Objects.requireNonNull(at.getParent(), "the root is a directory");
        }
        return at;
    }

    /** The option again. */
    String text() {
        return (name.isEmpty() ? "" : name + "=") + place;
    }
}
