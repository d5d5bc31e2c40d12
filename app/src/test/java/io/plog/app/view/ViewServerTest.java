package io.plog.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.app.CommandRun;
import io.plog.app.cli.RunProgress;
import io.plog.results.compare.TestRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code plog view} answers. */
final class ViewServerTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private Path viewed;
    private ViewServer server;

    @BeforeEach
    void start() throws IOException {
        viewed = Files.createDirectory(directory.resolve("viewed"));
        server = new ViewServer(viewed.toRealPath(), 0);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private record Answer(int status, String body, String type) {}

    /** As it is written, since a client of the JDK would tidy up paths and forbids some header fields. */
    private Answer ask(String method, String target, String... fields) throws IOException {
        URI address = URI.create(server.address());
        try (var socket = new java.net.Socket(address.getHost(), address.getPort())) {
            String more = Arrays.stream(fields).map(field -> field + "\r\n").reduce("", String::concat);
            String host = more.contains("Host:") ? "" : "Host: " + address.getAuthority() + "\r\n";
            socket.getOutputStream()
                    .write((method + " " + target + " HTTP/1.1\r\n" + host + more + "Connection: close\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int body = answer.indexOf("\r\n\r\n");
            String head = answer.substring(0, body);
            return new Answer(Integer.parseInt(head.substring(9, 12)), answer.substring(body + 4), head);
        }
    }

    private Answer get(String target) throws IOException {
        return ask("GET", target);
    }

    private JsonNode data(String target) throws IOException {
        byte[] packed = Base64.getDecoder().decode(get(target + "&as=data").body);
        return JSON.readTree(new GZIPInputStream(new ByteArrayInputStream(packed)));
    }

    private JsonNode state(String target) throws IOException {
        return JSON.readTree(get(target + "&as=state").body);
    }

    /** The lines of the list by their names. */
    private List<String> listed() throws IOException {
        return data("/?").at("/documents/lines").findValuesAsText("name");
    }

    private String note(String target) throws IOException {
        return data(target).at("/documents/note").asText();
    }

    private Path run(String name, TestRun run) throws IOException {
        Path results = run.write(viewed.resolve(name));
        assertThat(CommandRun.plog(new StringWriter(), new StringWriter(), "report", results))
                .isZero();
        return results;
    }

    private static String named(String name) {
        return "/run?name=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    @Test
    void theListHasEveryRunAndWhatCameOfIt() throws Exception {
        assertThat(note("/?")).contains("no run yet");
        run("a", TestRun.of(200, 1));
        run("deep/er/b", TestRun.of(200, 2).failing(3));
        Files.createDirectories(viewed.resolve("nothing/here"));
        Path newer = Files.createDirectory(viewed.resolve("newer"));
        Files.writeString(newer.resolve("results.json"), "{\"kind\":\"run\",\"schemaVersion\":2}");
        JsonNode lines = data("/?").at("/documents/lines");
        assertThat(lines.findValuesAsText("name")).containsExactlyInAnyOrder("a", "deep/er/b", "newer");
        for (JsonNode line : lines) {
            switch (line.path("name").asText()) {
                case "a" -> {
                    assertThat(line.path("text").asText()).contains("a request takes", "longer than without logging");
                    assertThat(line.path("command").asText()).startsWith("plog measure ");
                }
                case "deep/er/b" -> assertThat(line.path("state").asText()).isEqualTo("not-valid");
                default -> {
                    assertThat(line.path("state").asText()).isEqualTo("unreadable");
                    assertThat(line.path("text").asText()).contains("was written by a newer plog");
                }
            }
        }
        String version = state("/?").path("version").asText();
        assertThat(state("/?").path("version").asText()).isEqualTo(version);
        run("c", TestRun.of(200, 3));
        assertThat(state("/?").path("version").asText()).isNotEqualTo(version);
    }

    @Test
    void aRunIsShownAsItsReportShowsIt() throws Exception {
        Path run = run("a", TestRun.of(200, 1));
        Answer page = get(named("a"));
        assertThat(page.status).isEqualTo(200);
        assertThat(page.body).contains("connect-src 'self'");
        assertThat(Files.readString(run.resolve("report.html"))).doesNotContain("connect-src");
        JsonNode data = data(named("a"));
        assertThat(data.path("kind").asText()).isEqualTo("run");
        assertThat(data.at("/documents/results"))
                .isEqualTo(JSON.readTree(run.resolve("results.json").toFile()));
        assertThat(data.at("/documents/view/run/name").asText()).isEqualTo("a");
        Files.delete(run.resolve("samples.plog"));
        assertThat(get(named("a")).status).isEqualTo(404);
        assertThat(note(named("a"))).contains("holds no samples");
    }

    @Test
    void aDirectoryOfOneRunShowsIt() throws Exception {
        run(".", TestRun.of(200, 1));
        assertThat(data("/?").path("kind").asText()).isEqualTo("run");
    }

    @Test
    void twoRunsAreComparedUnlessSomethingForbidsIt() throws Exception {
        run("a", TestRun.of(2000, 1));
        run("b", TestRun.of(2000, 2).slower("main", 1.5));
        JsonNode found = data("/compare?a=a&b=b");
        assertThat(found.at("/documents/comparison/sentence").asText()).contains("figures differ");
        assertThat(found.at("/documents/comparison/a/path").asText()).isEqualTo("a");
        assertThat(found.at("/documents/view/a/name").asText()).isEqualTo("a");
        assertThat(found.at("/documents/view/b/name").asText()).isEqualTo("b");
        run(
                "dsync",
                TestRun.of(200, 1)
                        .targets(List.of(TestRun.target(1, "main", "dsync"), TestRun.target(2, "off", "off"))));
        assertThat(note("/compare?a=a&b=dsync")).contains("way of forcing of target main is fdatasync in A");
        assertThat(data("/compare?a=a&b=dsync&anyway")
                        .at("/documents/comparison/anyway")
                        .asBoolean())
                .isTrue();
        assertThat(get("/compare?a=a&b=gone").status).isEqualTo(404);
        assertThat(get("/compare").status).isEqualTo(404);
    }

    @Test
    void runsThatDidTheSameWorkAreATrendAndTheOthersAreLeftOutWithTheReason() throws Exception {
        for (int day = 1; day <= 3; day++) {
            run("at/day " + day, TestRun.of(200, day).startedAt("2026-11-0" + day + "T14:00:00Z"));
        }
        run(
                "dsync",
                TestRun.of(200, 4)
                        .targets(List.of(TestRun.target(1, "main", "dsync"), TestRun.target(2, "off", "off"))));
        Files.writeString(Files.createDirectory(viewed.resolve("newer")).resolve("results.json"), "{}");
        JsonNode trends = data("/?").at("/documents/trends");
        assertThat(trends.size()).isEqualTo(1);
        assertThat(trends.at("/0/of").asText()).isEqualTo("at/day 1");
        assertThat(trends.at("/0/runs").asInt()).isEqualTo(3);
        JsonNode trend = data("/trend?of=at%2Fday+1").path("documents");
        assertThat(trend.path("runs").findValuesAsText("path")).containsExactly("at/day 1", "at/day 2", "at/day 3");
        assertThat(trend.path("leftOut").valueStream().map(JsonNode::asText))
                .containsExactlyInAnyOrder(
                        "dsync: way of forcing of target main is dsync, in at/day 1 fdatasync", "newer: unreadable");
        assertThat(get("/trend?of=newer").status).isEqualTo(404);
        assertThat(get("/trend").status).isEqualTo(404);

        Path site = directory.resolve("site");
        StringWriter said = new StringWriter();
        assertThat(CommandRun.plog(new StringWriter(), said, "view", viewed, "--publish", site))
                .isZero();
        assertThat(said.toString()).contains("newer is left out");
        assertThat(site.resolve("at/day 2/report.html")).exists();
        assertThat(site.resolve("index.html")).exists();
        assertThat(site.resolve("trend-1.html")).exists();
        assertThat(site.resolve("trend-2.html")).doesNotExist();
        Path report = directory.resolve("report");
        StringWriter printed = new StringWriter();
        assertThat(CommandRun.plog(
                        printed,
                        new StringWriter(),
                        "report",
                        viewed.resolve("at/day 3"),
                        viewed.resolve("at/day 1"),
                        viewed.resolve("at/day 2"),
                        "--out",
                        report))
                .isZero();
        assertThat(printed.toString()).contains("1. 2026-11-01T14:00:00Z ");
        assertThat(report.resolve("report.html")).exists();
    }

    @Test
    void aTrendOverRunsThatDidOtherWorkIsMadeOnlyWhenAskedForAnyway() throws Exception {
        Path a = run("a", TestRun.of(200, 1));
        Path b = run("b", TestRun.of(200, 2));
        Path dsync = run(
                "dsync",
                TestRun.of(200, 4)
                        .targets(List.of(TestRun.target(1, "main", "dsync"), TestRun.target(2, "off", "off"))));
        StringWriter said = new StringWriter();
        assertThat(CommandRun.plog(new StringWriter(), said, "report", a, b, dsync))
                .isEqualTo(2);
        assertThat(said.toString())
                .contains("way of forcing of target main is dsync, in " + a + " fdatasync. --anyway compares them");
        assertThat(CommandRun.plog(new StringWriter(), new StringWriter(), "report", a, b, dsync, "--anyway"))
                .isZero();
    }

    /** Half a file stands for what a run has written so far. */
    @Test
    void aRunThatIsUnderWayShowsWhatIsCompleteAndHowFarItIs() throws Exception {
        byte[] samples = Files.readAllBytes(
                TestRun.of(2000, 1).write(directory.resolve("whole")).resolve("samples.plog"));
        Path live = viewed.resolve("live");
        try (RunProgress progress = new RunProgress(live, "run")) {
            assertThat(state(named("live")).path("version").asText()).isEqualTo("none");
            assertThat(note(named("live"))).contains("no figures yet");
            Files.write(live.resolve("samples.plog"), Arrays.copyOf(samples, 10));
            assertThat(state(named("live")).path("version").asText()).isEqualTo("none");
            Files.write(live.resolve("samples.plog"), Arrays.copyOf(samples, samples.length * 3 / 4));
            JsonNode now = state(named("live"));
            assertThat(now.at("/run/state").asText()).isEqualTo("under-way");
            assertThat(now.at("/run/text").asText()).isEqualTo("preparing");
            assertThat(now.path("version").asText()).contains("samples.plog");
            JsonNode page = data(named("live"));
            assertThat(page.path("tables")).isNotEmpty();
            assertThat(page.at("/documents/results/partial/partial").asBoolean())
                    .isTrue();
            assertThat(listed()).containsExactly("live");
            progress.at(1, 2, "not again within a second");
        }
        assertThat(live.resolve("progress.json")).doesNotExist();
        Files.delete(live.resolve("samples.plog"));
        run("live", TestRun.of(2000, 1));
        assertThat(state(named("live")).at("/run/state").asText()).isNotEqualTo("under-way");
        assertThat(data(named("live")).at("/documents/results/partial/partial").asBoolean())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"'pid', '999999999', interrupted", "'pidSince', '1', interrupted", "'kind', 'null', unreadable"})
    void aRunWhoseProcessIsGoneWasInterrupted(String field, String value, String state) throws Exception {
        Path killed = viewed.resolve("killed");
        String json;
        try (RunProgress progress = new RunProgress(killed, "load")) {
            progress.at(1, 2, "not written within a second");
            json = Files.readString(killed.resolve("progress.json"));
        }
        String changed = json.replaceFirst("\"" + field + "\":[^,]*", "\"" + field + "\":" + value);
        assertThat(changed).isNotEqualTo(json);
        Files.writeString(killed.resolve("progress.json"), String.format("%-4096s", changed.strip()));
        assertThat(data("/?").at("/documents/lines/0/state").asText()).isEqualTo(state);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/run?name=../outside",
                "/run?name=..%2Foutside",
                "/run?name=link",
                "/run?name=.",
                "/run?name=",
                "/run?name=%",
                "/run?name=a%00",
                "/run?name=.hidden",
                "/run",
                "/../outside/results.json",
                "/a/results.json",
                "/run?&&=&name"
            })
    void nothingButTheRunsBelowTheDirectoryCanBeNamed(String target) throws Exception {
        run("a", TestRun.of(200, 1));
        Path outside = TestRun.of(200, 2).write(directory.resolve("outside"));
        Files.writeString(outside.resolve("results.json"), "{}");
        Files.createSymbolicLink(viewed.resolve("link"), outside);
        Path linked = Files.createDirectory(viewed.resolve("linked"));
        Files.createSymbolicLink(linked.resolve("results.json"), outside.resolve("results.json"));
        Files.createDirectory(viewed.resolve(".hidden"));
        Files.copy(outside.resolve("results.json"), viewed.resolve(".hidden/results.json"));
        assertThat(listed()).containsExactly("a");
        assertThat(get(target).status).isIn(400, 404);
    }

    @Test
    void hostileNamesAreTextAndLeadToTheirRuns() throws Exception {
        String hostile = "</script><script>alert(1)</script> & \"ü\" %2e #?";
        Path run = Files.createDirectories(viewed.resolve(hostile)); // of two levels: it has a slash
        TestRun.of(200, 1).write(run);
        Files.writeString(run.resolve("results.json"), "{\"kind\":\"run\",\"schemaVersion\":1,\"cost\":[]}");
        assertThat(listed()).containsExactly(hostile);
        assertThat(get("/").body).doesNotContain("alert(1)");
        Answer page = get(named(hostile));
        assertThat(page.status).isEqualTo(200);
        assertThat(page.body).doesNotContain("alert(1)");
        assertThat(get(named("<img src=x onerror=alert(1)>")).body).doesNotContain("<img");
    }

    @ParameterizedTest
    @CsvSource({
        "Host: rebound.example, 421",
        "Host: 127.0.0.1.evil.example, 421",
        "Host: 10.0.0.1, 421",
        "Origin: http://evil.example, 403",
        "Origin: null, 403",
        "Sec-Fetch-Site: cross-site, 403",
        "Host: localhost, 200",
        "Sec-Fetch-Site: same-origin, 200"
    })
    void pagesOfOthersMayNotAsk(String field, int status) throws Exception {
        run("a", TestRun.of(200, 1));
        for (String target : List.of("/", "/?as=data", "/?as=state")) {
            Answer answer = ask("GET", target, field);
            assertThat(answer.status).isEqualTo(status);
            assertThat(answer.type)
                    .contains("Cache-Control: no-store", "frame-ancestors 'none'", "X-Content-Type-Options: nosniff");
        }
        assertThat(ask("POST", "/").status).isEqualTo(405);
    }
}
