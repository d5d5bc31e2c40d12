package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plog.e2e.support.CommandOutput;
import io.plog.e2e.support.Directories;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.SystemCommand;
import io.plog.e2e.support.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users get wrong: one line that says what was found and what to do, and no stack trace. */
@Order(5)
final class BadInputTest {
    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @Test
    void aMissingLogDirectoryIsNamed() throws Exception {
        Path missing = directory.resolve("missing");
        assertThat(refusedByProcess(1, "server --log a=%s", missing))
                .contains(missing.toString(), "does not exist", "mkdir");
        assertThat(missing).doesNotExist();
        for (String command : List.of("info", "dump", "verify")) {
            assertThat(refused(1, "log %s %s", command, missing)).contains(missing.toString(), "does not exist");
        }
        assertThat(refused(1, "server --check --log a=%s", missing)).contains(missing.toString(), "does not exist");
        LocalRun.of("server --check --log a=%s --unlogged", directory).exited(0);
        assertThat(directory).isEmptyDirectory();
        assertThat(refused(1, "demo --out %s --log-dir %s", directory.resolve("out"), missing))
                .contains(missing.toString(), "does not exist");
    }

    @Test
    void aFileWhereADirectoryShouldBeIsNamed() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "x");
        assertThat(refused(1, "server --log a=%s", file)).contains(file.toString(), "not a directory");
        assertThat(refused(1, "log info %s", file)).contains(file.toString(), "not a directory");
        assertThat(refused(1, "demo --out %s", file)).contains(file.toString(), "is a file");
    }

    @Test
    void aDirectoryThatIsNotWritableIsNamed() throws Exception {
        Path locked = Files.createDirectory(directory.resolve("readonly"));
        try (Locked held = lock(locked)) {
            assertThat(refused(1, "server --log a=%s", held.path())).contains(locked.toString(), "writ");
        }
    }

    /** A directory that cannot be written while this is open. */
    record Locked(Path path) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            if (isRoot()) {
                assertThat(SystemCommand.succeeds("chattr", "-i", path.toString()))
                        .isTrue();
            } else {
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    static Locked lock(Path path) throws Exception {
        if (isRoot()) {
            // Permission bits do not bind root; the immutable flag does, where the file system has it.
            assumeTrue(SystemCommand.succeeds("chattr", "+i", path.toString()), "chattr +i works here");
        } else {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r-xr-xr-x"));
        }
        return new Locked(path);
    }

    @Test
    void aLogThatAnotherServerHasOpenIsNotTouched() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        try (TestServer server = TestServer.start(directory, "--log a=%s,segment=4MiB --admin-port 0", log)) {
            assertThat(refused(1, "server --log a=%s --port 0 --admin-port 0", log))
                    .contains(log.toString(), "already open", "pid " + server.process.pid());
            assertAnswers(server);
        }
    }

    private void assertAnswers(TestServer server) throws Exception {
        Path payload = Files.write(directory.resolve("payload"), new byte[] {5});
        LocalRun.of("call --json --server %s %s", server.address(), payload).exited(0);
    }

    @Test
    void aLogInMemoryRunsWithAWarning() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(memory) && Files.getFileStore(memory).type().equals("tmpfs"), "there is a tmpfs");
        Path log = Files.createTempDirectory(memory, "plog-e2e-");
        try (TestServer server = TestServer.start(directory, "--log a=%s,segment=4MiB --admin-port 0", log)) {
            assertThat(server.process.err())
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("warning:")
                            .contains("target a", "tmpfs", "not stable storage"));
            assertAnswers(server);
            assertThat(server.stop()).isZero();
        } finally {
            Directories.delete(log);
        }
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertThat(refused(1, "server --unlogged --port %s --admin-port 0", port))
                    .contains(port, "in use", "--port");
            assertThat(refused(1, "server --unlogged --port 0 --admin-port %s", port))
                    .contains(port, "in use");
            assertThat(refused(1, "server --unlogged --port 0 --admin-port 0 --http-port %s", port))
                    .contains("HTTP port 127.0.0.1:" + port + " is in use", "--http-port");
        }
    }

    @Test
    void misspeltOptionsAndCommandsAreMisuseWithASuggestion() throws Exception {
        assertThat(refusedByProcess(2, "server --prot 7000")).contains("--prot", "did you mean --port?");
        assertThat(refused(2, "mesure")).contains("mesure", "did you mean measure?");
        assertThat(refused(2, "log vrify %s", directory)).contains("vrify");
        assertThat(refused(2, "server --log a=%s,force=fsnc", directory))
                .contains("fsnc", "fdatasync, fsync, dsync, direct");
        assertThat(refused(2, "server")).contains("--log", "--unlogged");
        assertThat(refused(2, "server --unlogged --port 70000")).contains("70000", "65535");
    }

    @Test
    void whatPlogBookiesStartsIsNotForPeople() throws Exception {
        assertThat(refused(2, "bookie-process zookeeper")).contains("this command belongs to plog bookies");
    }

    /** Runs it, checks the exit code and that it printed one line on standard error, and returns that. */
    private static String refused(int code, String line, Object... values) {
        return refused(code, LocalRun.of(line, values));
    }

    /** The same in a process of its own: for one line of each kind. */
    private static String refusedByProcess(int code, String line, Object... values) throws Exception {
        return refused(code, Plog.run(line, values));
    }

    private static String refused(int code, CommandOutput command) {
        command.exited(code);
        assertThat(command.out()).isEmpty();
        return command.onlyErrLine();
    }

    static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }
}
