package io.plog.protocol.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class TlsTest {
    private static final Duration DAY = Duration.ofHours(20);

    private final TestCertificates root = TestCertificates.authority("root");

    @TempDir
    Path directory;

    private Path authority;

    @BeforeEach
    void writeAuthority() throws IOException {
        authority = root.writeAlone(directory.resolve("root.pem"));
    }

    private static Tls server(TlsFiles files) throws IOException {
        return Tls.ofServer(files, Clock.systemUTC());
    }

    private void isRefused(TlsFiles files, String why) {
        assertThatThrownBy(() -> server(files))
                .isInstanceOf(SecurityFileException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aChainUpToTheAuthorityOfTheFileIsTaken() throws IOException {
        TlsFiles files = root.intermediate("middle").signs("leaf", DAY).writeTo(directory, authority);
        Tls tls = server(files);
        assertThat(tls.demandsCertificate()).isTrue();
        assertThat(tls.end()).isBetween(Instant.now(), Instant.now().plus(DAY));
    }

    @Test
    void anAuthorityMayAlsoStandAtTheEndOfTheChain() throws IOException {
        TlsFiles files = root.signs("leaf", DAY).writeTo(directory, null);
        Path certificate = Objects.requireNonNull(files.certificate());
        Files.writeString(certificate, Files.readString(certificate) + root.pem());
        assertThat(server(files).demandsCertificate()).isFalse();
    }

    @Test
    void aChainWithoutItsAuthorityIsTakenWithAWarning() throws IOException {
        assertThat(server(root.signs("leaf", DAY).writeTo(directory, authority)).warning())
                .isEmpty();
        assertThat(server(root.signs("leaf", DAY).writeTo(directory, null)).warning())
                .contains("ends with the certificate of CN=leaf, issued by CN=root");
        TestCertificates middle = root.intermediate("middle");
        assertThat(server(middle.signs("leaf", DAY).writeTo(directory, null)).warning())
                .contains("ends with the certificate of CN=middle, issued by CN=root");
        TestCertificates leaf = middle.signs("leaf", DAY);
        TlsFiles files = leaf.writeTo(directory, authority);
        leaf.writeAlone(Objects.requireNonNull(files.certificate()));
        assertThat(server(files).warning()).contains("issued by CN=middle");
    }

    @Test
    void certificateAndKeyMayStandInOneFileBehindAByteOrderMark() throws IOException {
        TlsFiles files = root.intermediate("middle").signs("leaf", DAY).writeTo(directory, authority);
        Path key = Objects.requireNonNull(files.key());
        Path certificate = Objects.requireNonNull(files.certificate());
        Files.writeString(
                key, "\uFEFF# of the service\n" + Files.readString(key) + Files.readString(certificate) + "# end\n");
        assertThat(server(new TlsFiles(key, key, authority)).warning()).isEmpty();
        Files.writeString(certificate, "\uFEFF" + Files.readString(certificate));
        assertThat(server(files).warning()).isEmpty();
    }

    @Test
    void aKeyThatEverybodyMayReadIsRefused() throws IOException {
        TlsFiles files = root.signs("leaf", DAY).writeTo(directory, authority);
        Files.setPosixFilePermissions(
                Objects.requireNonNull(files.key()), PosixFilePermissions.fromString("rw-r--r--"));
        isRefused(files, "leaf.key is open to everybody on this machine");
        Files.setPosixFilePermissions(
                Objects.requireNonNull(files.key()), PosixFilePermissions.fromString("rw-r-----"));
        assertThat(server(files).warning()).isEmpty();
    }

    @Test
    void onlyRegularFilesOfABoundedLengthAreRead() throws Exception {
        TlsFiles files = root.signs("leaf", DAY).writeTo(directory, authority);
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path large = directory.resolve("large");
        try (FileChannel channel = FileChannel.open(large, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), 1L << 30);
        }
        for (Path each : List.of(pipe, Path.of("/dev/zero"), directory, large)) {
            String why = each.equals(large) ? "has 1073741825 bytes: expected at most 1048576" : "is no regular file";
            for (TlsFiles wrong : List.of(
                    new TlsFiles(each, files.key(), null),
                    new TlsFiles(files.certificate(), each, null),
                    new TlsFiles(files.certificate(), files.key(), each))) {
                if (!each.equals(wrong.key())) {
                    assertThatThrownBy(() -> server(wrong)).hasMessage(each + ": " + why);
                }
            }
            assertThatThrownBy(() -> RegularFile.text(each, StandardCharsets.UTF_8))
                    .hasMessage(each + ": " + why);
        }
    }

    @Test
    void certificatesThatDoNotSignEachOtherAreNoChain() throws IOException {
        TlsFiles files = root.signs("leaf", DAY).writeTo(directory, authority);
        Path certificate = Objects.requireNonNull(files.certificate());
        Files.writeString(
                certificate,
                Files.readString(certificate)
                        + TestCertificates.authority("other").pem());
        isRefused(files, "is no chain: certificate 1, of CN=leaf, is not signed by the next, of CN=other");
    }

    @Test
    void theKeyOfAnotherCertificateIsRefused() throws IOException {
        TlsFiles files = root.signs("leaf", DAY).writeTo(directory, authority);
        TlsFiles other = root.signs("other", DAY).writeTo(directory, authority);
        isRefused(
                new TlsFiles(files.certificate(), other.key(), authority),
                "other.key is not the key of the certificate of CN=leaf");
    }

    @Test
    void anExpiredCertificateIsRefused() throws IOException {
        isRefused(
                root.signs("leaf", Duration.ofSeconds(-5)).writeTo(directory, authority),
                "the certificate of CN=leaf expired at");
    }

    @Test
    void aCertificateThatIsNotValidYetIsRefused() throws IOException {
        TlsFiles files = root.signs("leaf", DAY).writeTo(directory, authority);
        Clock early = Clock.offset(Clock.systemUTC(), Duration.ofDays(-2));
        assertThatThrownBy(() -> Tls.ofServer(files, early)).hasMessageContaining("CN=leaf is valid from");
    }

    @Test
    void aCertificateThatSignsNothingIsNoAuthority() throws IOException {
        Path leaf = root.signs("leaf", DAY).writeAlone(directory.resolve("leaf-alone.pem"));
        isRefused(
                root.signs("leaf", DAY).writeTo(directory, leaf), "the certificate of CN=leaf, which is no authority");
    }

    @Test
    void filesOfSomethingElseAreRefused() throws IOException {
        TlsFiles files = root.signs("leaf", DAY).writeTo(directory, authority);
        Files.setPosixFilePermissions(
                Files.createFile(directory.resolve("no-key")), PosixFilePermissions.fromString("rw-------"));
        isRefused(new TlsFiles(authority, directory.resolve("no-key"), authority), "no-key holds no private key");
        isRefused(new TlsFiles(files.key(), files.key(), authority), "leaf.key");
        Path empty = Files.createFile(directory.resolve("empty"));
        isRefused(new TlsFiles(empty, files.key(), authority), "holds no certificate");
    }

    @Test
    void aCertificateWithoutAKeyIsMisuse() {
        assertThatThrownBy(() -> new TlsFiles(authority, null, null)).hasMessageContaining("belong together");
    }

    @Test
    void renewedFilesAreTakenAndUselessOnesAreNot() throws IOException {
        TlsFiles files = root.signs("leaf", Duration.ofHours(2)).writeTo(directory, authority);
        Tls tls = server(files);
        Instant first = tls.end();
        assertThat(tls.refresh()).isFalse();
        Path key = Objects.requireNonNull(files.key());
        Path saved = Files.copy(key, directory.resolve("saved"));
        TlsFiles renewed = root.signs("leaf", Duration.ofHours(3)).writeTo(directory, authority);
        assertThat(renewed).isEqualTo(files);
        assertThat(tls.refresh()).isTrue();
        assertThat(tls.end()).isAfter(first);
        Files.copy(saved, key, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(tls::refresh).hasMessageContaining("is not the key");
        assertThat(tls.end()).isAfter(first);
    }

    /** A greeting of a client, in one piece. */
    private ByteBuf greeting() throws IOException {
        Tls client = Tls.ofClient(new TlsFiles(null, null, authority));
        EmbeddedChannel channel = new EmbeddedChannel(client.handler(ByteBufAllocator.DEFAULT, "localhost", 1));
        return Unpooled.wrappedBuffer(
                channel.outboundMessages().stream().map(ByteBuf.class::cast).toArray(ByteBuf[]::new));
    }

    @Test
    void theLoopOfAConnectionDoesNotComputeItsHandshake() throws Exception {
        TlsFiles files = root.signs("leaf", DAY).writeTo(directory, authority);
        Tls tls = server(new TlsFiles(files.certificate(), files.key(), null));
        CountDownLatch computing = new CountDownLatch(1);
        Tls.HANDSHAKES.execute(() -> awaitUninterruptibly(computing));
        EmbeddedChannel channel = new EmbeddedChannel(tls.handler(ByteBufAllocator.DEFAULT));
        try {
            channel.writeInbound(greeting());
            assertThat(channel.<Object>readOutbound()).isNull();
        } finally {
            computing.countDown();
        }
        while (channel.outboundMessages().isEmpty()) {
            channel.runPendingTasks();
            Thread.onSpinWait();
        }
        channel.finishAndReleaseAll();
    }

    @Test
    void oneClientBeginsWhenTheHandshakeOfTheOneBeforeIsComputed() throws Exception {
        ExecutorService loop = Executors.newSingleThreadExecutor();
        List<String> done = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch computing = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        Tls.inTurn(loop, () -> {
            Tls.HANDSHAKES.execute(() -> {
                awaitUninterruptibly(computing);
                done.add("first");
            });
            first.countDown();
            throw new IllegalStateException("which ends nobody else's turn");
        });
        Tls.inTurn(loop, () -> {
            done.add("second");
            second.countDown();
        });
        first.await();
        loop.submit(() -> done.add("loop")).get(); // the loop is free meanwhile
        computing.countDown();
        second.await();
        assertThat(done).containsExactly("loop", "first", "second");
        loop.shutdown();
    }

    @Test
    void aLoopThatStandsStillKeepsNoClientOfAnotherOut() throws Exception {
        ExecutorService still = Executors.newSingleThreadExecutor();
        ExecutorService other = Executors.newSingleThreadExecutor();
        CountDownLatch disk = new CountDownLatch(1);
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        still.execute(() -> {
            Tls.inTurn(still, () -> {});
            waits.countDown();
            awaitUninterruptibly(disk);
        });
        waits.await();
        other.execute(() -> Tls.inTurn(other, begun::countDown));
        begun.await();
        disk.countDown();
        still.shutdown();
        other.shutdown();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
