package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.plog.protocol.security.TestCertificates;
import io.plog.protocol.security.Tls;
import io.plog.protocol.security.TlsFiles;
import io.plog.server.access.Access;
import io.plog.server.access.Rights;
import io.plog.server.monitoring.ServerNotices;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of TLS and of rights that are replaced by something else while a server runs. */
@Timeout(60) // a pipe would be read for ever
class SecurityWatchTest {
    private static final String TOKEN = "token-token-token";

    @TempDir
    Path directory;

    private final TestCertificates root = TestCertificates.authority("root");
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private Instant now = Instant.now();
    private Path rights;
    private Path certificate;
    private TlsFiles files;
    private Access access;
    private SecurityWatch watch;

    @BeforeEach
    void start() throws Exception {
        rights = directory.resolve("rights");
        write("append:a");
        files = root.signs("leaf", Duration.ofDays(20)).writeTo(directory, root.writeAlone(directory.resolve("ca")));
        certificate = Objects.requireNonNull(files.certificate());
        access = Access.of(rights, Set.of("a", "b"));
        // A clock that moves, as the real one does.
        Clock clock = new Clock() {
            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                now = now.plusMillis(1_001);
                return now;
            }
        };
        watch = new SecurityWatch(
                Tls.ofServer(files, clock), access, new ServerNotices(said, System::currentTimeMillis), clock);
    }

    private void write(String right) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(StandardCharsets.UTF_8));
        Path fresh = Files.writeString(
                directory.resolve("fresh"), right + " token " + HexFormat.of().formatHex(hash) + "\n");
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
        Files.move(fresh, rights, StandardCopyOption.REPLACE_EXISTING);
    }

    private Rights held() {
        return access.of(new EmbeddedChannel(), TOKEN);
    }

    private List<String> look(int times) {
        said.reset();
        for (int i = 0; i < times; i++) {
            watch.look();
        }
        return said.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private void pipe(Path at) throws Exception {
        Files.deleteIfExists(at);
        assertThat(new ProcessBuilder("mkfifo", "-m", "600", at.toString())
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void anExpiredCertificateInThePlaceOfAGoodOneIsReportedOnce() throws Exception {
        assertThat(look(3)).isEmpty();
        root.signs("leaf", Duration.ofMinutes(-1)).writeTo(directory, files.authority());
        assertThat(look(5)).singleElement().asString().contains("leaf.pem: the certificate of CN=leaf expired at ");
        root.signs("leaf", Duration.ofDays(30)).writeTo(directory, files.authority());
        assertThat(look(3)).singleElement().asString().contains("the certificate was renewed");
    }

    @Test
    void whatIsNoFileInThePlaceOfOneKeepsNoOtherFromBeingRead() throws Exception {
        assertThat(held().mayAppend("a")).isTrue();
        for (Path each : List.of(certificate, rights)) {
            byte[] before = Files.readAllBytes(each);
            pipe(each);
            assertThat(look(5)).singleElement().asString().contains(each + ": is no regular file");
            Files.delete(each);
            Files.createSymbolicLink(each, Path.of("/dev/zero"));
            look(5);
            if (!each.equals(rights)) {
                write("append:b");
                assertThat(look(1)).singleElement().asString().contains("the file of --access was read again");
                assertThat(held().mayAppend("a")).isFalse();
            }
            Files.delete(each);
            Files.write(each, before);
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rw-------"));
        }
        write("read");
        look(1);
        assertThat(held().mayAppend("b")).isFalse();
    }
}
