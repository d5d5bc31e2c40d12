package io.plog.simdisk;

import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What operations take on a kind of device, in real time, and what it keeps when the power goes. {@code docs/simdisk.md}
 * says of each figure where it comes from, or that it is assumed. Immutable.
 *
 * @param label how it is named: {@code hdd}, {@code ssd}, {@code nvme}, {@code nvme-consumer}, {@code lying}, {@code network}, or
 *     {@code fixed:TIME}
 * @param turnsPerMinute how fast it turns; 0 if it does not: then no operation depends on the place of the one before
 * @param forceNanos what a force takes besides the transfer, and on a disk that turns besides seek and rotation
 * @param writeNanos what a write around the page cache takes; the force that follows takes the transfer
 * @param readNanos what a read around the page cache takes besides the transfer
 * @param bytesPerSecond of the transfer
 * @param parallel whether several forces take as long as one; else they wait for each other
 * @param lies whether a force returns before what it covers is stable
 */
public record DeviceModel(
        String label,
        int turnsPerMinute,
        long forceNanos,
        long writeNanos,
        long readNanos,
        long bytesPerSecond,
        boolean parallel,
        boolean lies) {
    /** How models are named, for help texts and messages. */
    public static final String NAMES = "hdd, ssd, nvme, nvme-consumer, lying, network, fixed:TIME (as fixed:2ms)";

    private static final long MICRO = 1_000;
    private static final long MB = 1_000_000;

    private static final List<DeviceModel> ALL = List.of(
            new DeviceModel("hdd", 7200, 0, 60 * MICRO, 60 * MICRO, 138 * MB, false, false),
            new DeviceModel("ssd", 0, 1000 * MICRO, 50 * MICRO, 100 * MICRO, 500 * MB, false, false),
            new DeviceModel("nvme", 0, 30 * MICRO, 15 * MICRO, 80 * MICRO, 2000 * MB, true, false),
            new DeviceModel("nvme-consumer", 0, 900 * MICRO, 15 * MICRO, 60 * MICRO, 3000 * MB, false, false),
            // A magnetic disk that answers from its cache.
            new DeviceModel("lying", 7200, 100 * MICRO, 60 * MICRO, 60 * MICRO, 300 * MB, false, true),
            new DeviceModel("network", 0, 1200 * MICRO, 600 * MICRO, 600 * MICRO, 125 * MB, true, false));

    private static final Pattern FIXED = Pattern.compile("fixed:(\\d{1,9})(us|ms|s)");
    private static final long MOST_FIXED_NANOS = 10_000_000_000L;

    /**
     * The model of this name.
     *
     * @throws IllegalArgumentException if there is none; the message says which there are
     */
    public static DeviceModel parse(String text) {
        for (DeviceModel model : ALL) {
            if (model.label.equals(text)) {
                return model;
            }
        }
        Matcher fixed = FIXED.matcher(text);
        if (fixed.matches()) {
            long nanos = Long.parseLong(fixed.group(1)) * unitNanos(fixed.group(2));
            if (nanos > 0 && nanos <= MOST_FIXED_NANOS) {
                return new DeviceModel(text, 0, nanos, 0, 0, Long.MAX_VALUE, false, false);
            }
        }
        if (text.startsWith("fixed")) {
            throw new IllegalArgumentException(
                    "the model '" + text + "' of a simulated disk: expected fixed:TIME with a time"
                            + " above 0 and at most 10s, as fixed:300us, fixed:2ms or fixed:1s");
        }
        throw new IllegalArgumentException("the model '" + text + "' of a simulated disk is unknown: expected one of "
                + NAMES + "; none takes parameters but fixed");
    }

    private static long unitNanos(String unit) {
        return switch (unit) {
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            default -> 1_000_000_000L;
        };
    }

    /** How long a turn takes, in nanoseconds; 0 if it does not turn. */
    public long turnNanos() {
        return turnsPerMinute == 0 ? 0 : 60_000_000_000L / turnsPerMinute;
    }

    /** What a forced append of so many bytes takes about, one after the other, in nanoseconds. */
    public long forcedAppendNanos(long bytes) {
        long transfer = (long) ((double) bytes / bytesPerSecond * 1e9);
        return transfer + writeNanos + forceNanos + (lies ? 0 : turnNanos());
    }

    /** The model as what stands before a directory: {@code sim:LABEL@}. */
    public String prefix() {
        return "sim:" + label + "@";
    }

    /** Opens the disks of this model in directories, for a log or a measurement. */
    public Storage.Opener opener() {
        DeviceModel model = this;
        return new Storage.Opener() {
            @Override
            public Storage open(Path directory) throws IOException {
                return ModelledDisk.open(directory, model);
            }

            @Override
            public Map<String, String> facts() {
                return model.facts();
            }
        };
    }

    /** What an operating system would say of such a device, by the names that plog uses for it, and that it is simulated. */
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("simulated", label);
        facts.put("fileSystem", "simulated");
        facts.put("mountOptions", "");
        facts.put("device", "sim:" + label);
        facts.put("disk", "sim:" + label);
        facts.put("model", label.equals("network") ? "simulated virtual disk" : "simulated " + label);
        facts.put("rotational", turnsPerMinute > 0 ? "yes" : "no");
        facts.put("writeCache", label.equals("nvme") || label.startsWith("fixed") ? "write through" : "write back");
        facts.put("fua", "no");
        facts.put("lies", lies ? "yes" : "no");
        facts.put("note", "simulated: figures are those of the model " + label + ", not of a disk");
        return facts;
    }
}
