package io.plog.app.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.app.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code plog server} refuses; servers that start are end-to-end tests. */
class ServerCommandTest {
    @TempDir
    Path scratch;

    private Path logDirectory() throws Exception {
        return Files.createDirectories(scratch.resolve("log"));
    }

    @Test
    void aStandbyOfALogInADirectoryIsMisuse() throws Exception {
        Path directory = logDirectory();
        assertFails(
                2,
                "a standby waits for logs on several machines, and that of target a is in the directory " + directory,
                "--standby",
                "--log",
                "a=" + directory);
        assertFails(2, "--takeover-within without --standby", "--takeover-within", "5s", "--log", "a=" + directory);
        assertFails(
                2,
                "takeoverWithin is 500 ms: expected 1 s to 10 min",
                "--standby",
                "--takeover-within",
                "500ms",
                "--log",
                "r=bookkeeper://127.0.0.1:1/r");
    }

    @Test
    void aCheckFindsOneDirectoryThatTwoLogsName() throws Exception {
        Path directory = logDirectory();
        Path link = Files.createSymbolicLink(scratch.resolve("link"), directory);
        assertFails(
                1,
                "log directory of target b, " + link + ", is also one of target a",
                "--check",
                "--log",
                "a=" + directory,
                "--log",
                "b=" + link);
        assertFails(1, "is also one of target a", "--check", "--log", "a=" + directory + "+" + link);
    }

    /** A default that is written down a second time is wrong one day. */
    @Test
    void theHelpTakesDefaultsFromTheCode() throws Exception {
        Path source = Path.of("src/main/java/io/plog/app/server/ServerCommand.java");
        assertThat(Files.readString(source))
                .contains("Default: ${DEFAULT-VALUE}")
                .doesNotContainPattern("[Dd]efault:? (\"\\s*\\+ \")?(\\d\\d|\\d\\w)");
    }

    @Test
    void optionsThatMakeNoSenseAreMisuse() throws Exception {
        Path directory = logDirectory();
        assertFails(2, "nothing to serve");
        assertFails(2, "expected NAME=[sim:MODEL@]DIR", "--log", "nonsense");
        assertFails(2, "unknown way of forcing 'hope'", "--log", "a=" + directory + ",force=hope");
        assertFails(2, "not a size: 'big'", "--log", "a=" + directory + ",segment=big");
        assertFails(2, "unknown part 'colour=red'", "--log", "a=" + directory + ",colour=red");
        assertFails(2, "a comma that belongs to a directory's name is written \\,", "--log", "a=/srv/x,y");
        assertFails(1, "/srv/x,y, does not exist", "--log", "a=/srv/x\\,y,force=fsync");
        assertFails(2, "two targets are called 'a'", "--log", "a=" + directory, "--log", "a=" + directory);
        assertFails(2, "retain", "--log", "a=" + directory + ",retain=1MiB");
        assertFails(2, "unknown service 'hope': expected invert or chain", "--log", "a=" + directory + ",service=hope");
        assertFails(2, "not a size: 'often'", "--log", "a=" + directory + ",checkpoint=often");
        assertFails(2, "checkpoint is 1024 bytes: expected at least", "--log", "a=" + directory + ",checkpoint=1KiB");
        assertFails(2, "target a: segment is 1000 bytes", "--log", "a=" + directory + ",segment=1k");
        assertFails(2, "target a: segment is 0 bytes", "--log", "a=" + directory + ",segment=0,reserve=1MiB");
        assertFails(2, "force= stands there twice", "--log", "a=" + directory + ",force=fsync,force=write");
        assertFails(2, "'-1' is no port", "--unlogged", "--http-port", "-1");
        assertFails(2, "'65536' is no port", "--unlogged", "--admin-port", "65536");
        assertFails(2, "maxPayloadBytes", "--unlogged", "--max-payload", "100MiB");
        assertFails(2, "not a size", "--unlogged", "--max-payload", "x");
        assertFails(2, "port is 70000", "--unlogged", "--port", "70000");
        CommandRun.of("log").exited(2);
        CommandRun.of("log", "dump", "--from", "9", directory).exited(2);
    }

    private static void assertFails(int code, String message, String... more) {
        String[] args = new String[more.length + 3];
        args[0] = "server";
        args[1] = "--admin-port";
        args[2] = "0";
        System.arraycopy(more, 0, args, 3, more.length);
        CommandRun result = CommandRun.of((Object[]) args).exited(code);
        assertThat(result.err).contains(message);
        assertThat(result.out).isEmpty();
    }
}
