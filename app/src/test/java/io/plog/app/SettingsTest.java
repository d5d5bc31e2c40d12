package io.plog.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

final class SettingsTest {
    @TempDir
    Path directory;

    private Serve serve = new Serve();
    private Deep deep = new Deep();

    @Test
    void theCommandsOwnVariableBeatsTheGeneralOne() {
        run(Map.of("PLOG_PORT", "3", "PLOG_SERVE_PORT", "5"), "serve");
        assertThat(serve.port).isEqualTo(5);
    }

    @Test
    void theCommandsOwnKeyBeatsTheGeneralOne() throws IOException {
        run(Map.of(), "--config=" + file("port = 2", "serve.port = 6"), "serve");
        assertThat(serve.port).isEqualTo(6);
    }

    @Test
    void everyPairOfSourcesIsOrderedFlagEnvironmentFileDefault() throws IOException {
        String file = file("serve.port = 2");
        for (int sources : IntStream.range(0, 8).toArray()) {
            boolean flag = (sources & 4) != 0;
            boolean environment = (sources & 2) != 0;
            boolean config = (sources & 1) != 0;
            Stream<String> args = Stream.of(
                            Stream.of("serve"),
                            flag ? Stream.of("--port=4") : Stream.<String>empty(),
                            config ? Stream.of("--config", file) : Stream.<String>empty())
                    .flatMap(s -> s);
            run(environment ? Map.of("PLOG_SERVE_PORT", "3") : Map.of(), args.toArray(String[]::new));
            assertThat(serve.port)
                    .as("flag %s, environment %s, file %s", flag, environment, config)
                    .isEqualTo(flag ? 4 : environment ? 3 : config ? 2 : 1);
        }
    }

    @Test
    void theConfigFileMayBeNamedByTheEnvironment() throws IOException {
        run(Map.of("PLOG_CONFIG", file("serve.port = 2")), "serve");
        assertThat(serve.port).isEqualTo(2);
    }

    @Test
    void aFlagThatIsGivenIsTrueEvenIfItIsSetToTrueElsewhere() {
        run(Map.of("PLOG_SERVE_JSON", "true"), "serve", "--json");
        assertThat(serve.json).isTrue();
        run(Map.of("PLOG_SERVE_JSON", "true"), "serve");
        assertThat(serve.json).isTrue();
        run(Map.of(), "serve");
        assertThat(serve.json).isFalse();
    }

    @Test
    void aRequiredOptionMayComeFromTheFile() throws IOException {
        assertThat(run(Map.of(), "deep", "dig").err).contains("--place");
        run(Map.of(), "deep", "dig", "--config", file("deep.dig.place = here")).exited(0);
        assertThat(deep.dug).isEqualTo("here");
        run(Map.of("PLOG_DEEP_DIG_PLACE", "there"), "deep", "dig").exited(0);
        assertThat(deep.dug).isEqualTo("there");
    }

    @Test
    void aRepeatableOptionTakesSeveralValuesFromOutside() throws IOException {
        run(Map.of("PLOG_SERVE_LOG", "a=/x,force=dsync; b=/y"), "serve");
        assertThat(serve.logs).containsExactly("a=/x,force=dsync", "b=/y");
        run(Map.of(), "serve", "--config", file("serve.log = c=/z"));
        assertThat(serve.logs).containsExactly("c=/z");
        run(Map.of("PLOG_SERVE_LOG", "a=/x"), "serve", "--log", "given");
        assertThat(serve.logs).containsExactly("given");
    }

    @Test
    void anEmptySettingIsAsNone() throws IOException {
        for (String empty : List.of("", " ")) {
            run(Map.of("PLOG_SERVE_PORT", empty, "PLOG_PORT", "3"), "serve").exited(0);
            assertThat(serve.port).isEqualTo(3);
            run(
                            Map.of(
                                    "PLOG_SERVE_PORT",
                                    empty,
                                    "PLOG_SERVE_JSON",
                                    empty,
                                    "PLOG_SERVE_LOG",
                                    empty,
                                    "PLOG_CONFIG",
                                    empty),
                            "serve")
                    .exited(0);
            assertThat(serve.port).isEqualTo(1);
            assertThat(serve.json).isFalse();
        }
        run(Map.of(), "serve", "--config", file("serve.port =", "port = 4")).exited(0);
        assertThat(serve.port).isEqualTo(4);
    }

    @Test
    void blanksAroundAValueAndUsualWordsForYesAndNoAreTaken() {
        run(Map.of("PLOG_SERVE_PORT", " 3 "), "serve").exited(0);
        assertThat(serve.port).isEqualTo(3);
        for (String word : List.of("1", "yes", "on", "TRUE", "Yes")) {
            run(Map.of("PLOG_SERVE_JSON", word), "serve").exited(0);
            assertThat(serve.json).as(word).isTrue();
        }
        for (String word : List.of("0", "no", "off", "False")) {
            run(Map.of("PLOG_SERVE_JSON", word), "serve").exited(0);
            assertThat(serve.json).as(word).isFalse();
        }
        assertThat(run(Map.of("PLOG_SERVE_JSON", "maybe"), "serve").exited(2).err)
                .contains("PLOG_SERVE_JSON");
    }

