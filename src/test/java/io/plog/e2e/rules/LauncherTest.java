package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.plog.e2e.support.Directories;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.Output;
import io.plog.e2e.support.Plog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher {@code ./plog} in a small source tree of its own, with a Maven and a Java that only say what they do. */
final class LauncherTest {
    private static final String[] TOOLS = {
        "bash",
        "env",
        "readlink",
        "dirname",
        "sed",
        "find",
        "mkdir",
        "touch",
        "cp",
        "mv",
        "rm",
        "grep",
        "awk",
        "basename",
        "head",
        "cat",
        "cksum",
        "flock"
    };

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private Path tree;

    @SuppressWarnings("NullAway.Init")
    private Path tools;

    @BeforeEach
    void makeTree() throws IOException {
        tree = Files.createDirectory(directory.resolve("a tree"));
        Files.copy(DiskDirectory.root().resolve("plog"), tree.resolve("plog"));
        Files.createFile(tree.resolve("pom.xml"));
        for (String module : List.of(
                "logging-core",
                "simdisk",
                "log-micrometer",
                "logging-bookkeeper",
                "host",
                "stats",
                "protocol",
                "server",
                "client",
                "measure",
                "results",
                "page",
                "app")) {
            Files.createDirectories(tree.resolve(module).resolve("src/main"));
            Files.createFile(tree.resolve(module).resolve("pom.xml"));
            Files.createFile(tree.resolve(module).resolve("src/main/Code.java"));
        }
        makeOld(tree);
        tools = Files.createDirectory(directory.resolve("bin"));
        for (String tool : TOOLS) {
            Path found = Stream.of(System.getenv("PATH").split(":"))
                    .map(place -> Path.of(place, tool))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("these tests need " + tool));
            Files.createSymbolicLink(tools.resolve(tool), found);
        }
        installJava("17.0.1");
        installMaven("""
                echo build >> "$(dirname "$0")/builds"
                mkdir -p "$PWD_TREE/app/target/quick"
                : > "$PWD_TREE/app/target/quick/plog-app-1-all.jar"
                mkdir -p "$PWD_TREE/logging-bookkeeper/target/quick/lib/bookkeeper"
                """);
    }

    /** JUnit warns of each link that it finds when it clears up. */
    @AfterEach
    void removeLinks() throws IOException {
        for (String tool : TOOLS) {
            Files.delete(tools.resolve(tool));
        }
    }

    @Test
    void theFirstStartBuildsAndSaysSoOnStandardError() throws Exception {
        Result result = launch();
        assertThat(result.exitCode).isZero();
        assertThat(result.err).containsPattern("(?m)^plog: building the program");
        assertThat(result.out).startsWith("java ").contains("-jar").endsWith("plog.jar first|second word|\n");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void theNextStartDoesNotBuild() throws Exception {
        launch();
        Result result = launch();
        assertThat(result.err).isEmpty();
        assertThat(builds()).isEqualTo(1);
    }

    /** With the real Maven: what only a tree that was built before has must not be needed. */
    @Test
    @Tag("slow")
    void aFreshCloneBuildsItselfAndRuns() throws Exception {
        Path clone = directory.resolve("clone");
        Process git =
                new ProcessBuilder("git", "clone", "-q", DiskDirectory.root().toString(), clone.toString()).start();
        assertThat(finish(git).exitCode).isZero();
        for (List<String> words : List.of(List.of("--version"), List.of("lab", "bug", "1", "--histories", "1"))) {
            List<String> command = new ArrayList<>(words);
            command.add(0, clone.resolve("plog").toString());
            Result result = finish(
                    new ProcessBuilder(command).directory(clone.toFile()).start(), Plog.PATIENCE.multipliedBy(10));
            assertThat(result.exitCode).as(result.err).isZero();
        }
    }

    /** As macOS has them. */
    @Test
    void toolsWithoutGnuOptionsSuffice() throws Exception {
        for (String tool : List.of("readlink", "find")) {
            Path real = tools.resolve(tool).toRealPath();
            Files.delete(tools.resolve(tool));
            script(tools.resolve(tool), """
                    for word in "$@"; do
                      [[ $word != -f && $word != -quit ]] || { echo "illegal option $word" >&2; exit 1; }
                    done
                    exec %s "$@"
                    """.formatted(real));
        }
        assertThat(launch().exitCode).isZero();
        assertThat(launch().err).isEmpty();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void aChangedSourceIsBuiltOnceMore() throws Exception {
        launch();
        touch(tree.resolve("client/src/main/Code.java"));
        launch();
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void aDeletedSourceIsBuiltOnceMore() throws Exception {
        launch();
        Files.delete(tree.resolve("server/src/main/Code.java"));
        touch(tree.resolve("server/src/main"));
        launch();
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void aChangedPomIsBuiltOnceMore() throws Exception {
        launch();
        touch(tree.resolve("protocol/pom.xml"));
        launch();
        assertThat(builds()).isEqualTo(2);
    }

    /** A clock that was ahead, or an archive from a machine whose clock is. */
    @Test
    void aSourceFromTheFutureIsBuiltOnceAndOnceMoreWhenItChanges() throws Exception {
        Path source = tree.resolve("client/src/main/Code.java");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plus(Duration.ofHours(3))));
        launch();
        launch();
        assertThat(builds()).isEqualTo(1);
        Files.writeString(source, "changed");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plus(Duration.ofHours(3))));
        launch();
        launch();
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void directoriesThatTheShellLooksIntoForCdChangeNothing() throws Exception {
        Files.createDirectories(directory.resolve("elsewhere").resolve("a tree"));
        ProcessBuilder builder = new ProcessBuilder("bash", "a tree/plog").directory(directory.toFile());
        builder.environment()
                .putAll(Map.of(
                        "PATH", tools.toString(),
                        "JAVA_HOME", home().toString(),
                        "PWD_TREE", tree.toString(),
                        "CDPATH", directory.resolve("elsewhere").toString()));
        Result result = finish(builder.start());
        assertThat(result.exitCode).as(result.err).isZero();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void ofTwoStartsAtOnceOneBuilds() throws Exception {
        Process one = start(Map.of());
        Process other = start(Map.of());
        assertThat(finish(one).exitCode).isZero();
        assertThat(finish(other).exitCode).isZero();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void theFlagsOfTheEnvironmentComeAfterTheLaunchersOwn() throws Exception {
        Result result = finish(start(Map.of("PLOG_JAVA_OPTS", "-Xmx1g -XX:+UseZGC")));
        assertThat(result.out).containsPattern("-XX:\\+PerfDisableSharedMem .*-Xmx1g -XX:\\+UseZGC -jar");
    }

    @Test
    void aProgramWithoutMemoryIsEndedAndNotWithTheCodeOfADamagedLog() throws Exception {
        assertThat(launch().out)
                .containsPattern("-XX:\\+ExitOnOutOfMemoryError -XX:OnOutOfMemoryError=kill -KILL %p .*-jar");
    }

    /** Else what the program starts, which has it, complains of the archive on every start. */
    @Test
    void aNewerJavaIsAllowedNativeAccessAsWhatItStartsIs() throws Exception {
        String flag = " --enable-native-access=ALL-UNNAMED ";
        assertThat(launch().out).doesNotContain(flag);
        installJava("22.0.1");
        makeClassList();
        assertThat(launch().out).containsPattern("java -XX:SharedArchiveFile=.*" + flag + ".*-jar");
    }

    @Test
    void theFirstStartArchivesTheClassesForTheNextOnesOfThisJdk() throws Exception {
        assertThat(launch().out).as("a JDK without a list of classes").doesNotContain("SharedArchiveFile");
        assertThat(launch().err).as("is not tried again").isEmpty();
        makeClassList();
        installJava("17.0.2");
        Path synced = tools.resolve("synced");
        script(tools.resolve("sync"), "printf '%s\\n' '" + tree + "'/app/target/quick/* >>'" + synced + "'");
        Result first = launch();
        assertThat(first.err).contains("preparing quick starts");
        Path archive = tree.resolve("app/target/quick/plog-17.0.2.jsa");
        assertThat(Files.readAllLines(synced)).as("written to the disk").contains(archive.toString());
        assertThat(first.out).contains("java -XX:SharedArchiveFile=" + archive + " ");
        assertThat(Files.readAllLines(archive)).containsExactly("java/lang/Object", "io/plog/app/Main");
        Result next = launch();
        assertThat(next.err).isEmpty();
        assertThat(next.out).isEqualTo(first.out);
        assertThat(Directories.files(archive.getParent()))
                .filteredOn(file -> file.toString().contains(".jsa"))
                .as("that of the other JDK stays")
                .containsExactlyInAnyOrder(archive, archive.resolveSibling("plog-17.0.1.jsa"));
    }

    /** The archive that one makes is in the memory of the program that it starts: whoever writes to it kills that. */
    @Test
    void ofTwoStartsAtOnceOneMakesTheArchive() throws Exception {
        launch();
        makeClassList();
        installJava("17.0.3");
        Process one = start(Map.of());
        Process other = start(Map.of());
        Result first = finish(one);
        Result second = finish(other);
        assertThat(first.err + second.err)
                .containsOnlyOnce("preparing quick starts")
                .doesNotContain("mv:");
        assertThat(first.out)
                .isEqualTo(second.out)
                .contains("SharedArchiveFile=" + tree.resolve("app/target/quick/plog-17.0.3.jsa"));
    }

    private void makeClassList() throws IOException {
        Files.createDirectories(home().resolve("lib"));
        Files.writeString(home().resolve("lib/classlist"), "java/lang/Object\n");
        script(home().resolve("bin/jar"), "printf '%s\\n' io/plog/app/Main.class META-INF/x.class module-info.class");
    }

    @Test
    void aFailedBuildShowsItsErrorsAndWhereTheRestIs() throws Exception {
        installMaven("""
                echo '[INFO] noise'
                echo '[ERROR] COMPILATION ERROR : '
                echo '[ERROR] Code.java:[3,7] missing return statement'
                echo '[ERROR] -> [Help 1]'
                echo '[ERROR] Re-run Maven using the -X switch to enable full debug logging.'
                exit 1
                """);
        Result result = launch();
        assertThat(result.exitCode).isEqualTo(1);
        assertThat(result.err)
                .contains("the build failed", "missing return statement", "plog-build.log")
                .doesNotContain("noise", "Help 1", "Re-run");
        assertThat(Files.readString(tree.resolve("app/target/quick/plog-build.log")))
                .contains("noise");
        assertThat(result.out).isEmpty();
    }

    @Test
    void aFailedBuildIsTriedAgain() throws Exception {
        installMaven("echo build >> \"$(dirname \"$0\")/builds\"; exit 1");
        launch();
        launch();
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void anInterruptDuringABuildStartsNothing() throws Exception {
        assumeFalse(Plog.ignores(Plog.SIGINT, ProcessHandle.current().pid()), "this build ignores SIGINT");
        installMaven("kill -INT $PPID; exit 1");
        assertThat(launch().exitCode).isEqualTo(130);
        installMaven("kill -INT $PPID; : > \"$PWD_TREE/app/target/quick/plog-app-1-all.jar\"");
        Result result = launch();
        assertThat(result.exitCode).isEqualTo(130);
        assertThat(result.out).isEmpty();
    }

    /** The JVM takes it for C, and cannot name files that are not ASCII: a clone in such a directory, or a log. */
    @Test
    void aLocaleThatIsNotInstalledIsReplacedForTheBuildToo() throws Exception {
        script(tools.resolve("locale"), "[[ $1 == charmap ]] && echo ANSI_X3.4-1968");
        installMaven("""
                echo "$LC_ALL" > "$PWD_TREE/locale"
                : > "$PWD_TREE/app/target/quick/plog-app-1-all.jar"
                """);
        assertThat(finish(start(Map.of("LANG", "xx_XX.UTF-8"))).exitCode).isZero();
        assertThat(tree.resolve("locale")).hasContent("C.UTF-8");
    }

    @Test
    void aTreeThatCannotBeWrittenIsNamed() throws Exception {
        Files.createDirectories(tree.resolve("app/target/quick/plog.lock")); // so that root cannot write there either
        Result result = launch();
        assertThat(result.exitCode).isEqualTo(1);
        assertThat(result.err)
                .isEqualToIgnoringNewLines(
                        "plog: cannot write to " + tree.resolve("app/target/quick") + ": plog builds itself there");
    }

    @Test
    void withoutMavenItSaysWhatToInstall() throws Exception {
        Files.delete(tools.resolve("mvn"));
        Result result = launch();
        assertThat(result.exitCode).isEqualTo(1);
        assertThat(result.err.lines()).singleElement().asString().contains("no mvn on the PATH", "3.8.7");
    }

    @Test
    void withoutJavaItSaysWhatToInstall() throws Exception {
        Result result = finish(start(Map.of("JAVA_HOME", "")));
        assertThat(result.exitCode).isEqualTo(1);
        assertThat(result.err.lines()).singleElement().asString().contains("no java on the PATH", "JDK 17");
    }

    @Test
    void aWrongJavaHomeIsNamed() throws Exception {
        Result result = finish(start(Map.of("JAVA_HOME", "/not/there")));
        assertThat(result.exitCode).isEqualTo(1);
        assertThat(result.err.lines()).singleElement().asString().contains("JAVA_HOME is /not/there");
    }

    @Test
    void aJavaThatIsTooOldIsRefused() throws Exception {
        for (String version : List.of("11.0.2", "1.8.0_392")) {
            installJava(version);
            Result result = launch();
            assertThat(result.exitCode).isEqualTo(1);
            assertThat(result.err.lines())
                    .singleElement()
                    .asString()
                    .contains("is Java " + (version.startsWith("1.8") ? "8" : "11"), "needs 17 or newer");
        }
    }

    @Test
    void aJavaWithoutCompilerCannotBuild() throws Exception {
        Files.delete(home().resolve("bin/javac"));
        Result result = launch();
        assertThat(result.exitCode).isEqualTo(1);
        assertThat(result.err.lines()).singleElement().asString().contains("no compiler", "JDK");
    }

    private Result launch() throws IOException, InterruptedException {
        return finish(start(Map.of()));
    }

    @Test
    void fetchesBookKeeperOnceWhenTheProgramAsks() throws Exception {
        Result first = finish(start(Map.of(), "--fetch-bookkeeper"));
        assertThat(first.exitCode).isZero();
        assertThat(first.out).isEmpty();
        assertThat(first.err).isEqualToIgnoringNewLines("plog: fetching BookKeeper (once) ...");
        assertThat(finish(start(Map.of(), "--fetch-bookkeeper")).err).isEmpty();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void theProgramLearnsWhomToAskForBookKeeper() throws Exception {
        Result result = launch();
        assertThat(result.err).doesNotContain("BookKeeper");
        assertThat(result.out)
                .contains("-Dplog.bookkeeper.lib=")
                .contains("/lib/bookkeeper ")
                .contains("-Dplog.bookkeeper.fetch=" + tree.resolve("plog"));
    }

    private Process start(Map<String, String> more) throws IOException {
        return start(more, "first", "second word");
    }

    private Process start(Map<String, String> more, String... words) throws IOException {
        Map<String, String> environment = new HashMap<>();
        environment.put("PATH", tools.toString());
        environment.put("JAVA_HOME", home().toString());
        environment.put("PWD_TREE", tree.toString());
        environment.putAll(more);
        List<String> command = new ArrayList<>(List.of(words));
        command.add(0, tree.resolve("plog").toString());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Result finish(Process process) throws InterruptedException {
        return finish(process, Plog.PATIENCE);
    }

    private static Result finish(Process process, Duration patience) throws InterruptedException {
        Output out = new Output("stdout", process.getInputStream());
        Output err = new Output("stderr", process.getErrorStream());
        assertThat(process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        out.awaitEnd(patience);
        err.awaitEnd(patience);
        return new Result(process.exitValue(), out.text(), err.text());
    }

    private Path home() {
        return directory.resolve("jdk");
    }

    private void installJava(String version) throws IOException {
        Files.createDirectories(home().resolve("bin"));
        Files.writeString(home().resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        script(home().resolve("bin/javac"), "");
        script(home().resolve("bin/java"), """
                if [[ $2 == -Xshare:dump ]]; then
                  cp "${3#*=}" "${4#*=}"
                  exit
                fi
                line=java
                while [[ $1 != *.jar ]]; do line="$line $1"; shift; done
                line="$line $1 "; shift
                for word in "$@"; do line="$line$word|"; done
                echo "$line"
                """);
    }

    private void installMaven(String text) throws IOException {
        script(tools.resolve("mvn"), text);
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private long builds() throws IOException {
        return Files.readAllLines(tools.resolve("builds")).size();
    }

    /** Sources that were there long before, so that only what a test touches is newer than the build. */
    private static void makeOld(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
            }
        }
    }

    /** As if edited after every build there was; no test waits for the clock to tick on. */
    private static void touch(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2100-01-01T00:00:00Z")));
    }

    private record Result(int exitCode, String out, String err) {}
}
