package io.plog.server.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.plog.log.storage.Force;
import io.plog.server.service.BuiltInService;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
    private static final ServerOptions DEFAULTS = ServerOptions.of(List.of(TargetOptions.unlogged("off")));

    @Test
    void valuesOutOfTheirRangesAreNamedWithTheRange() {
        assertRefused(() -> DEFAULTS.withPorts(65_536, 0), "port is 65536: expected 0 to 65535");
        assertRefused(() -> DEFAULTS.withPorts(0, -2), "adminPort is -2");
        assertRefused(() -> DEFAULTS.withEventLoops(0), "eventLoops is 0: expected 1 to 256");
        assertRefused(() -> DEFAULTS.withLimits(0, 1, 1, 1 << 16), "maxPayloadBytes is 0");
        assertRefused(() -> DEFAULTS.withLimits((64 << 20) + 1, 1, 1, 1 << 16), "expected 1 to 67108864");
        assertRefused(() -> DEFAULTS.withLimits(1, 0, 1, 1 << 16), "maxConnections is 0");
        assertRefused(() -> DEFAULTS.withLimits(1, 1, 0, 1 << 16), "maxOutstanding is 0");
        assertRefused(() -> DEFAULTS.withLimits(1, 1, 1, 65_535), "maxOutstandingBytes is 65535");
        assertRefused(() -> DEFAULTS.withPatience(Duration.ZERO), "patience is PT0S");
        assertThat(DEFAULTS.withMaxWait(Duration.ofMinutes(1)).maxWait()).hasMinutes(1);
        assertRefused(() -> DEFAULTS.withMaxWait(Duration.ofMillis(60_001)), "expected 1 ms to 60000 ms");
    }

    /** A range that is written down a second time is wrong one day, as was that of {@code maxWait}. */
    @ParameterizedTest
    @ValueSource(classes = {ServerOptions.class, MemoryOptions.class, TargetOptions.class})
    void theDescriptionOfARangeIsTakenFromTheCode(Class<?> options) throws IOException {
        Path source = Path.of("src/main/java", options.getName().replace('.', '/') + ".java");
        assertThat(Files.readString(source))
                .contains("{@value #")
                .doesNotContainPattern("\\* .*(\\d to \\d|to [\\d,]{2}|(at least|up to) \\d)");
    }

    @Test
    void documentsSayTheDefaultsAsTheyAre() throws IOException {
        Path documents = Path.of("../docs");
        assertThat(Files.readString(documents.resolve("server-state.md")))
                .contains(
                        String.format(Locale.ROOT, "%,d or twice", MemoryOptions.LEAST_CLIENTS),
                        MemoryOptions.BYTES_OF_A_CLIENT + " bytes for a client");
        assertThat(Files.readString(documents.resolve("operations.md")))
                .contains("Of a log over " + TargetOptions.CHECK_AT_START_MEBIBYTES + " MiB (`check=SIZE`)");
        assertThat(Files.readString(documents.resolve("http.md")))
                .contains(
                        "clients=" + MemoryOptions.LEAST_CLIENTS + ", seconds=" + MemoryOptions.DEFAULT_LEAST_SECONDS);
    }

    @Test
    void designsAreReadAsTheyAreWritten() {
        for (String label : new String[] {"dedicated", "inline", "threads=1", "threads=150", "threads-shared=4096"}) {
            assertThat(DesignOption.parse(label).label()).isEqualTo(label);
        }
        assertThat(DEFAULTS.design().label()).isEqualTo("dedicated");
    }

    @Test
    void anUnknownDesignIsRefusedWithTheNamesOfAll() {
        String all = "expected dedicated, inline, threads=N or threads-shared=N";
        assertRefused(() -> DesignOption.parse("dedicatd"), "unknown design 'dedicatd': " + all);
        assertRefused(() -> DesignOption.parse("thread=5"), "'thread=5': " + all);
        assertRefused(() -> DesignOption.parse("shared-threads=5"), all);
        assertRefused(() -> DesignOption.parse("nonsense"), "unknown design 'nonsense': " + all);
        assertRefused(() -> DesignOption.parse(""), all);
        assertRefused(() -> DesignOption.parse("threads=0"), "design threads with 0 threads: expected 1 to 4096");
        assertRefused(() -> DesignOption.parse("threads-shared=4097"), "with 4097 threads: expected 1 to 4096");
        assertRefused(() -> DesignOption.parse("threads"), "expected threads=N, N from 1 to 4096");
        assertRefused(() -> DesignOption.parse("threads=x"), "'threads=x': expected threads=N");
        assertRefused(() -> DesignOption.parse("threads=9999999999"), "expected threads=N, N from 1 to 4096");
        assertRefused(() -> DesignOption.parse("inline=3"), "expected inline without a number");
    }

    @Test
    void targetsMustBeThereFewAndDistinct() {
        TargetOptions off = TargetOptions.unlogged("off");
        assertRefused(() -> ServerOptions.of(List.of()), "no target");
        assertRefused(() -> ServerOptions.of(List.of(off, off)), "two targets are called 'off'");
        assertRefused(() -> ServerOptions.of(Collections.nCopies(33, off)), "33: expected 1 to 32");
    }

    @Test
    void aTargetNeedsAProperNameAndADirectoryIfItLogs() {
        for (String name : new String[] {"", "a b", "a\"", "x".repeat(65)}) {
            assertRefused(() -> TargetOptions.unlogged(name), "target name '" + name + "'");
        }
        assertRefused(() -> TargetOptions.unlogged("a").withForce(Force.WRITE), "force=write without a directory");
        assertRefused(
                () -> TargetOptions.logged("a", Path.of("x"), Force.FSYNC).withRetainBytes(1), "at least two segments");
        assertRefused(
                () -> TargetOptions.unlogged("a").withCheckpointBytes(65_535),
                "checkpoint is 65535 bytes: expected at least 65536");
    }

    @Test
    void aServiceIsNamedByItsLabel() {
        assertThat(BuiltInService.ofLabel("chain").get().name()).isEqualTo("chain");
        assertThat(BuiltInService.ofLabel("invert").get().isStateless()).isTrue();
        assertRefused(() -> BuiltInService.ofLabel("hope"), "unknown service 'hope': expected invert or chain");
    }

    @Test
    void aStandbyIsForLogsOnSeveralMachinesAndInReasonableTime() {
        TargetOptions replicated = TargetOptions.at("r", URI.create("simulated://bookies/r"));
        TargetOptions local = TargetOptions.logged("a", Path.of("/disk1"), Force.FDATASYNC);
        ServerOptions right = ServerOptions.of(List.of(replicated, TargetOptions.unlogged("off")));
        Duration within = Duration.ofSeconds(10);
        assertThat(right.withStandby(within).withPorts(0, 0).notice()).isEqualTo(Duration.ofSeconds(4));
        assertRefused(() -> right.withStandby(Duration.ofMillis(999)), "takeoverWithin is 999 ms: expected 1 s to");
        assertRefused(() -> right.withStandby(Duration.ofMinutes(11)), "takeoverWithin is 660000 ms");
        assertRefused(
                () -> ServerOptions.of(List.of(replicated, local)).withStandby(within),
                "that of target a is in the directory /disk1 of this one");
        assertRefused(() -> DEFAULTS.withStandby(within), "expected at least one target with the address of a log");
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(message);
    }

    @Test
    void oneCoreOrTwoGetOneEventLoop() {
        assertThat(ServerOptions.defaultEventLoops()).isBetween(1, 4);
    }

    @Test
    void theDefaultFollowsTheMemoryAndTheLongestFrame() {
        long mib = 1 << 20;
        assertThat(ServerOptions.usualBufferedBytes(mib, 6_000 * mib)).isEqualTo(256 * mib);
        assertThat(ServerOptions.usualBufferedBytes(mib, 100 * mib)).isEqualTo(50 * mib);
        assertThat(ServerOptions.usualBufferedBytes(mib, 10 * mib)).isEqualTo(8 * mib);
        assertThat(ServerOptions.usualBufferedBytes(64 * mib, 6_000 * mib)).isEqualTo(512 * mib);
    }
}
