package io.plog.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of Linux's {@code /proc/self/mountinfo} (see {@code proc(5)}).
 *
 * <pre>
 * 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
 *       dev  root  mount options    optional   type source   super options
 * </pre>
 */
public record MountInfo(
        String device, String mountPoint, String options, String type, String source, String superOptions) {

    /** Reads all lines; those that do not look like the drawing are left out. */
    static List<MountInfo> parse(String text) {
        List<MountInfo> mounts = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            int dash = line.indexOf(" - ");
            if (dash < 0) {
                continue;
            }
            String[] before = line.substring(0, dash).split(" ", -1);
            String[] after = line.substring(dash + 3).split(" ", -1);
            if (before.length < 6 || after.length < 3) {
                continue;
            }
            mounts.add(
                    new MountInfo(before[2], unescape(before[4]), before[5], after[0], unescape(after[1]), after[2]));
        }
        return mounts;
    }

    /** The mount that a real path lies on: the longest mount point, and of equal ones the last, which hides the others. */
    static @Nullable MountInfo of(Path realPath, List<MountInfo> mounts) {
        MountInfo best = null;
        for (MountInfo mount : mounts) {
            if (realPath.startsWith(mount.mountPoint)
                    && (best == null || mount.mountPoint.length() >= best.mountPoint.length())) {
                best = mount;
            }
        }
        return best;
    }

    /** The one that a directory lies on; {@code null} if it cannot be found out. */
    public static @Nullable MountInfo ofDirectory(Path directory) {
        try {
            return of(directory.toRealPath(), parse(LinuxFiles.read(Path.of("/proc/self/mountinfo"), "")));
        } catch (IOException e) {
            return null; // a directory that does not exist is refused elsewhere, with a sentence
        }
    }

    /** The {@code MAJ:MIN} of the device that a directory lies on; {@code null} if it cannot be found out. */
    public static @Nullable String deviceOf(Path directory) {
        MountInfo mount = ofDirectory(directory);
        return mount == null ? null : mount.device();
    }

    /** Options of the mount and of the file system, each once. */
    String allOptions() {
        List<String> all = new ArrayList<>(List.of(options.split(",", -1)));
        for (String option : superOptions.split(",", -1)) {
            if (!all.contains(option)) {
                all.add(option);
            }
        }
        return String.join(",", all);
    }

    public boolean isReadOnly() {
        return List.of(options.split(",", -1)).contains("ro")
                || List.of(superOptions.split(",", -1)).contains("ro");
    }

    /** Undoes the kernel's octal escapes of space, tab, newline and backslash. */
    private static String unescape(String text) {
        return text.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }

    /** Why a directory cannot be written to, the end of a sentence. */
    public static String notWritable(@Nullable MountInfo mount) {
        return mount != null && mount.isReadOnly()
                ? "is on a file system that is mounted read-only (" + mount.source() + " on " + mount.mountPoint()
                        + "): expected one that can be written to. The kernel does that by itself after an error of the disk:"
                        + " look at its messages (dmesg), then mount it writable"
                : "is not writable: expected one that this user may write to";
    }
}
