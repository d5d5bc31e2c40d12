package io.plog.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The facts, from sample texts of the kernel and a small tree like {@code /sys}. */
class DirectoryFactsTest {
    private static final String MOUNTS = """
            22 27 0:21 / /proc rw,relatime - proc proc rw
            27 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw,errors=remount-ro
            30 27 259:1 / /data rw,noatime - xfs /dev/nvme0n1p1 rw,attr2
            31 27 0:40 / /data/with\\040space rw - tmpfs tmpfs rw,size=1k
            32 27 7:3 / /loop rw - ext4 /dev/loop3 ro
            33 27 0:50 / /dup rw - nfs4 host:/x rw
            34 27 0:51 / /dup rw - overlay overlay rw
            not a mount
            35 27 - short
            """;

    @TempDir
    Path scratch;

    private Path sys;

    @BeforeEach
    void layOutSys() throws Exception {
        sys = scratch.resolve("sys");
        Path nvme = sys.resolve("devices/pci/nvme0n1");
        Files.createDirectories(nvme.resolve("nvme0n1p1"));
        write(nvme.resolve("nvme0n1p1/partition"), "1");
        write(nvme.resolve("device/model"), "FAST SSD 1TB   \n");
        write(nvme.resolve("queue/rotational"), "0");
        write(nvme.resolve("queue/write_cache"), "write back\n");
        write(nvme.resolve("queue/fua"), "1");
        write(nvme.resolve("queue/scheduler"), "none [mq-deadline] kyber\n");
        write(nvme.resolve("queue/logical_block_size"), "512");
        Path loop = sys.resolve("devices/virtual/block/loop3");
        write(loop.resolve("loop/backing_file"), "/images/disk.img\n");
        write(loop.resolve("queue/rotational"), "1");
        Files.createDirectories(loop.resolve("slaves/sda"));
        Files.createDirectories(sys.resolve("dev/block"));
        Files.createSymbolicLink(sys.resolve("dev/block/259:1"), nvme.resolve("nvme0n1p1"));
        Files.createSymbolicLink(sys.resolve("dev/block/7:3"), loop);
    }

    private static void write(Path file, String text) throws Exception {
        Path parent = file.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.writeString(file, text);
    }

    private DirectoryFacts facts(String directory) {
        return DirectoryFacts.of(Path.of(directory), MOUNTS, sys);
    }

    @Test
    void aPartitionHasTheFactsOfItsDisk() {
        DirectoryFacts facts = facts("/data/logs/a");
        assertThat(facts.asMap())
                .containsEntry("path", "/data/logs/a")
                .containsEntry("fileSystem", "xfs")
                .containsEntry("mountPoint", "/data")
                .containsEntry("mountOptions", "rw,noatime,attr2")
                .containsEntry("source", "/dev/nvme0n1p1")
                .containsEntry("readOnly", "no")
                .containsEntry("device", "nvme0n1p1")
                .containsEntry("disk", "nvme0n1")
                .containsEntry("model", "FAST SSD 1TB")
                .containsEntry("rotational", "no")
                .containsEntry("writeCache", "write back")
                .containsEntry("fua", "yes")
                .containsEntry("scheduler", "mq-deadline")
                .containsEntry("logicalBlockBytes", "512")
                .containsEntry("physicalBlockBytes", "unknown")
                .containsEntry("volatileFileSystem", "no");
        assertThat(facts.isVolatile()).isFalse();
    }

    @Test
    void aLoopDeviceNamesWhatItIsMadeOf() {
        assertThat(facts("/loop/x").asMap())
                .containsEntry("device", "loop3")
                .containsEntry("backingFile", "/images/disk.img")
                .containsEntry("madeOf", "sda")
                .containsEntry("rotational", "yes")
                .containsEntry("readOnly", "yes");
    }

    @Test
    void aDirectoryThatIsMountedReadOnlyIsRefusedWithThatReason() {
        List<MountInfo> mounts = MountInfo.parse(MOUNTS);
        assertThat(MountInfo.notWritable(MountInfo.of(Path.of("/loop/x"), mounts)))
                .startsWith(
                        "is on a file system that is mounted read-only (/dev/loop3 on /loop): expected one that can be")
                .contains("dmesg");
        assertThat(MountInfo.notWritable(MountInfo.of(Path.of("/data/logs/a"), mounts)))
                .isEqualTo("is not writable: expected one that this user may write to");
        assertThat(MountInfo.notWritable(null)).startsWith("is not writable");
    }

