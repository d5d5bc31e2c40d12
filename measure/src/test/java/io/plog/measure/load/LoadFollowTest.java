package io.plog.measure.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.plog.client.FakeServer;
import io.plog.client.RpcException;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.plan.Load;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A load with several servers of which one serves. */
@Timeout(60)
class LoadFollowTest {
    @TempDir
    private Path directory;

    private static Load plan(int port, int... others) {
        String servers = IntStream.concat(IntStream.of(port), IntStream.of(others))
                .mapToObj(each -> "127.0.0.1:" + each)
                .collect(Collectors.joining(","));
        return Load.on(servers, "a").warmUp(Duration.ZERO).seed(42);
    }

    private LoadRun.Outcome run(Load plan) throws IOException, PlanException {
        return LoadRun.open(LoadOrder.of(plan)).run(directory.resolve("samples.plog"), ProgressListener.NONE);
    }

    /** Serves for so many requests of each connection, and then stands by. */
    private static FakeServer servingFirst(int requests) {
        return FakeServer.answering((request, count) -> List.of(
                count < requests
                        ? FakeServer.reply(request)
                        : FakeServer.refusal(request, Status.NOT_SERVING, "another server has the log")));
    }

    private static void assertEachOnce(List<ByteBuf> first, List<ByteBuf> second) {
        List<ByteBuf> all = new ArrayList<>(first);
        all.addAll(second);
        Set<List<Long>> identities = new HashSet<>();
        all.forEach(request -> identities.add(List.of(RequestHeader.client(request), RequestHeader.request(request))));
        assertThat(identities).hasSameSizeAs(all);
    }

    @Test
    void itGoesToTheServerThatServesWhenItsOwnSaysThatItDoesNot() throws Exception {
        try (FakeServer old = servingFirst(20);
                FakeServer holder = FakeServer.good()) {
            LoadRun.Outcome outcome = run(
                    plan(old.port(), holder.port()).closed(3, 2).requests(500).checked());
            assertThat(outcome.end().partial()).as(outcome.end().reason()).isFalse();
            assertThat(holder.requests()).hasSizeGreaterThan(300);
            assertEachOnce(old.requests(), holder.requests());
        }
    }

    @Test
    void itBeginsWithTheServerThatIsThere() throws Exception {
        int gone;
        try (FakeServer closed = FakeServer.good()) {
            gone = closed.port();
        }
        try (FakeServer holder = FakeServer.good()) {
            LoadRun.Outcome outcome =
                    run(plan(gone, holder.port()).closed(2, 1).requests(50).checked());
            assertThat(outcome.end().partial()).as(outcome.end().reason()).isFalse();
            assertThat(holder.requests()).hasSize(50);
        }
        Load nowhere = plan(gone).closed(1, 1).checked();
        assertThatThrownBy(() -> LoadRun.open(LoadOrder.of(nowhere))).isInstanceOf(RpcException.class);
    }

    @Test
    void aServerWithOtherTargetsIsNotTakenForOneThatTakesOver() throws Exception {
        Welcome other = new Welcome(1_000, 4, Map.of(), List.of(new TargetDescription(3, "b", "fdatasync", Map.of())));
        try (FakeServer old = servingFirst(5);
                FakeServer wrong = FakeServer.greeting(other, (request, count) -> List.of());
                FakeServer holder = FakeServer.good()) {
            Load plan = plan(old.port(), wrong.port(), holder.port())
                    .closed(1, 1)
                    .requests(50)
                    .checked();
            assertThat(run(plan).end().partial()).isFalse();
            assertThat(wrong.requests()).isEmpty();
            assertThat(holder.requests()).hasSizeGreaterThan(40);
        }
    }
}
