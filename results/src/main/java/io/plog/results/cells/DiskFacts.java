package io.plog.results.cells;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which device answers a force, according to the facts about a directory. Immutable. */
public record DiskFacts(Map<String, String> facts) {
    private static final String UNKNOWN = "unknown";

    private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs", "devtmpfs");

    private static final Set<String> NETWORK = Set.of(
            "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "glusterfs", "lustre", "gpfs", "afs", "ocfs2", "gfs2");

    /** File systems that a hypervisor hands into its machine. */
    private static final Set<String> HOSTS = Set.of("9p", "virtiofs", "vboxsf", "vmhgfs", "prl_fs", "drvfs");

    /** The names that hypervisors and clouds give to virtual disks. */
    private static final List<String> VIRTUAL_MODELS =
            List.of("qemu", "vbox", "virtual", "vmware", "xen", "persistentdisk", "elastic block store", "blockvolume");

    /** Names of devices whose data is on another machine: Xen, virtio, network block devices. */
    private static final List<String> VIRTUAL_NAMES = List.of("vd", "xvd", "nbd", "rbd", "drbd");

    private static final Set<String> NO_BARRIERS = Set.of("nobarrier", "barrier=0", "barrier=none", "nodiskflush");

    /** Whether the files lie in memory. */
    public boolean inMemory() {
        return MEMORY.contains(fileSystem()) || diskName().matches("(zram|ram)\\d+");
    }

    public boolean isPersistentMemory() {
        return diskName().startsWith("pmem");
    }

    /** Whether the kernel calls the device rotational. */
    public boolean turns() {
        return get("rotational").equals("yes");
    }

    /** Whether the device has a write cache that it empties later. */
    public boolean writesBack() {
        return get("writeCache").equals("write back");
    }

    /** Whether the kernel does not say how the device caches writes. */
    public boolean writeCacheUnknown() {
        return !writesBack() && !get("writeCache").equals("write through");
    }

    /** Whether it is simulated and its model says this, yes or no, of whether it answers a force too early. */
    public boolean modelLies(String answer) {
        return get("lies").equals(answer);
    }

    /** Whether the device takes writes with forced unit access. */
    public boolean hasFua() {
        return get("fua").equals("yes");
    }

    /** Whether the file system is an overlay that is mounted to ignore forces. */
    public boolean leavesForcesOut() {
        return fileSystem().equals("overlay") && options().contains("volatile");
    }

    /** Whether the file system is mounted so that it never flushes the device's cache. */
    public boolean withoutBarriers() {
        return !barrierOption().isEmpty();
    }

    /** The mount option that keeps the file system from flushing the device's cache; empty if there is none. */
    public String barrierOption() {
        return options().stream().filter(NO_BARRIERS::contains).findFirst().orElse("");
    }

    /**
     * Whether the device looks like one that a hypervisor or another layer presents: then what the kernel says of turning
     * need not be so of what lies beneath.
     */
    public boolean isVirtual() {
        String model = get("model").toLowerCase(Locale.ROOT);
        return model.isBlank()
                || model.equals(UNKNOWN)
                || VIRTUAL_NAMES.stream().anyMatch(diskName()::startsWith)
                || VIRTUAL_MODELS.stream().anyMatch(model::contains);
    }

    /** The layer that answers a force in place of a visible disk; a sentence. */
    public Optional<String> whoDecides() {
        String type = fileSystem();
        if (NETWORK.contains(type)) {
            return Optional.of(type + " is a network file system: its server decides what a force means.");
        }
        if (HOSTS.contains(type)) {
            return Optional.of(type + " is a file system of the host: the host decides what a force means.");
        }
        if (type.equals("overlay")) {
            return Optional.of(
                    "An overlay, as containers have: the disk that lies below cannot be seen from here. A volume"
                            + " mounted from the host can be judged.");
        }
        if (type.startsWith("fuse")) {
            return Optional.of(type + " is served by a program, which decides what a force means.");
        }
        if (diskName().startsWith("loop")) {
            return Optional.of(device() + " is a file (" + get("backingFile")
                    + ") used as a disk: the file system that it lies on decides what a force means.");
        }
        if (known("device") && isVirtual() && !isPersistentMemory()) {
            return Optional.of(
                    device() + (known("model") ? " (" + get("model") + ")" : "")
                            + " looks like a virtual disk: the hypervisor and the storage behind it decide what a force means.");
        }
        return known("device") ? Optional.empty() : Optional.of("Which device lies below " + type + " is unknown.");
    }

    /** The device's name, or that of the file system if there is none. */
    public String device() {
        return known("device") ? get("device") : fileSystem();
    }

    public String place() {
        return known("device") ? fileSystem() + " on " + device() : fileSystem();
    }

    private String fileSystem() {
        return get("fileSystem");
    }

    private String diskName() {
        return known("disk") ? get("disk") : get("device");
    }

    private List<String> options() {
        return List.of(get("mountOptions").split(",", -1));
    }

    private boolean known(String name) {
        return !get(name).equals(UNKNOWN);
    }

    private String get(String name) {
        return facts.getOrDefault(name, UNKNOWN);
    }
}