    @Test
    void aLogicalVolumeHasTheModelOfTheOneDiskBelow() throws Exception {
        Path volume = sys.resolve("devices/virtual/block/dm-0");
        write(volume.resolve("queue/write_cache"), "write back");
        Files.createDirectories(volume.resolve("slaves"));
        Files.createSymbolicLink(volume.resolve("slaves/nvme0n1p1"), sys.resolve("devices/pci/nvme0n1/nvme0n1p1"));
        Files.createSymbolicLink(sys.resolve("dev/block/253:0"), volume);
        String mounts = "40 1 253:0 / /lv rw - xfs /dev/mapper/lv rw\n";
        assertThat(DirectoryFacts.of(Path.of("/lv"), mounts, sys).asMap())
                .containsEntry("disk", "dm-0")
                .containsEntry("madeOf", "nvme0n1p1")
                .containsEntry("model", "FAST SSD 1TB");

        Files.createDirectories(volume.resolve("slaves/sdb"));
        assertThat(DirectoryFacts.of(Path.of("/lv"), mounts, sys).get("model"))
                .as("made of two disks")
                .isEqualTo("unknown");
    }

    @Test
    void tmpfsIsNotStableAndSaysSo() {
        DirectoryFacts facts = facts("/data/with space/log");
        assertThat(facts.isVolatile()).isTrue();
        assertThat(facts.get("fileSystem")).isEqualTo("tmpfs");
        assertThat(facts.get("volatileFileSystem")).isEqualTo("yes");
        assertThat(facts.get("note")).contains("not stable storage");
        assertThat(facts.get("device")).isEqualTo("unknown");
        assertThat(facts.get("writeCache")).isEqualTo("unknown");
    }

    @Test
    void aFileSystemThatCopiesOnWriteIsNamed() {
        String mounts = "40 1 0:35 / /b rw - btrfs /dev/sdb rw\n41 1 8:1 / /e rw - ext4 /dev/sda1 rw\n";
        assertThat(DirectoryFacts.of(Path.of("/b"), mounts, sys).copyingOnWrite())
                .isEqualTo("btrfs");
        assertThat(DirectoryFacts.of(Path.of("/e"), mounts, sys).copyingOnWrite())
                .isEmpty();
    }

    @Test
    void theLastOfTwoMountsOnOnePlaceCountsAndIsNoted() {
        assertThat(facts("/dup/a").get("fileSystem")).isEqualTo("overlay");
        assertThat(facts("/dup/a").get("note")).contains("container");
    }

    @Test
    void aNameThatOnlyBeginsLikeAMountPointIsNotOnIt() {
        assertThat(facts("/database").get("mountPoint")).isEqualTo("/");
    }

    @Test
    void withoutKernelTextsEveryFactIsUnknownAndNothingFails() {
        DirectoryFacts facts = DirectoryFacts.of(scratch.resolve("nowhere"), "", scratch.resolve("no-sys"));
        assertThat(facts.get("mountPoint")).isEqualTo("unknown");
        assertThat(facts.get("rotational")).isEqualTo("unknown");
        assertThat(facts.get("freeBytes")).isEqualTo("unknown");
        assertThat(facts.get("no such fact")).isEqualTo("unknown");
    }

    @Test
    void thisMachinesFactsCanBeRead() throws Exception {
        DirectoryFacts facts = DirectoryFacts.of(scratch);
        assertThat(facts.get("path")).isEqualTo(scratch.toRealPath().toString());
        assertThat(Long.parseLong(facts.get("freeBytes"))).isPositive();
        assertThat(facts.asMap())
                .containsKeys("fileSystem", "device", "mountOptions", "totalBytes", "container", "virtualMachine");
    }

    @Test
    void theChosenSchedulerIsTheOneInBrackets() {
        for (List<String> each : List.of(
                List.of("[none] mq-deadline", "none"), List.of("none", "none"), List.of("unknown", "unknown"))) {
            assertThat(BlockDevice.chosen(each.get(0))).isEqualTo(each.get(1));
        }
    }

    @Test
    void aControlGroupWithoutALimitSaysSoInWords() {
        for (String none : List.of("max", "max 100000")) {
            assertThat(MachineFacts.limitOf(none)).as(none).isEqualTo("no limit");
        }
    }

    @Test
    void aControlGroupsLimitStaysAsTheKernelSaysIt() {
        for (String limit : List.of("200000 100000", "50000", "536870912", "0", "unknown")) {
            assertThat(MachineFacts.limitOf(limit)).isEqualTo(limit);
        }
    }

    @Test
    void theServersFactsComeFromTheKernelsTexts() {
        assertThat(LinuxFiles.value(
                        "processor\t: 0\nmodel name\t: Fast CPU @ 3GHz\nmodel name\t: Other\n", "model name"))
                .isEqualTo("Fast CPU @ 3GHz");
        assertThat(LinuxFiles.value("MemTotal:       24000 kB\nMemFree: 1 kB\n", "MemTotal"))
                .isEqualTo("24000 kB");
        assertThat(LinuxFiles.value("", "model name")).isEqualTo("unknown");
        assertThat(MachineFacts.collect())
                .allSatisfy((name, value) -> assertThat(value).isNotNull());
    }
}
