package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.server.options.ServerStartException;
import org.junit.jupiter.api.Test;

final class FileDescriptorLimitTest {
    @Test
    void aHighLimitLeavesAllConnections() throws Exception {
        assertThat(new FileDescriptorLimit(20_000, 40).connections(1_024, 2)).isEqualTo(1_024);
        assertThat(new FileDescriptorLimit(Long.MAX_VALUE, 0).connections(65_536, 32))
                .isEqualTo(65_536);
    }

    @Test
    void aLowLimitLeavesWhatTheServerDoesNotNeedItself() throws Exception {
        FileDescriptorLimit descriptors = new FileDescriptorLimit(256, 40);
        int granted = descriptors.connections(1_024, 1);
        assertThat(granted).isEqualTo(256 - 40 - 128 - 16);
        assertThat(descriptors.shortage(1_024, granted, 1))
                .isEqualTo(
                        "at most 72 connections at once instead of 1024: this process may have 256 open files, and the"
                                + " server needs 184 for itself; for all of them raise the limit (ulimit -n) to 1208");
        // What it says is enough.
        assertThat(new FileDescriptorLimit(1_208, 40).connections(1_024, 1)).isEqualTo(1_024);
        assertThat(new FileDescriptorLimit(1_207, 40).connections(1_024, 1)).isEqualTo(1_023);
    }

    @Test
    void aLimitThatLeavesNoneIsRefusedInASentence() throws Exception {
        assertThat(new FileDescriptorLimit(185, 40).connections(1_024, 1)).isEqualTo(1);
        assertThatThrownBy(() -> new FileDescriptorLimit(184, 40).connections(1_024, 1))
                .isInstanceOf(ServerStartException.class)
                .hasMessage("this process may have 184 open files: expected at least 185, of which the server needs 184"
                        + " for itself; raise the limit (ulimit -n)");
    }

    @Test
    void thisProcessHasSomeOpenAndALimit() {
        FileDescriptorLimit descriptors = FileDescriptorLimit.ofThisProcess();
        assertThat(descriptors.open()).isPositive();
        assertThat(descriptors.limit()).isGreaterThan(descriptors.open());
    }
}
