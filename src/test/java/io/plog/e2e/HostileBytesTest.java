package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.RawConnection;
import io.plog.e2e.support.TestServer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that no client should send cost their sender the connection, and nobody else anything. */
final class HostileBytesTest {
    private static final int VERSION = 1;
    private static final int MALFORMED = 2;
    private static final int TOO_LARGE = 3;

    @TempDir(factory = DiskDirectory.class)
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @Test
    void everyMisbehaviourEndsItsOwnConnectionOnly() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        try (TestServer server =
                        TestServer.start(directory, "--log", "a=" + log + ",segment=4MiB", "--admin-port", "0");
                RawConnection bystander = RawConnection.welcomed(server.port)) {
            long served = 0;
            isServed(bystander, ++served);

            wrongVersion(server);
            isServed(bystander, ++served);

            oversizedFrame(server);
            isServed(bystander, ++served);

            unknownFrame(server);
            isServed(bystander, ++served);

            randomBytes(server);
            isServed(bystander, ++served);

            halfARequestThenGone(server);
            isServed(bystander, ++served);

            server.process.withoutStackTrace();
            assertThat(server.stop()).isZero();
            assertThat(LogContents.dump(log)).hasSize((int) served);
        }
    }

    private static void wrongVersion(TestServer server) throws Exception {
        try (RawConnection connection = new RawConnection(server.port)) {
            connection.send(RawConnection.hello(2));
            RawConnection.Frame goodbye = connection.read();
            assertThat(goodbye.type).isEqualTo(RawConnection.GOODBYE);
            assertThat(goodbye.code()).isEqualTo(VERSION);
            assertThat(goodbye.reason()).isEqualTo("the client speaks protocol version 2, this server speaks 1");
            assertThat(connection.isClosedByServer()).isTrue();
        }
    }

    private static void oversizedFrame(TestServer server) throws Exception {
        try (RawConnection connection = RawConnection.welcomed(server.port)) {
            byte[] request = RawConnection.request(0, 1, 1, new byte[0]);
            ByteBuffer.wrap(request).putInt(0, Integer.MAX_VALUE);
            connection.send(request);
            RawConnection.Frame goodbye = connection.read();
            assertThat(goodbye.type).isEqualTo(RawConnection.GOODBYE);
            assertThat(goodbye.code()).isEqualTo(TOO_LARGE);
            assertThat(connection.isClosedByServer()).isTrue();
        }
    }

    private static void unknownFrame(TestServer server) throws Exception {
        try (RawConnection connection = RawConnection.welcomed(server.port)) {
            byte[] request = RawConnection.request(0, 1, 1, new byte[10]);
            request[4] = 77;
            connection.send(request);
            RawConnection.Frame goodbye = connection.read();
            assertThat(goodbye.type).isEqualTo(RawConnection.GOODBYE);
            assertThat(goodbye.code()).isEqualTo(MALFORMED);
            assertThat(connection.isClosedByServer()).isTrue();
        }
    }

    private static void randomBytes(TestServer server) throws Exception {
        long seed = System.nanoTime();
        System.out.println("random bytes from seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            byte[] junk = new byte[1 + random.nextInt(4_000)];
            random.nextBytes(junk);
            try (RawConnection connection =
                    round % 2 == 0 ? new RawConnection(server.port) : RawConnection.welcomed(server.port)) {
                connection.sendAndEnd(junk);
                assertThat(connection.isClosedByServer())
                        .as("seed %s, round %s", seed, round)
                        .isTrue();
            }
        }
    }

    private static void halfARequestThenGone(TestServer server) throws Exception {
        try (RawConnection connection = RawConnection.welcomed(server.port)) {
            byte[] request = RawConnection.request(0, 1, 1, new byte[50_000]);
            connection.send(Arrays.copyOf(request, 20_000));
        }
    }

    private static void isServed(RawConnection connection, long number) throws Exception {
        byte[] payload = {1, 2, (byte) number};
        connection.send(RawConnection.request(0, 99, number, payload));
        RawConnection.Frame reply = connection.read();
        assertThat(reply.type).isEqualTo(RawConnection.REPLY);
        assertThat(reply.status()).isZero();
        assertThat(reply.index()).isEqualTo(number);
        assertThat(reply.payload()).containsExactly(~1, ~2, ~(int) number);
    }
}