    @Test
    void theAddressOfAServiceLinkIsPassedOverAndNoted() {
        CommandRun run = run(Map.of("PLOG_SERVE_PORT", "tcp://10.96.0.17:7411", "PLOG_PORT", "3"), "serve")
                .exited(0);
        assertThat(serve.port).isEqualTo(3);
        assertThat(run.err).containsOnlyOnce("PLOG_SERVE_PORT is tcp://10.96.0.17:7411, which Kubernetes sets");
    }

    @Test
    void aValueThatIsRefusedIsNamedWithWhereItComesFrom() throws IOException {
        assertThat(run(Map.of("PLOG_PORT", "abc"), "serve").exited(2).err)
                .contains("'abc' is not an int; 'abc' comes from PLOG_PORT;");
        String file = file("serve.port = abc");
        assertThat(run(Map.of(), "serve", "--config", file).exited(2).err)
                .contains("'abc' comes from serve.port in " + file + ";");
        assertThat(run(Map.of("PLOG_PORT", "70000"), "serve").exited(2).err)
                .contains("port is 70000: expected 0 to 65535; '70000' comes from PLOG_PORT");
        assertThat(run(Map.of("PLOG_PORT", "5"), "serve", "--port=abc").exited(2).err)
                .doesNotContain("comes from");
    }

    @Test
    void aKeyThatStandsThereTwiceIsRefused() throws IOException {
        CommandRun run = run(Map.of(), "serve", "--config", file("serve.port = 2\nserve.port = 3"))
                .exited(2);
        assertThat(run.err).contains("key 'serve.port' stands there twice");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstKey() throws IOException {
        run(Map.of(), "serve", "--config=" + file("\uFEFFserve.port = 2"));
        assertThat(serve.port).isEqualTo(2);
    }

    @Test
    void aFileInAnotherEncodingIsNamedWithTheOneExpected() throws IOException {
        Path file = Files.write(directory.resolve("wide"), "serve.port = 2".getBytes(StandardCharsets.UTF_16));
        assertThat(run(Map.of(), "serve", "--config", file.toString()).exited(2).err)
                .contains("config file " + file + ": expected text in UTF-8");
    }

    @Test
    void anUnknownKeyIsNamedWithTheNearestKnownOne() throws IOException {
        String file = file("serve.prot = 2");
        CommandRun run = run(Map.of(), "serve", "--config", file).exited(2);
        assertThat(run.err.lines())
                .singleElement()
                .asString()
                .contains(file, "unknown key 'serve.prot'", "did you mean 'serve.port'?");
    }

    @Test
    void aConfigFileThatIsNotThereIsAFailureLikeAnyOtherFile() {
        CommandRun run =
                run(Map.of(), "serve", "--config", "nowhere.properties").exited(1);
        assertThat(run.err.lines()).singleElement().asString().contains("config file nowhere.properties: no such file");
    }

    @Test
    void aValueThatMakesNoSenseIsMisuseWhereverItComesFrom() throws IOException {
        CommandRun run = run(Map.of("PLOG_PORT", "many"), "serve").exited(2);
        assertThat(run.err.lines()).singleElement().asString().contains("--port", "many");
        run(Map.of(), "serve", "--config", file("port = lots")).exited(2);
    }

    private CommandRun run(Map<String, String> environment, String... args) {
        serve = new Serve();
        deep = new Deep();
        CommandSpec spec = CommandSpec.forAnnotatedObject(new Root());
        spec.addSubcommand("serve", CommandSpec.forAnnotatedObject(serve));
        spec.addSubcommand("deep", CommandSpec.forAnnotatedObject(deep));
        return new CommandRun(spec, environment, args);
    }

    private String file(String... lines) throws IOException {
        return Files.write(directory.resolve("plog.properties"), List.of(lines)).toString();
    }

    @Command(name = "plog")
    static final class Root {
        @Option(names = "--config", scope = ScopeType.INHERIT)
        @Nullable
        Path config;
    }

    @Command(name = "serve", mixinStandardHelpOptions = true)
    static final class Serve implements Runnable {
        @Option(
                names = {"-p", "--port"},
                defaultValue = "1")
        int port;

        @Option(names = "--json")
        boolean json;

        @Option(names = "--log")
        List<String> logs = List.of();

        @Override
        public void run() {
            if (port > 65_535) {
                throw new IllegalArgumentException("port is " + port + ": expected 0 to 65535");
            }
        }
    }

    @Command(name = "deep")
    static final class Deep {
        String dug = "";

        @Command(name = "dig")
        void dig(@Option(names = "--place", required = true) String place) {
            dug = place;
        }
    }
}
