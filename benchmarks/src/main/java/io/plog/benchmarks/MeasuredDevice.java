package io.plog.benchmarks;

import io.plog.benchmarks.result.DiskCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The block device under a directory: the whole disk, not the partition, since only disks count flushes. */
final class MeasuredDevice {
    private static final Path SYSTEM = Path.of("/sys/dev/block");

    private final @Nullable String name;

    private MeasuredDevice(@Nullable String name) {
        this.name = name;
    }

    /** The device under a directory; one that counts nothing where there is none, as on tmpfs. */
    static MeasuredDevice of(Path directory) throws IOException {
        long number = (Long) Files.getAttribute(directory, "unix:dev");
        long major = (number >>> 8) & 0xfff;
        long minor = (number & 0xff) | ((number >>> 12) & 0xfff00);
        Path link = SYSTEM.resolve(major + ":" + minor);
        if (!Files.exists(link)) {
            return new MeasuredDevice(null);
        }
        Path device = link.toRealPath();
        Path disk =
                Files.exists(device.resolve("partition")) ? device.resolve("..").normalize() : device;
        return new MeasuredDevice(String.valueOf(disk.getFileName()));
    }

    /** Its name, such as {@code vda}. */
    Optional<String> name() {
        return Optional.ofNullable(name);
    }

    /** What it has done so far. */
    Optional<DiskCounters> counters() throws IOException {
        return name == null ? Optional.empty() : DiskCounters.parse(Files.readString(Path.of("/proc/diskstats")), name);
    }
}
