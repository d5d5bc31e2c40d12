package io.plog.host;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is under a log directory: the file system and the device, as far as the operating system tells. A fact that cannot
 * be found out is "unknown"; nothing here fails. Immutable.
 */
public final class DirectoryFacts {
    private static final int MAX_OPTIONS = 400;
    private static final Set<String> VOLATILE = Set.of("tmpfs", "ramfs");
    private static final Set<String> COPIES_ON_WRITE = Set.of("btrfs", "zfs", "bcachefs");

    /** What is always said, if only that it is unknown, in the order in which it is shown. */
    private static final List<String> NAMES = List.of(
            "fileSystem",
            "mountPoint",
            "mountOptions",
            "source",
            "readOnly",
            "device",
            "model",
            "rotational",
            "writeCache");

    private static final Map<String, String> NOTES = Map.of(
            "tmpfs", "tmpfs is not stable storage: everything is lost with the machine's power",
            "ramfs", "ramfs is not stable storage: everything is lost with the machine's power",
            "overlay", "overlay: a container's layer; what forcing means depends on the file system below",
            "nfs", "nfs: forcing is the server's business, and locks may not hold between hosts",
            "nfs4", "nfs4: forcing is the server's business, and locks may not hold between hosts");

    private final Map<String, String> facts;
    private final boolean volatileStorage;

    private DirectoryFacts(Map<String, String> facts, boolean volatileStorage) {
        this.facts = Collections.unmodifiableMap(facts);
        this.volatileStorage = volatileStorage;
    }

    /** The first of its file systems that writes what is overwritten somewhere else, and so needs space for it; empty if none does. */
    public String copyingOnWrite() {
        for (String type : get("fileSystem").split("\\+", -1)) {
            if (COPIES_ON_WRITE.contains(type)) {
                return type;
            }
        }
        return "";
    }

    public static DirectoryFacts of(Path directory) {
        return of(directory, LinuxFiles.read(Path.of("/proc/self/mountinfo"), ""), Path.of("/sys"));
    }

    /**
     * Looks at the directories of one log: the facts of the first, all of the paths, and volatile if one of them is.
     *
     * @param directories at least one
     */
    public static DirectoryFacts of(List<Path> directories) {
        DirectoryFacts first = of(directories.get(0));
        Map<String, String> facts = new LinkedHashMap<>(first.facts);
        boolean volatileStorage = first.volatileStorage;
        for (Path directory : directories.subList(1, directories.size())) {
            DirectoryFacts other = of(directory);
            facts.merge("path", other.get("path"), (all, one) -> all + "+" + one);
            for (String name : List.of("fileSystem", "device")) {
                if (!other.get(name).equals(first.get(name))) {
                    facts.merge(name, other.get(name), (all, one) -> all + "+" + one);
                }
            }
            volatileStorage |= other.volatileStorage;
        }
        return new DirectoryFacts(facts, volatileStorage);
    }

    /** Looks at the text of mountinfo, and at a tree like {@code /sys} for devices. */
    static DirectoryFacts of(Path directory, String mountInfo, Path sysRoot) {
        Path real = realPath(directory);
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("path", real.toString());
        NAMES.forEach(name -> facts.put(name, LinuxFiles.UNKNOWN));
        MountInfo mount = MountInfo.of(real, MountInfo.parse(mountInfo));
        if (mount == null) {
            addStore(facts, real);
        } else {
            addMount(facts, mount, sysRoot);
        }
        addSpace(facts, real);
        String type = facts.getOrDefault("fileSystem", "unknown");
        String note = NOTES.get(type);
        if (note != null) {
            facts.put("note", note);
        }
        boolean volatileStorage = VOLATILE.contains(type);
        facts.put("volatileFileSystem", volatileStorage ? "yes" : "no");
        return new DirectoryFacts(facts, volatileStorage);
    }

    /** With some facts replaced by what somebody else knows, of a simulated device for instance. */
    public DirectoryFacts with(Map<String, String> others) {
        if (others.isEmpty()) {
            return this;
        }
        Map<String, String> all = new LinkedHashMap<>(facts);
        all.putAll(others);
        all.put("volatileFileSystem", "no");
        return new DirectoryFacts(all, false);
    }

    /** All facts by name, in the order in which they are to be shown. */
    public Map<String, String> asMap() {
        return facts;
    }

    /** The fact of this name, "unknown" if there is none. */
    public String get(String name) {
        return facts.getOrDefault(name, "unknown");
    }

    /** Whether what is written there is lost with the machine's power, however it is forced. */
    public boolean isVolatile() {
        return volatileStorage;
    }

    private static void addMount(Map<String, String> facts, MountInfo mount, Path sysRoot) {
        facts.put("fileSystem", mount.type());
        facts.put("mountPoint", mount.mountPoint());
        String options = mount.allOptions();
        // An overlay's options name all its layers; facts must fit into a WELCOME.
        facts.put(
                "mountOptions", options.length() <= MAX_OPTIONS ? options : options.substring(0, MAX_OPTIONS) + "...");
        facts.put("source", mount.source());
        facts.put("readOnly", mount.isReadOnly() ? "yes" : "no");
        BlockDevice device = BlockDevice.of(mount.device(), sysRoot);
        if (device != null) {
            facts.putAll(device.facts());
        }
        facts.putAll(Virtualization.facts());
    }

    /** What the JDK tells on any system. */
    private static void addStore(Map<String, String> facts, Path real) {
        try {
            FileStore store = Files.getFileStore(real);
            facts.put("fileSystem", store.type());
            facts.put("source", store.name());
            facts.put("readOnly", store.isReadOnly() ? "yes" : "no");
        } catch (IOException e) {
            // Then nobody knows.
        }
    }

    /** The directory itself tells it, also where nobody knows the mounts. */
    private static void addSpace(Map<String, String> facts, Path real) {
        long total = real.toFile().getTotalSpace();
        facts.put(
                "freeBytes",
                total == 0 ? LinuxFiles.UNKNOWN : Long.toString(real.toFile().getUsableSpace()));
        facts.put("totalBytes", total == 0 ? LinuxFiles.UNKNOWN : Long.toString(total));
    }

    private static Path realPath(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            return directory.toAbsolutePath().normalize();
        }
    }
}
