package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.RawConnection;
import io.plog.e2e.support.SystemCommand;
import io.plog.e2e.support.TestServer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that runs short of what it needs of its machine. */
@Timeout(180)
final class ShortageTest {
    private static final int GOODBYE_TOO_MANY = 6;

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void closeSockets() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void connect(int port, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }
    }

    /** Changes how many open files a process may have, for the time being. */
    private static void limit(long pid, long openFiles) throws Exception {
        SystemCommand.run("prlimit", "--pid", Long.toString(pid), "--nofile=" + openFiles + ":");
    }

    private static long openFiles(long pid) throws Exception {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return open.count();
        }
    }

    private static void serves(RawConnection connection, long number) throws Exception {
        connection.send(RawConnection.request(0, 7, number, new byte[100]));
        assertThat(connection.read().status()).isZero();
    }

    /** Where the machine refuses io_uring, it is epoll twice. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "io_uring"})
    void aServerWithoutFileDescriptorsServesThoseItHasAndAcceptsAgain(String transport) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "prlimit changes a running process");
        Path log = Files.createDirectory(directory.resolve("log"));
        try (TestServer server = TestServer.start(
                        directory, "--log a=%s,segment=4MiB --admin-port free --transport %s", log, transport);
                RawConnection served = RawConnection.welcomed(server.port)) {
            serves(served, 1);
            limit(server.process.pid(), openFiles(server.process.pid()) + 4);
            connect(server.port, 40);
            assertThat(server.process.awaitErr(line -> line.contains("no connection is accepted")))
                    .contains("on the port (", "Too many open files", "ulimit -n");
            for (int number = 2; number < 20; number++) {
                serves(served, number);
            }
            limit(server.process.pid(), 1_000);
            server.process.awaitErr(line -> line.contains("connections are accepted again on the port"));
            try (RawConnection next = RawConnection.welcomed(server.port)) {
                serves(next, 20);
            }
            assertThat(server.get("/health/ready").statusCode()).isEqualTo(200);
            assertThat(server.stop()).isZero();
            server.process.withoutStackTrace();
        }
        assertThat(LogContents.dump(log)).hasSize(20);
    }

    @Test
    void aServerThatIsAskedToEndWithoutFileDescriptorsEndsInOrderAndKeepsWhatItAcknowledged() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "prlimit changes a running process");
        Assumptions.assumeTrue(Plog.isOfJars(), "a class in a directory, unlike one in a jar, is a file to be opened");
        Path log = Files.createDirectory(directory.resolve("log"));
        try (TestServer server = TestServer.start(directory, "--log a=%s,segment=4MiB --admin-port free", log);
                RawConnection served = RawConnection.welcomed(server.port)) {
            for (int number = 1; number <= 5; number++) {
                serves(served, number);
            }
            limit(server.process.pid(), 3); // as many as every process has: none is left
            server.process.interrupt(); // as TERM does, but a Process that is destroyed says no more of its output
            RawConnection.Frame goodbye = served.read();
            assertThat(goodbye.type).isEqualTo(RawConnection.GOODBYE);
            assertThat(goodbye.reason()).isEqualTo("the server is closing");
            assertThat(server.process.awaitExit()).isEqualTo(1);
            server.process.withoutStackTrace();
            assertThat(server.process.errText())
                    .contains("plog server: the log of target a: ", "Too many open files")
                    .doesNotContain("left behind", "not everything could be closed");
        }
        assertThat(LogContents.dump(log)).hasSize(5);
    }

    @Test
    void aLowLimitOfOpenFilesIsSaidAtTheStartAndBoundsTheConnections() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        Path readyFile = directory.resolve("ready");
        try (Plog server = Plog.startWithin(
                300, "server --port 0 --admin-port 0 --log a=%s,segment=4MiB --ready-file %s", log, readyFile)) {
            String said = server.awaitErr(line -> line.startsWith("warning: at most "));
            assertThat(said)
                    .contains("connections at once instead of 1024: this process may have 300 open files")
                    .contains("raise the limit (ulimit -n) to ");
            Await.until("the server is ready", () -> Files.exists(readyFile));
            int port =
                    Integer.parseInt(Plog.pairs(Files.readAllLines(readyFile)).getOrDefault("port", "-1"));
            int most = Integer.parseInt(said.replaceAll("\\D*(\\d+) connections.*", "$1"));
            try (RawConnection first = RawConnection.welcomed(port)) {
                connect(port, most + 50);
                try (RawConnection over = new RawConnection(port)) {
                    RawConnection.Frame reported = over.read();
                    assertThat(reported.type).isEqualTo(RawConnection.GOODBYE);
                    assertThat(reported.code()).isEqualTo(GOODBYE_TOO_MANY);
                    assertThat(reported.reason()).contains("already has " + most + " connections");
                }
                serves(first, 1);
            }
            server.terminate();
            server.exited(0);
            assertThat(server.errText()).doesNotContain("no connection is accepted");
            server.withoutStackTrace();
        }
    }
}
