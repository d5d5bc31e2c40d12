package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.plog.log.storage.Force;
import io.plog.server.options.MemoryOptions;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
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
        return (long) bounds.clients() * MemoryOptions.BYTES_OF_A_CLIENT + bounds.answerBytes();
    }

    @Test
    void allTargetsTogetherStayWithinTheirShareOfTheHeap() {
        for (long heap : new long[] {38 * MIB, 100 * MIB, 1_000 * MIB, 30_000 * MIB}) {
            for (int targets = 1; targets * 9.5 * MIB < heap / 4.0; targets++) {
                if (targets > 31) {
                    break;
                }
                MemoryPlan plan = MemoryPlan.of(options(targets), heap);
                MemoryBounds bounds = plan.bounds();
                assertThat(targets * worst(bounds)).isLessThanOrEqualTo(heap / 4);
                assertThat(bounds.answerBytes()).isPositive();
                // A client that is forgotten is new again: that must not hang on the heap.
                assertThat(bounds.clients()).isEqualTo(32_768);
            }
        }
    }

    @Test
    void itIsSaidHowMuchIsRememberedOfWhatAndForWhom() {
        assertThat(MemoryPlan.of(options(2), 512 * MIB).sentence())
                .isEqualTo(
                        "remembers answers in at most 128.0 MiB of its heap of 512.0 MiB: of each of the 2 logged targets"
                                + " 32,768 clients and their last answers");
        assertThat(MemoryPlan.of(options(0), 10 * MIB).sentence()).isEmpty();
    }

    @Test
    void aHeapTooSmallForWhatIsPromisedIsRefusedWithWhatToDo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemoryPlan.of(options(3), 64 * MIB))
                .withMessageContainingAll(
                        "of each of the 3 logged targets 32,768 clients are to be remembered",
                        "16.0 MiB of it are for that, a quarter of 64.0 MiB",
                        "-Xmx",
                        "--memory",
                        "--client-memory");
        assertThatIllegalArgumentException()
                .as("too little by less than the last digit")
                .isThrownBy(() -> MemoryPlan.of(options(2), 4 * (long) (15.47 * MIB)))
                .withMessageContaining("which takes 15.5 MiB of heap, but 15.4 MiB of it are for that");
        ServerOptions given = options(3).withMemory(new MemoryOptions(30 * MIB, 0, Duration.ZERO));
        assertThat(MemoryPlan.of(given, 64 * MIB).bounds().leastNanos()).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemoryPlan.of(given, 20 * MIB))
                .withMessageContaining("memory is 30.0 MiB, but the heap is 20.0 MiB");
    }

    @Test
    void anOperatorBoundsTheClientsInBytes() {
        ServerOptions given = options(1).withMemory(new MemoryOptions(0, 48 * MIB, Duration.ZERO));
        MemoryPlan plan = MemoryPlan.of(given, 1_024 * MIB);
        assertThat(plan.bounds().clients()).isEqualTo((int) (48 * MIB / 240));
        assertThat(worst(plan.bounds())).isLessThanOrEqualTo(256 * MIB);
        assertThat(plan.sentence()).contains("209,715 clients");
        assertThat(MemoryPlan.of(given, 4_096 * MIB).bounds().clients())
                .as("whatever the heap")
                .isEqualTo(plan.bounds().clients());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemoryPlan.of(given, 180 * MIB))
                .withMessageContainingAll("209,715 clients", "45.0 MiB of it are for that", "--client-memory");
        ServerOptions few = options(1).withMemory(new MemoryOptions(0, 24_000, Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemoryPlan.of(few, 1_024 * MIB))
                .withMessageContainingAll("hold 100 of them", "connections may be open", "--max-connections");
    }

    @Test
    void optionsOutOfRangeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MemoryOptions(0, -1, Duration.ZERO))
                .withMessageContaining("clientBytes is -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MemoryOptions(5, 0, Duration.ZERO))
                .withMessageContaining("memory is 5 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MemoryOptions(0, 0, Duration.ofDays(1)))
                .withMessageContaining("leastTime is 86400000 ms");
    }
}
