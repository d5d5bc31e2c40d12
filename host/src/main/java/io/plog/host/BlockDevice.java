package io.plog.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What Linux tells in {@code /sys/dev/block/MAJ:MIN} about a block device. A partition has no queue of its own: its
 * disk's is used. A device that is made of one other (loop, dm) also names that one.
 */
final class BlockDevice {
    private static final String UNKNOWN = LinuxFiles.UNKNOWN;

    /** Deeper stacks of logical volumes than this do not occur; a loop in the links would be endless. */
    private static final int MOST_LAYERS = 8;

    private final Path sysfs;

    private BlockDevice(Path sysfs) {
        this.sysfs = sysfs;
    }

    /** The device with this {@code MAJ:MIN}; {@code null} if there is none. */
    static @Nullable BlockDevice of(String majorMinor, Path sysRoot) {
        try {
            return new BlockDevice(
                    sysRoot.resolve("dev/block").resolve(majorMinor).toRealPath());
        } catch (IOException e) {
            return null;
        }
    }

    /** Facts by name, in the order in which they are to be shown; what cannot be read is "unknown". */
    Map<String, String> facts() {
        Path disk = diskOf(sysfs);
        Path queue = disk.resolve("queue");
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("device", name(sysfs));
        facts.put("disk", name(disk));
        facts.put("model", model(disk));
        String backing = read(disk.resolve("loop/backing_file"));
        if (!backing.equals(UNKNOWN)) {
            facts.put("backingFile", backing);
        }
        String slaves = slaves(disk);
        if (!slaves.isEmpty()) {
            facts.put("madeOf", slaves);
        }
        facts.put("rotational", yesOrNo(read(queue.resolve("rotational"))));
        facts.put("writeCache", read(queue.resolve("write_cache")));
        facts.put("fua", yesOrNo(read(queue.resolve("fua"))));
        facts.put("scheduler", chosen(read(queue.resolve("scheduler"))));
        facts.put("logicalBlockBytes", read(queue.resolve("logical_block_size")));
        facts.put("physicalBlockBytes", read(queue.resolve("physical_block_size")));
        return facts;
    }

    private static Path diskOf(Path device) {
        Path parent = device.getParent();
        return Files.exists(device.resolve("partition")) && parent != null ? parent : device;
    }

    /** A device that is made of one other, such as a logical volume, has that one's model. */
    private static String model(Path disk) {
        Path at = disk;
        for (int depth = 0; depth < MOST_LAYERS; depth++) {
            String model = read(at.resolve("device/model"));
            String below = slaves(at);
            if (!model.equals(UNKNOWN) || below.isEmpty() || below.contains(",")) {
                return model;
            }
            try {
                at = diskOf(at.resolve("slaves").resolve(below).toRealPath());
            } catch (IOException e) {
                return UNKNOWN;
            }
        }
        return UNKNOWN;
    }

    private static String name(Path directory) {
        Path name = directory.getFileName();
        return name == null ? UNKNOWN : name.toString();
    }

    private static String slaves(Path disk) {
        try (Stream<Path> slaves = Files.list(disk.resolve("slaves"))) {
            return String.join(",", slaves.map(BlockDevice::name).sorted().toList());
        } catch (IOException e) {
            return "";
        }
    }

    private static String yesOrNo(String flag) {
        return switch (flag) {
            case "0" -> "no";
            case "1" -> "yes";
            default -> UNKNOWN;
        };
    }

    /** {@code mq-deadline} of {@code none [mq-deadline] kyber}. */
    static String chosen(String schedulers) {
        int open = schedulers.indexOf('[');
        int close = schedulers.indexOf(']');
        return open >= 0 && close > open ? schedulers.substring(open + 1, close) : schedulers;
    }

    private static String read(Path file) {
        String text = LinuxFiles.fact(file);
        return text.isEmpty() ? UNKNOWN : text;
    }
}
