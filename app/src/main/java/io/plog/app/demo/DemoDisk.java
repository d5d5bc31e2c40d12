package io.plog.app.demo;

import io.plog.app.cli.DirectoryArgument;
import io.plog.simdisk.DeviceModel;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A disk of a demo, as {@code --log-dir} names it: {@code DIR} or {@code sim:MODEL@DIR}, or {@code NAME=} before it to tell it from
 * others by more than a letter. {@code sim:MODEL} alone keeps its files with the results.
 *
 * @param name follows the way of forcing in the names of its targets; empty if it has none
 * @param directory on that disk; null for one with the results
 * @param model null for a real disk
 */
record DemoDisk(
        String name, @Nullable Path directory, @Nullable DeviceModel model) {
    private static final Pattern NAMED = Pattern.compile("((?:simulated-)?[A-Za-z0-9_-]{1,30})=(.*)", Pattern.DOTALL);

    /** Says in the name of each target, so wherever a figure stands, that it is none of a real disk. */
    private static final String SIMULATED = "simulated-";

    /** The disk of a simulated device, named after it, with its files next to the results. */
    static DemoDisk simulated(String model) {
        return simulated("", "sim:" + model);
    }

    /** Reads the option; what stands before {@code =} and is no name belongs to the directory. */
    static DemoDisk parse(String text) {
        Matcher named = NAMED.matcher(text);
        String name = named.matches() ? named.group(1) : "";
        String place = named.matches() ? named.group(2) : text;
        return DirectoryArgument.isSimulated(place) ? simulated(name, place) : new DemoDisk(name, Path.of(place), null);
    }

    private static DemoDisk simulated(String name, String place) {
        int at = place.indexOf('@');
        DeviceModel model = DeviceModel.parse(place.substring("sim:".length(), at < 0 ? place.length() : at));
        String marked = name.startsWith(SIMULATED)
                ? name
                : SIMULATED + (name.isEmpty() ? model.label().replace(':', '-') : name);
        return new DemoDisk(marked, at < 0 ? null : Path.of(place.substring(at + 1)), model);
    }

    /** The option again, the same whatever directory plog is started in. */
    String absolute() {
        String place =
                directory == null ? "" : directory.toAbsolutePath().normalize().toString();
        String simulated = model == null ? "" : directory == null ? "sim:" + model.label() : model.prefix();
        return (name.isEmpty() ? "" : name + "=") + simulated + place;
    }
}
