package io.plog.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.samples.ForceLabel;
import io.plog.report.verdict.StableStorageRules.Evidence;
import io.plog.report.verdict.StableStorageRules.Finding;
import io.plog.report.verdict.StableStorageRules.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One row for each rule, with the reason that must come first. */
final class StableStorageRulesTest {
    private static final Map<String, String> SSD = Map.of(
            "fileSystem", "ext4",
            "mountOptions", "rw,relatime",
            "device", "nvme0n1p1",
            "disk", "nvme0n1",
            "model", "FAST SSD 1TB",
            "rotational", "no",
            "writeCache", "write back",
            "fua", "yes");

    /**
     * A case: what differs from a solid-state disk with a write cache, what was measured, and what must be said of it.
     *
     * @param first words of the first reason
     */
    record Row(
            String rule,
            String force,
            Map<String, String> facts,
            @Nullable Double append,
            @Nullable Double cached,
            Verdict verdict,
            String first) {
        @Override
        public String toString() {
            return rule;
        }
    }

    private static Row row(
            String rule,
            Map<String, String> facts,
            @Nullable Double append,
            @Nullable Double cached,
            Verdict verdict,
            String first) {
        return new Row(rule, "fdatasync", facts, append, cached, verdict, first);
    }

    static List<Row> rows() {
        Map<String, String> virtio =
                Map.of("device", "vda", "disk", "vda", "model", "unknown", "rotational", "yes", "fua", "no");
        Map<String, String> magnetic =
                Map.of("device", "sda2", "disk", "sda", "model", "IRONWOLF", "rotational", "yes");
        Map<String, String> none =
                Map.of("device", "unknown", "disk", "unknown", "model", "unknown", "writeCache", "unknown");
        return List.of(
                // volatile by what the system says
                new Row("quorum", "quorum", Map.of(), 700.0, 2.0, Verdict.CANNOT_TELL, "The bookies force on disks"),
                row(
                        "tmpfs",
                        with(none, "fileSystem", "tmpfs"),
                        400.0,
                        2.0,
                        Verdict.VOLATILE_CACHE,
                        "tmpfs lies in memory"),
                row(
                        "zram",
                        Map.of("device", "zram0", "disk", "zram0"),
                        400.0,
                        2.0,
                        Verdict.VOLATILE_CACHE,
                        "ext4 on zram0 lies"),
                row(
                        "volatile overlay",
                        with(none, "fileSystem", "overlay", "mountOptions", "rw,lowerdir=/a,volatile"),
                        400.0,
                        2.0,
                        Verdict.VOLATILE_CACHE,
                        "The overlay is mounted with the option volatile"),
                row(
                        "no barriers",
                        Map.of("mountOptions", "rw,nobarrier"),
                        400.0,
                        2.0,
                        Verdict.VOLATILE_CACHE,
                        "nvme0n1p1 has a write cache (write back), and the file system is mounted so that it never flushes it"
                                + " (nobarrier)"),
                row(
                        "no barriers on a virtual disk",
                        with(virtio, "mountOptions", "rw,barrier=0"),
                        400.0,
                        2.0,
                        Verdict.VOLATILE_CACHE,
                        "vda has a write cache (write back), and the file system is mounted so that it never flushes it"
                                + " (barrier=0)"),
                // volatile by what was measured
                row("too fast", SSD, 4.9, 0.9, Verdict.VOLATILE_CACHE, "A forced append of 512 B takes 4.90 µs"),
                row(
                        "too fast on a virtual disk",
                        virtio,
                        4.9,
                        null,
                        Verdict.VOLATILE_CACHE,
                        "A forced append of 512 B takes 4.90"),
                row(
                        "too fast for a server",
                        Map.of("fileSystem", "nfs4"),
                        2.0,
                        null,
                        Verdict.VOLATILE_CACHE,
                        "A forced append"),
                row(
                        "as the page cache",
                        SSD,
                        19.9,
                        10.0,
                        Verdict.VOLATILE_CACHE,
                        "A forced append of 512 B takes 19.9 µs at the median (fdatasync), hardly more than a write into the"
                                + " page cache (10.0 µs)"),
                row(
                        "faster than it turns",
                        magnetic,
                        7900.0,
                        2.0,
                        Verdict.VOLATILE_CACHE,
                        "A forced append of 512 B takes 7,900 µs at the median (fdatasync), which is 127 a second."),
                row(
                        "faster than it turns, written through",
                        with(magnetic, "writeCache", "write through"),
                        160.0,
                        2.0,
                        Verdict.VOLATILE_CACHE,
                        "A forced append of 512 B takes 160 µs at the median (fdatasync), which is 6,250 a second."),
                // cannot tell
                row("nothing measured", SSD, null, null, Verdict.CANNOT_TELL, "No forced append was measured"),
                row(
                        "virtio disk in a machine",
                        virtio,
                        160.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "vda looks like a virtual disk: the hypervisor and the storage behind it decide"),
                row(
                        "virtual by its name alone",
                        Map.of("device", "nbd0", "disk", "nbd0"),
                        500.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "nbd0 (FAST SSD 1TB) looks like a virtual disk"),
                row(
                        "virtual for want of a model",
                        Map.of("device", "sda", "disk", "sda", "model", "unknown"),
                        500.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "sda looks like a virtual disk"),
                row(
                        "virtual for an empty model",
                        Map.of("device", "sda", "disk", "sda", "model", " "),
                        500.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "sda"),
                row(
                        "cloud disk",
                        Map.of("model", "Amazon Elastic Block Store"),
                        500.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "nvme0n1p1 (Amazon Elastic Block Store) looks like a virtual disk"),
                row(
                        "virtual disk, written through",
                        with(virtio, "writeCache", "write through"),
                        160.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "vda looks like a virtual disk"),
                row(
                        "network",
                        with(none, "fileSystem", "nfs4"),
                        700.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "nfs4 is a network file system: its server decides"),
                row(
                        "host",
                        with(none, "fileSystem", "virtiofs"),
                        700.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "virtiofs is a file system of the host"),
                row(
                        "overlay",
                        with(none, "fileSystem", "overlay"),
                        700.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "An overlay, as containers have"),
                row(
                        "fuse",
                        with(none, "fileSystem", "fuse.sshfs"),
                        700.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "fuse.sshfs is served by a program"),
                row(
                        "loop",
                        Map.of("device", "loop3", "disk", "loop3", "backingFile", "/images/disk"),
                        700.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "loop3 is a file (/images/disk) used as a disk"),
                row(
                        "no device",
                        with(none, "fileSystem", "zfs"),
                        700.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "Which device lies below zfs is unknown"),
                row(
                        "persistent memory is fast and may be stable",
                        Map.of("device", "pmem0", "disk", "pmem0", "model", "unknown", "writeCache", "write back"),
                        1.5,
                        1.0,
                        Verdict.CANNOT_TELL,
                        "pmem0 is persistent memory"),
                row(
                        "write cache unknown",
                        Map.of("writeCache", "unknown"),
                        400.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "Whether there is a volatile write cache is unknown."),
                row(
                        "write cache unknown, no barriers",
                        Map.of("writeCache", "unknown", "mountOptions", "rw,barrier=0"),
                        400.0,
                        2.0,
                        Verdict.CANNOT_TELL,
                        "Whether there is a volatile write cache is unknown, and the mount option barrier=0"),
                row(
                        "not compared",
                        SSD,
                        400.0,
                        null,
                        Verdict.CANNOT_TELL,
                        "nvme0n1p1 has a write cache (write back), and nothing was"),
                row(
                        "not clearly dearer",
                        SSD,
                        49.0,
                        10.0,
                        Verdict.CANNOT_TELL,
                        "nvme0n1p1 has a write cache (write back), and a forced"),
                // consistent
                row(
                        "write back, and the flush costs",
                        SSD,
                        400.0,
                        2.0,
                        Verdict.CONSISTENT,
                        "nvme0n1p1 has a write cache (write back) that every force flushes or writes past (FUA), and it shows:"
                                + " a forced append of 512 B takes 400 µs at the median (fdatasync), 200 times a write"),
                row(
                        "write through",
                        Map.of("writeCache", "write through"),
                        30.0,
                        null,
                        Verdict.CONSISTENT,
                        "nvme0n1p1 has no volatile write cache, says the kernel"),
                row(
                        "without barriers and without a cache",
                        Map.of("writeCache", "write through", "mountOptions", "rw,nobarrier"),
                        30.0,
                        2.0,
                        Verdict.CONSISTENT,
                        "nvme0n1p1 has no volatile write cache"),
                row(
                        "as fast as it turns",
                        magnetic,
                        8333.0,
                        2.0,
                        Verdict.CONSISTENT,
                        "sda2 has a write cache (write back) that"));
    }

