package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.plog.log.Force;
import io.plog.server.options.MemoryOptions;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.state.KeyTable;
import io.plog.server.state.MemoryBounds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryPlanTest {
    private static final long MIB = 1 << 20;

    private static ServerOptions options(int targets) {
        List<TargetOptions> all = new ArrayList<>(List.of(TargetOptions.unlogged("off")));
        for (int i = 0; i < targets; i++) {
            all.add(TargetOptions.logged("t" + i, Path.of("."), Force.FDATASYNC));
        }
        return ServerOptions.of(all);
    }

    private static long worst(MemoryBounds bounds) {
        return 2L * bounds.clients() * MemoryPlan.CLIENT_BYTES
                + (long) bounds.keys() * KeyTable.KEY_BYTES
                + bounds.answerBytes()
                + bounds.keyAnswerBytes();
    }

    @Test
    void allTargetsTogetherStayWithinTheirShareOfTheHeap() {
        for (long heap : new long[] {38 * MIB, 100 * MIB, 1_000 * MIB, 30_000 * MIB}) {
            for (int targets = 1; targets * 9.5 * MIB < heap / 4.0; targets++) {
                if (targets > 31) {
                    break;
                }
                MemoryPlan plan = MemoryPlan.of(options(targets), heap);
                for (boolean stateless : new boolean[] {false, true}) {
                    MemoryBounds bounds = plan.bounds(stateless);
                    assertThat(targets * worst(bounds)).isLessThanOrEqualTo(heap / 4);
                    assertThat(bounds.answerBytes()).isPositive();
                    // A client or a key that is forgotten is new again: that must not hang on the heap.
                    assertThat(bounds.clients()).isEqualTo(4_096);
                    assertThat(bounds.keys()).isEqualTo(131_072);
                }
            }
        }
    }

    @Test
    void itIsSaidHowMuchIsRememberedOfWhatAndForWhom() {
        assertThat(MemoryPlan.of(options(2), 512 * MIB).sentence())
                .isEqualTo(
                        "remembers answers in at most 128.0 MiB of its heap of 512.0 MiB: of each of the 2 logged targets"
                                + " 4,096 clients and 131,072 keys and their last answers");
        assertThat(MemoryPlan.of(options(0), 10 * MIB).sentence()).isEmpty();
    }

    @Test
    void aHeapTooSmallForWhatIsPromisedIsRefusedWithWhatToDo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemoryPlan.of(options(3), 64 * MIB))
                .withMessageContainingAll(
                        "of each of the 3 logged targets 4,096 clients and 131,072 keys are to be remembered",
                        "16.0 MiB of it are for that, a quarter of 64.0 MiB",
                        "-Xmx",
                        "--memory",
                        "--keys");
        ServerOptions given = options(3).withMemory(new MemoryOptions(30 * MIB, 0, 131_072, Duration.ZERO));
        assertThat(MemoryPlan.of(given, 64 * MIB).bounds(true).leastNanos()).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemoryPlan.of(given, 20 * MIB))
                .withMessageContaining("memory is 30.0 MiB, but the heap is 20.0 MiB");
        ServerOptions fewKeys = options(3).withMemory(new MemoryOptions(0, 0, 8_192, Duration.ofSeconds(1)));
        assertThat(MemoryPlan.of(fewKeys, 64 * MIB).bounds(true).keys()).isEqualTo(8_192);
    }

    @Test
    void anOperatorBoundsTheClientsInBytes() {
        ServerOptions given = options(1).withMemory(new MemoryOptions(0, 96 * MIB, 1_024, Duration.ZERO));
        MemoryPlan plan = MemoryPlan.of(given, 1_024 * MIB);
        assertThat(plan.bounds(true).clients()).isEqualTo((int) (96 * MIB / 480));
        assertThat(worst(plan.bounds(true))).isLessThanOrEqualTo(256 * MIB);
        assertThat(plan.sentence()).contains("209,715 clients");
        assertThat(MemoryPlan.of(given, 4_096 * MIB).bounds(true).clients())
                .as("whatever the heap")
                .isEqualTo(plan.bounds(true).clients());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemoryPlan.of(given, 200 * MIB))
                .withMessageContainingAll("209,715 clients", "50.0 MiB of it are for that", "--client-memory");
        ServerOptions few = options(1).withMemory(new MemoryOptions(0, 48_000, 1_024, Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemoryPlan.of(few, 1_024 * MIB))
                .withMessageContainingAll("hold 100 of them", "connections may be open", "--max-connections");
    }

    @Test
    void optionsOutOfRangeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MemoryOptions(0, -1, 2_000, Duration.ZERO))
                .withMessageContaining("clientBytes is -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MemoryOptions(5, 0, 2_000, Duration.ZERO))
                .withMessageContaining("memory is 5 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MemoryOptions(0, 0, 1_023, Duration.ZERO))
                .withMessageContaining("keys is 1023");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MemoryOptions(0, 0, 2_000, Duration.ofDays(1)))
                .withMessageContaining("keyTime is 86400000 ms");
    }
}
