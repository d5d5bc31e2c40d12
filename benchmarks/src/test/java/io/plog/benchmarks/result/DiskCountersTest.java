package io.plog.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DiskCountersTest {
    private static final String DISKSTATS = """
               7       0 loop0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17
             254       0 vda 132618 8050 4360370 74080 5602259 18929 957633920 4091569 0 366436 4314833 25485 50 455437616 35848 2660191 113334
             254       1 vda1 1 2 3 4 5 6 70 8 9 10 11 12 13 14 15 160 17
               8       0 sda 1 0 8 4 2 0 16 8 0 10 11
            """;

    @Test
    void theLineOfTheDeviceIsRead() {
        assertThat(DiskCounters.parse(DISKSTATS, "vda")).contains(new DiskCounters(957_633_920, 2_660_191));
    }

    @Test
    void anotherDeviceWhoseNameBeginsAlikeIsNotTakenForIt() {
        assertThat(DiskCounters.parse(DISKSTATS, "vda1")).contains(new DiskCounters(70, 160));
    }

    @Test
    void anOldKernelCountsNoFlushes() {
        assertThat(DiskCounters.parse(DISKSTATS, "sda")).contains(new DiskCounters(16, 0));
    }

    @Test
    void aDeviceThatIsNotThereCountsNothing() {
        assertThat(DiskCounters.parse(DISKSTATS, "nvme0n1")).isEmpty();
    }

    @Test
    void aDifferenceIsInBytesAndFlushes() {
        DiskCounters before = new DiskCounters(100, 7);
        DiskCounters after = new DiskCounters(108, 10);
        assertThat(after.bytesWrittenSince(before)).isEqualTo(4096);
        assertThat(after.flushesSince(before)).isEqualTo(3);
    }
}