    private static Map<String, String> with(Map<String, String> facts, String... more) {
        Map<String, String> all = new HashMap<>(facts);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    private static Finding judge(Row row) {
        Map<String, String> facts = new HashMap<>(SSD);
        facts.putAll(row.facts());
        return StableStorageRules.judge(
                new Evidence(new ForceLabel(row.force()), facts, 512, row.append(), row.cached()));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void eachRuleHasItsVerdictAndItsReason(Row row) {
        Finding finding = judge(row);
        assertThat(finding.verdict()).as("%s", finding.reasons()).isEqualTo(row.verdict());
        assertThat(finding.reasons().get(0)).startsWith(row.first());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void everyVerdictIsASentenceAndEndsWithWhatProvesIt(Row row) {
        List<String> reasons = judge(row).reasons();
        assertThat(reasons).hasSizeGreaterThanOrEqualTo(2).last().isEqualTo(StableStorageRules.PROOF);
        assertThat(reasons)
                .allSatisfy(reason -> assertThat(reason).matches("\\S.*\\.").doesNotContain("null"));
    }

    @Test
    void whatTheSystemSaysComesBeforeWhatWasMeasured() {
        Map<String, String> facts = new HashMap<>(SSD);
        facts.putAll(Map.of("fileSystem", "tmpfs", "device", "unknown", "disk", "unknown"));
        assertThat(StableStorageRules.judge(new Evidence(new ForceLabel("fsync"), facts, 512, 1.1, 1.0))
                        .reasons())
                .hasSize(4)
                .satisfiesExactly(
                        first -> assertThat(first).contains("lies in memory"),
                        second -> assertThat(second).contains("no device answers within 5 µs"),
                        third -> assertThat(third).contains("hardly more than a write"),
                        last -> assertThat(last).contains("plog audit", "power cut"));
    }

    @Test
    void aVirtualDiskThatIsCalledRotationalIsToldSoAndWhatWasSeen() {
        Row virtio = rows().stream()
                .filter(row -> row.rule().startsWith("virtio"))
                .findFirst()
                .orElseThrow();
        assertThat(judge(virtio).reasons().get(1))
                .isEqualTo(
                        "A forced append of 512 B takes 160 µs at the median (fdatasync), 6,250 a second and 80 times a"
                                + " write into the page cache, so something below the kernel was asked. The kernel calls the disk"
                                + " rotational; for a virtual disk that says nothing.");
    }

    @Test
    void labelsAreThoseOfTheSchema() {
        assertThat(Verdict.values())
                .extracting(Verdict::label)
                .containsExactly("consistent", "volatile-cache", "cannot-tell");
        assertThat(Verdict.values())
                .allSatisfy(
                        verdict -> assertThat(Verdict.ofLabel(verdict.label())).isEqualTo(verdict));
    }
}
