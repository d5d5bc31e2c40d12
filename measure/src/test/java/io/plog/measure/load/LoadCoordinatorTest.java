package io.plog.measure.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.client.FakeServer;
import io.plog.measure.PlanException;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.SideEvents;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadCoordinatorTest {
    @TempDir
    private Path directory;

    /** The common pool may have a single thread, and these wait for each other. */
    private static final Executor OWN_THREAD = work -> new Thread(work).start();

    private final List<String> notes = new CopyOnWriteArrayList<>();

    private CompletableFuture<RunInfo.End> coordinate(LoadCoordinator coordinator, LoadPlan plan) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        Path parts = Files.createDirectory(directory.resolve("parts"));
                        return coordinator.run(plan, directory.resolve("samples.plog"), parts, notes::add);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                OWN_THREAD);
    }

    private CompletableFuture<LoadRun.Outcome> work(LoadCoordinator coordinator, String name, LoadListener listener) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (LoadWorker worker = LoadWorker.join("127.0.0.1", coordinator.port(), null, 0)) {
                        return worker.run(directory.resolve(name), listener);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                OWN_THREAD);
    }

    private static LoadPlanBuilder plan(FakeServer server) {
        return LoadPlan.builder("127.0.0.1", server.port(), "a")
                .warmUp(Duration.ZERO)
                .seed(5);
    }

    @Test
    void twoWorkersMakeOneRunOfAllTheirSamples() throws Exception {
        try (FakeServer server = FakeServer.good();
                LoadCoordinator coordinator = LoadCoordinator.listen("127.0.0.1", 0)) {
            CompletableFuture<RunInfo.End> run = coordinate(
                    coordinator,
                    plan(server)
                            .open(5, 400, ArrivalTimes.Kind.CONSTANT)
                            .duration(Duration.ofSeconds(1))
                            .part(0, 2)
                            .build());
            CompletableFuture<LoadRun.Outcome> one = work(coordinator, "one.plog", LoadListener.NONE);
            CompletableFuture<LoadRun.Outcome> other = work(coordinator, "other.plog", LoadListener.NONE);
            assertThat(run.get().partial()).as(run.get().reason()).isFalse();
            assertThat(one.get().summary().sent() + other.get().summary().sent())
                    .isEqualTo(400);
            try (SampleFileReader reader = SampleFileReader.open(directory.resolve("samples.plog"))) {
                Samples samples = reader.samples(new CellKey(3, 100));
                assertThat(samples.count()).isEqualTo(400);
                assertThat(server.requests()).hasSize(400);
                // Both parts' intended times interleave to those of the whole, on all five connections.
                long[] intended = samples.column(Column.INTENDED);
                Arrays.sort(intended);
                for (int i = 0; i < intended.length; i++) {
                    assertThat(intended[i]).isEqualTo(i * 2_500_000L);
                }
                assertThat(Arrays.stream(samples.column(Column.CONNECTION))
                                .distinct()
                                .sorted())
                        .containsExactly(0L, 1L, 2L, 3L, 4L);
                assertThat(reader.info().client()).containsEntry("mergedFrom", "2 clients");
                assertThat(reader.info().plan().load().get(0).workers()).isEqualTo(2);
                // Both asked the same server what interrupted it.
                assertThat(reader.events())
                        .extracting(SideEvents::side)
                        .containsExactlyInAnyOrder(SideEvents.CLIENT, SideEvents.CLIENT, SideEvents.SERVER);
            }
            assertThat(directory.resolve("parts")).isEmptyDirectory();
        }
    }

    @Test
    void aWorkerThatIsLostEndsTheRunAndTheOthersSamplesAreKept() throws Exception {
        try (FakeServer server = FakeServer.good();
                LoadCoordinator coordinator = LoadCoordinator.listen("127.0.0.1", 0)) {
            CompletableFuture<RunInfo.End> run = coordinate(
                    coordinator,
                    plan(server)
                            .closed(2, 1)
                            .duration(Duration.ofHours(1))
                            .part(0, 2)
                            .build());
            AtomicReference<LoadWorker> lost = new AtomicReference<>();
            CompletableFuture<LoadRun.Outcome> other = work(coordinator, "other.plog", progress -> {
                // Only once the load is under way.
                LoadWorker worker = lost.get();
                if (progress.answered() > 0 && worker != null) {
                    worker.close();
                }
            });
            LoadWorker worker = LoadWorker.join("127.0.0.1", coordinator.port(), null, 0);
            lost.set(worker);
            assertThatThrownBy(() -> worker.run(directory.resolve("lost.plog"), LoadListener.NONE))
                    .hasMessageContaining("lost contact with the coordinator");
            assertThat(run.get().partial()).isTrue();
            assertThat(run.get().reason()).contains("was lost").contains("interrupted after");
            assertThat(other.get().summary().sent()).isPositive();
            try (SampleFileReader reader = SampleFileReader.open(directory.resolve("samples.plog"))) {
                assertThat((long) reader.count(new CellKey(3, 100)))
                        .isEqualTo(other.get().summary().sent());
            }
            assertThat(Files.exists(directory.resolve("lost.plog"))).isTrue();
        }
    }

    @Test
    void whoIsNoWorkerOfThisVersionIsRefusedAndTheCoordinatorWaitsOn() throws Exception {
        try (FakeServer server = FakeServer.good();
                LoadCoordinator coordinator = LoadCoordinator.listen("127.0.0.1", 0)) {
            CompletableFuture<RunInfo.End> run = coordinate(
                    coordinator, plan(server).closed(1, 1).requests(20).build());
            try (ControlConnection stranger =
                    new ControlConnection(new Socket(InetAddress.getLoopbackAddress(), coordinator.port()))) {
                stranger.send(ControlConnection.JOIN, PlanJson.join("0.0.1-other"));
                ControlConnection.Message refused = stranger.receive();
                assertThat(refused.type()).isEqualTo(ControlConnection.REFUSED);
                assertThat(refused.text())
                        .startsWith("the worker is plog 0.0.1-other")
                        .contains("use the same plog");
            }
            try (Socket http = new Socket(InetAddress.getLoopbackAddress(), coordinator.port())) {
                http.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                CompletableFuture<LoadRun.Outcome> worker = work(coordinator, "one.plog", LoadListener.NONE);
                assertThat(worker.get().summary().accepted()).isEqualTo(20);
            }
            assertThat(run.get().partial()).isFalse();
            assertThat(notes).anyMatch(note -> note.contains("so it is no plog load"));
        }
    }

    @Test
    void aWorkerThatCannotTakeItsPartSaysSoToTheCoordinator() throws Exception {
        try (FakeServer server = FakeServer.good();
                LoadCoordinator coordinator = LoadCoordinator.listen("127.0.0.1", 0)) {
            CompletableFuture<RunInfo.End> run = coordinate(
                    coordinator,
                    plan(server).target("b").closed(1, 1).requests(20).build());
            assertThatThrownBy(() -> LoadWorker.join("127.0.0.1", coordinator.port(), null, 0))
                    .isInstanceOf(PlanException.class)
                    .hasMessageContaining("no target 'b'");
            assertThatThrownBy(run::get).hasMessageContaining("the load did not begin: worker 1");
        }
    }
}
