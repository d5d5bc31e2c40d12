package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.Await;
import io.plog.e2e.support.BookieCluster;
import io.plog.e2e.support.Directories;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Does each lab as its text says: every command block, in order, in a copy of its folder. Only the ports are others. */
@Timeout(300)
final class LabsTest {
    private static final Path LABS = DiskDirectory.root().resolve("labs");
    private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|\\S+");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private final List<Plog> loads = new ArrayList<>();
    private final List<Plog> started = new ArrayList<>();

    @AfterEach
    void endWhatRuns() {
        started.forEach(Plog::close);
    }

    @Test
    void theCommandsOfALabShowWhatItSays() throws Exception {
        doIt("4-torn-stale-damaged");
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "11-chance",
                "8-replicated",
                "1-cost",
                "2-crash-and-replay",
                "3-lost-acknowledgement",
                "5-lying-disk",
                "6-group-commit",
                "7-checkpoints",
                "9-find-the-bug",
                "14-your-own-client",
                "15-your-own-recovery"
            })
    void itsCommandsShowWhatItSaysInMoreTime(String lab) throws Exception {
        doIt(lab);
    }

    @Test
    void eachLabHasItsTextItsSolutionAndItsCheckOrIsOfQuestionsOnly() throws Exception {
        try (Stream<Path> labs =
                Files.list(LABS).filter(each -> each.getFileName().toString().matches("\\d+-.*"))) {
            for (Path lab : labs.toList()) {
                assertThat(lab.resolve("solution.md")).exists();
                String name = lab.getFileName().toString();
                String row = Files.readAllLines(LABS.resolve("README.md")).stream()
                        .filter(line -> line.startsWith("| [") && line.contains("(" + name + "/README.md)"))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no row for " + lab));
                boolean checked = Files.readString(lab.resolve("README.md")).contains("plog lab check");
                assertThat(Files.exists(checkOf(name))).as(name).isEqualTo(checked);
                assertThat(row.contains("questions only")).as(row).isNotEqualTo(checked);
            }
        }
    }

    @Test
    void theDrawingsForSlidesAreFiguresOfThePages() throws Exception {
        Set<String> figures = new HashSet<>();
        for (String page : List.of("run", "disk", "recovery")) {
            Path list = DiskDirectory.root().resolve("page/src/main/resources/io/plog/page/" + page + ".json");
            new ObjectMapper()
                    .readTree(list.toFile())
                    .get("figures")
                    .properties()
                    .forEach(figure -> {
                        figures.add(figure.getKey());
                        figure.getValue()
                                .path("variants")
                                .path("axis")
                                .forEach(variant -> figures.add(
                                        figure.getKey() + variant.path("suffix").asText()));
                    });
        }
        Matcher drawing = Pattern.compile("`([a-z-]+)\\.svg`").matcher(Files.readString(LABS.resolve("README.md")));
        assertThat(drawing.results().map(found -> found.group(1)))
                .hasSizeGreaterThan(6)
                .isSubsetOf(figures);
    }

    @Test
    void killEndsNoOtherProgramThatHasTheLocksFile() throws Exception {
        Path lock = Files.createFile(directory.resolve("log.lock"));
        Process other = new ProcessBuilder(
                        "python3",
                        "-c",
                        "import fcntl,sys;f=open(sys.argv[1],'w');fcntl.lockf(f,fcntl.LOCK_EX);print(1,flush=True);sys.stdin.read()",
                        lock.toString())
                .start();
        try {
            assertThat(other.getInputStream().read()).isEqualTo('1');
            assertThat(LocalRun.of("lab kill %s", directory).exited(1).onlyErrLine())
                    .contains("process " + other.pid() + " (", "is no server of plog: it is not killed");
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void whatIsWrongIsSaidInASentence() throws Exception {
        assertThat(LocalRun.of("lab check %s", directory).exited(1).onlyErrLine())
                .contains("there is no evidence.txt in", "plog lab begin writes it");
        assertThat(LocalRun.of("lab begin 77").exited(2).errText()).contains("there is no lab 77");
        assertThat(LocalRun.of("lab kill %s", directory).exited(1).onlyErrLine())
                .contains("no process of this machine has the log in");
        assertThat(begin("5").onlyErrLine())
                .isEqualTo("plog lab begin: answers.txt has no line \"honest = NUMBER\": predict it before you look");
        Files.writeString(directory.resolve("answers.txt"), "many\n");
        assertThat(begin("5").onlyErrLine())
                .isEqualTo("plog lab begin: answers.txt, line 1: found \"many\", expected NAME = NUMBER");
        Files.writeString(directory.resolve("answers.txt"), "honest = 5\nlying = 6\n");
        Files.writeString(directory.resolve("student.key"), "{}");
        assertThat(begin("5").onlyErrLine()).endsWith("student.key is no key that plog lab new-course made");
    }

    private Plog begin(String lab) throws Exception {
        Plog begun = Plog.startIn(directory, Map.of(), List.of("lab", "begin", lab));
        started.add(begun);
        begun.awaitExit();
        return begun.exited(1);
    }

    private void doIt(String lab) throws Exception {
        Path folder = directory.resolve(lab);
        Directories.copy(LABS.resolve(lab), folder);
        int port = freePort();
        Map<String, String> environment = new HashMap<>(Map.of(
                "PLOG_SERVER_PORT", "" + port,
                "PLOG_SERVER_ADMIN_PORT", "0",
                "PLOG_LOAD_SERVER", "127.0.0.1:" + port,
                "PLOG_CALL_SERVER", "127.0.0.1:" + port));
        environment.putAll(BookieCluster.ENVIRONMENT);
        Files.writeString(folder.resolve("answers.txt"), predictions(lab));
        String block = "";
        for (String line : Files.readAllLines(LABS.resolve(lab).resolve("README.md"))) {
            String text = line.strip();
            if (text.startsWith("```")) {
                block = text.substring(3);
                if (block.equals("sh solved")) {
                    for (Path file : Directories.files(LABS.resolve(lab).resolve("solution"))) {
                        Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            } else if (block.startsWith("sh")) {
                command(folder, environment, block.substring(2).strip(), text);
            }
        }
        assertThat(started).anyMatch(each -> each.outText().contains("score      100 of 100"));
    }

    private static Path checkOf(String lab) {
        return DiskDirectory.root()
                .resolve("app/src/main/resources/io/plog/app/lab/lab-" + lab.split("-")[0] + ".json");
    }

    private static String predictions(String lab) throws IOException {
        Path said = checkOf(lab);
        StringBuilder answers = new StringBuilder();
        new ObjectMapper()
                .readTree(said.toFile())
                .path("predict")
                .forEach(name -> answers.append(name.asText()).append(" = 1\n"));
        return answers.toString();
    }

    private void command(Path folder, Map<String, String> environment, String kind, String line) throws Exception {
        List<String> words = new ArrayList<>(WORD.matcher(line)
                .results()
                .map(word -> word.group().replace("\"", ""))
                .toList());
        if (words.get(0).equals("mkdir")) {
            Files.createDirectory(folder.resolve(words.get(1)));
            return;
        }
        assertThat(words.remove(0)).as(line).isEqualTo("plog");
        int into = words.indexOf(">");
        String file = into < 0 ? "" : words.get(into + 1);
        if (words.get(0).equals("audit")) {
            for (Plog load : loads) {
                load.awaitExit(PATIENCE);
            }
        }
        Plog plog = Plog.startIn(folder, environment, into < 0 ? words : words.subList(0, into));
        started.add(plog);
        switch (kind) {
            case "server" -> plog.awaitErr(said -> said.startsWith("listening on"));
            case "bookies" -> Await.until("bookies", () -> plog.outText().contains("logs are at") || !plog.isAlive());
            case "load" -> {
                loads.add(plog);
                Path ledger = folder.resolve(words.get(words.indexOf("--ledger") + 1));
                Await.until("replies", () -> Files.exists(ledger) && Files.size(ledger) > 1_000);
            }
            default -> {
                int code = plog.awaitExit(PATIENCE);
                plog.withoutStackTrace();
                boolean disturbed = List.of("demo", "disk", "load", "recovery").contains(words.get(0)) && code == 5;
                assertThat(code == 0 || disturbed).as(plog.toString()).isEqualTo(!kind.equals("fails"));
                if (!file.isEmpty()) {
                    Files.writeString(folder.resolve(file), plog.outText());
                }
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
