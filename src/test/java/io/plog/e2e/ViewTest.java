package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code plog view}, and {@code plog demo --view}, from the outside. */
@Timeout(180) // on a machine that is busy with other things
final class ViewTest {
    private static final Path KNOWN = DiskDirectory.root().resolve("src/test/golden/results-1");

    @TempDir(factory = DiskDirectory.class)
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private static String get(String address) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static JsonNode state(String address) throws Exception {
        return new ObjectMapper().readTree(get(address + "&as=state"));
    }

    @Test
    void theListAndARunArePagesUntilCtrlC() throws Exception {
        Path run = Files.createDirectories(directory.resolve("results/a"));
        Files.copy(KNOWN.resolve("samples.plog"), run.resolve("samples.plog"));
        LocalRun.of("report %s", run).exited(0);
        try (Plog view = Plog.start("view %s --port 0", run.getParent())) {
            Await.until("it listens", () -> !view.out().isEmpty());
            String address = view.out().get(0);
            assertThat(address).matches("http://127\\.0\\.0\\.1:\\d+/");
            assertThat(get(address))
                    .contains("<title>plog view " + run.getParent().toRealPath());
            String a = get(address + "run?name=a");
            assertThat(a).contains("<title>plog report 2026-11-24T11:59:10").contains("<div id=\"plain\">");
            LocalRun taken = LocalRun.of(
                    "view %s --port %s", run.getParent(), URI.create(address).getPort());
            assertThat(taken.exited(1).onlyErrLine()).contains("is in use", "--port");
            view.interrupt();
            view.exited(0);
        }
    }

    @Test
    void runsArePublishedAsFilesAndADamagedOneIsNamed() throws Exception {
        Path run = Files.createDirectories(directory.resolve("results/disks/a b"));
        Files.copy(KNOWN.resolve("samples.plog"), run.resolve("samples.plog"));
        LocalRun.of("report %s", run).exited(0);
        Path damaged = Files.createDirectories(directory.resolve("results/damaged"));
        Files.copy(run.resolve("results.json"), damaged.resolve("results.json"));
        Files.writeString(damaged.resolve("samples.plog"), "no samples");
        Path site = directory.resolve("site");
        LocalRun published = LocalRun.of("view %s --publish %s", directory.resolve("results"), site)
                .exited(0);
        assertThat(published.outText().strip()).isEqualTo(site.resolve("index.html") + ": 1 run");
        assertThat(published.onlyErrLine()).contains("damaged is left out: ", "samples.plog");
        assertThat(site.resolve("disks/a b/report.html")).content().contains("<title>plog report ");
        assertThat(site.resolve("index.html"))
                .content()
                .contains("<title>Runs of plog")
                .doesNotContain("connect-src");
    }

    @Test
    void requestsThatAreNeverWholeKeepNobodyOut() throws Exception {
        List<Socket> stalled = new ArrayList<>();
        try (Plog view = Plog.start("view %s --port 0", directory)) {
            Await.until("it listens", () -> !view.out().isEmpty());
            String address = view.out().get(0);
            for (int i = 0; i < 100; i++) {
                Socket half = new Socket(
                        InetAddress.getLoopbackAddress(), URI.create(address).getPort());
                half.getOutputStream().write("GET / HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.US_ASCII));
                stalled.add(half);
            }
            assertThat(get(address)).contains("<title>plog view ");
        } finally {
            for (Socket each : stalled) {
                each.close();
            }
        }
    }

    @Test
    @Tag("slow")
    void aDemoIsWatchedWhileItRunsAndSeenUntilCtrlC() throws Exception {
        Path out = directory.resolve("out");
        try (Plog demo = Plog.start(
                "demo --view --out %s --sizes 100 --force write --trials 1 --warmup 100 --iterations 40000", out)) {
            String line = demo.awaitErr(each -> each.contains("watch it at "));
            String address = line.substring(line.indexOf("http")).strip();
            Await.until(
                    "it is under way",
                    () -> state(address + "?").at("/run/total").asLong() > 0);
            assertThat(state(address + "?").at("/run/state").asText()).isEqualTo("under-way");
            Await.until(
                    "there are figures",
                    () -> state(address + "?").path("version").asText().contains("samples.plog"));
            assertThat(get(address)).contains("<title>plog report ");
            demo.awaitErr(each -> each.contains("until Ctrl-C"));
            assertThat(state(address + "?").at("/run/state").asText()).isIn("finished", "not-valid");
            assertThat(out.resolve("progress.json")).doesNotExist();
            demo.interrupt();
            demo.exited(0, 5);
            assertThat(demo.processes()).isEmpty();
        }
    }

    @Test
    void whatCannotBeViewedIsNamed() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertThat(LocalRun.of("view %s", file).exited(1).onlyErrLine()).contains(file + ": not a directory");
        Path gone = directory.resolve("gone");
        assertThat(LocalRun.of("view %s", gone).exited(1).onlyErrLine()).contains(gone + ": no such file or directory");
        assertThat(LocalRun.of("view %s --port 70000", directory).exited(2).onlyErrLine())
                .contains("70000");
    }
}
