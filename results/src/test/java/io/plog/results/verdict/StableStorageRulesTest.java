package io.plog.results.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.samples.ForceLabel;
import io.plog.results.model.Results.StableStorage;
import io.plog.results.verdict.StableStorageRules.Evidence;
import io.plog.results.verdict.StableStorageRules.Verdict;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One row for each rule, with the reason that must come first; the disk is a solid-state disk with a write cache. */
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

    private static final Map<String, Map<String, String>> DISKS = Map.of(
            "ssd", Map.of(),
            "virtio", Map.of("device", "vda", "disk", "vda", "model", "unknown", "rotational", "yes", "fua", "no"),
            "magnetic", Map.of("device", "sda2", "disk", "sda", "model", "IRONWOLF", "rotational", "yes"),
            "none", Map.of("device", "unknown", "disk", "unknown", "model", "unknown", "writeCache", "unknown"));

    /**
     * Judges what was found.
     *
     * @param facts a disk, and what differs there
     */
    private static StableStorage judge(String force, String facts, @Nullable Double append, @Nullable Double cached) {
        Map<String, String> all = new HashMap<>(SSD);
        for (String fact : facts.split("; ")) {
            String[] pair = fact.split("=", 2);
            all.putAll(pair.length == 1 ? DISKS.get(fact) : Map.of(pair[0], pair[1]));
        }
        return StableStorageRules.judge("main", new Evidence(new ForceLabel(force), all, 512, append, append, cached));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # rule | verdict | force | facts | append in microseconds | write into the page cache | the first reason
            # volatile by what the system says
            quorum | CANNOT_TELL | quorum | ssd | 700 | 2 | The bookies force on disks
            tmpfs | VOLATILE_CACHE | fdatasync | none; fileSystem=tmpfs | 400 | 2 | tmpfs lies in memory
            zram | VOLATILE_CACHE | fdatasync | ssd; device=zram0; disk=zram0 | 400 | 2 | ext4 on zram0 lies
            volatile overlay | VOLATILE_CACHE | fdatasync | none; \
            fileSystem=overlay; mountOptions=rw,lowerdir=/a,volatile | 400 | 2 | \
            The overlay is mounted with the option volatile
            no barriers | VOLATILE_CACHE | fdatasync | ssd; mountOptions=rw,nobarrier | 400 | 2 | \
            nvme0n1p1 has a write cache (write back), and the file system is mounted so that it never flushes \
            it (nobarrier)
            no barriers on a virtual disk | VOLATILE_CACHE | fdatasync | virtio; mountOptions=rw,barrier=0 | 400 | 2 | \
            vda has a write cache (write back), and the file system is mounted so that it never flushes it \
            (barrier=0)
            # simulated: what the model does is known
            simulated and honest | CONSISTENT | fdatasync | ssd; device=sim:hdd; lies=no | 4.9 | 9 | \
            sim:hdd is simulated, and its model keeps what was forced
            simulated and lying | VOLATILE_CACHE | fdatasync | ssd; device=sim:lying; lies=yes | 400 | 2 | \
            sim:lying is simulated, and its model answers a force before what it covers is stable
            # volatile by what was measured
            too fast | VOLATILE_CACHE | fdatasync | ssd | 4.9 | 0.9 | A forced append of 512 B takes 4.90 µs
            too fast on a virtual disk | VOLATILE_CACHE | fdatasync | virtio | 4.9 |  | \
            A forced append of 512 B takes 4.90
            too fast for a server | VOLATILE_CACHE | fdatasync | ssd; fileSystem=nfs4 | 2 |  | A forced append
            as the page cache | VOLATILE_CACHE | fdatasync | ssd | 19.9 | 10 | \
            A forced append of 512 B takes 19.9 µs at the median (fdatasync), hardly more than a write into the \
            page cache (10.0 µs)
            faster than it turns | VOLATILE_CACHE | fdatasync | magnetic | 7900 | 2 | \
            A forced append of 512 B takes 7,900 µs at the median (fdatasync), which is 127 a second.
            faster than it turns, written through | VOLATILE_CACHE | fdatasync | \
            magnetic; writeCache=write through | 160 | 2 | \
            A forced append of 512 B takes 160 µs at the median (fdatasync), which is 6,250 a second.
            # cannot tell
            nothing measured | CANNOT_TELL | fdatasync | ssd |  |  | No forced append was measured
            virtio disk in a machine | CANNOT_TELL | fdatasync | virtio | 160 | 2 | \
            vda looks like a virtual disk: the hypervisor and the storage behind it decide
            virtual by its name alone | CANNOT_TELL | fdatasync | ssd; device=nbd0; disk=nbd0 | 500 | 2 | \
            nbd0 (FAST SSD 1TB) looks like a virtual disk
            virtual for lack of a model | CANNOT_TELL | fdatasync | \
            ssd; device=sda; disk=sda; model=unknown | 500 | 2 | \
            sda looks like a virtual disk
            virtual for an empty model | CANNOT_TELL | fdatasync | ssd; device=sda; disk=sda; model= | 500 | 2 | sda
            cloud disk | CANNOT_TELL | fdatasync | ssd; model=Amazon Elastic Block Store | 500 | 2 | \
            nvme0n1p1 (Amazon Elastic Block Store) looks like a virtual disk
            virtual disk, written through | CANNOT_TELL | fdatasync | virtio; writeCache=write through | 160 | 2 | \
            vda looks like a virtual disk
            network | CANNOT_TELL | fdatasync | none; fileSystem=nfs4 | 700 | 2 | \
            nfs4 is a network file system: its server decides
            host | CANNOT_TELL | fdatasync | none; fileSystem=virtiofs | 700 | 2 | virtiofs is a file system of the host
            overlay | CANNOT_TELL | fdatasync | none; fileSystem=overlay | 700 | 2 | An overlay, as containers have
            fuse | CANNOT_TELL | fdatasync | none; fileSystem=fuse.sshfs | 700 | 2 | fuse.sshfs is served by a program
            loop | CANNOT_TELL | fdatasync | ssd; device=loop3; disk=loop3; backingFile=/images/disk | 700 | 2 | \
            loop3 is a file (/images/disk) used as a disk
            no device | CANNOT_TELL | fdatasync | none; fileSystem=zfs | 700 | 2 | \
            Which device lies below zfs is unknown
            persistent memory is fast and may be stable | CANNOT_TELL | fdatasync | \
            ssd; device=pmem0; disk=pmem0; model=unknown; writeCache=write back | 1.5 | 1 | \
            pmem0 is persistent memory
            write cache unknown | CANNOT_TELL | fdatasync | ssd; writeCache=unknown | 400 | 2 | \
            Whether there is a volatile write cache is unknown.
            write cache unknown, no barriers | CANNOT_TELL | fdatasync | \
            ssd; writeCache=unknown; mountOptions=rw,barrier=0 | 400 | 2 | \
            Whether there is a volatile write cache is unknown, and the mount option barrier=0
            not compared | CANNOT_TELL | fdatasync | ssd | 400 |  | \
            nvme0n1p1 has a write cache (write back), and nothing was
            not clearly dearer | CANNOT_TELL | fdatasync | ssd | 49 | 10 | \
            nvme0n1p1 has a write cache (write back), and a forced
            # consistent
            write back, and the flush costs | CONSISTENT | fdatasync | ssd | 400 | 2 | \
            nvme0n1p1 has a write cache (write back) that every force flushes or writes past (FUA), and it \
            shows: a forced append of 512 B takes 400 µs at the median (fdatasync), 200 times a write
            write through | CONSISTENT | fdatasync | ssd; writeCache=write through | 30 |  | \
            nvme0n1p1 reports no volatile write cache (write through
            without barriers and without a cache | CONSISTENT | fdatasync | \
            ssd; writeCache=write through; mountOptions=rw,nobarrier | 30 | 2 | \
            nvme0n1p1 reports no volatile write cache
            as fast as it turns | CONSISTENT | fdatasync | magnetic | 8333 | 2 | \
            sda2 has a write cache (write back) that
            """)
    void eachRuleHasItsVerdictAndItsReasonAndEndsWithWhatProvesIt(
            String rule,
            Verdict verdict,
            String force,
            String facts,
            @Nullable Double append,
            @Nullable Double cached,
            String first) {
        StableStorage finding = judge(force, facts, append, cached);
        assertThat(finding.verdict()).as("%s", finding.reasons()).isEqualTo(verdict.label());
        assertThat(finding.reasons())
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(reason -> assertThat(reason).matches("\\S.*\\.").doesNotContain("null"));
        assertThat(finding.reasons().get(0)).startsWith(first);
        assertThat(finding.reasons()).last().isEqualTo(StableStorageRules.PROOF);
    }

    /** An append takes a turn less the time since the one before. */
    @Test
    void aDiskThatTurnsIsJudgedByTheTimeFromOneAppendToTheNext() {
        Map<String, String> facts = new HashMap<>(SSD);
        facts.putAll(DISKS.get("magnetic"));
        ForceLabel force = new ForceLabel("fdatasync");
        assertThat(StableStorageRules.judge("main", new Evidence(force, facts, 512, 7_700.0, 8_300.0, 2.0))
                        .verdict())
                .isEqualTo(Verdict.CONSISTENT.label());
        StableStorage lies = StableStorageRules.judge("main", new Evidence(force, facts, 512, 160.0, 320.0, 2.0));
        assertThat(lies.verdict()).isEqualTo(Verdict.VOLATILE_CACHE.label());
        assertThat(lies.reasons().get(0)).contains("and there are 3,125 a second");
    }

    @Test
    void whatTheSystemSaysComesBeforeWhatWasMeasured() {
        assertThat(judge("fsync", "ssd; fileSystem=tmpfs; device=unknown; disk=unknown", 1.1, 1.0)
                        .reasons())
                .hasSize(4)
                .satisfiesExactly(
                        first -> assertThat(first).contains("lies in memory"),
                        second -> assertThat(second).contains("no device answers within 5 µs"),
                        third -> assertThat(third).contains("hardly more than a write"),
                        last -> assertThat(last).contains("plog audit", "power cut"));
    }

    @Test
    void aVirtualDiskThatIsCalledRotationalIsReportedAndWhatWasSeen() {
        assertThat(judge("fdatasync", "virtio", 160.0, 2.0).reasons().get(1))
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
    }
}
