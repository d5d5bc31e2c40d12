package io.plog.protocol.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void aChainWithoutItsAuthorityIsRefused() throws IOException {
        isRefused(
                root.signs("leaf", DAY).writeTo(directory, null),
                "is a chain without its authority: it ends with CN=leaf, issued by CN=root");
    }

    @Test
    void aChainWithoutItsMiddleIsRefused() throws IOException {
        TestCertificates leaf = root.intermediate("middle").signs("leaf", DAY);
        TlsFiles files = leaf.writeTo(directory, authority);
        leaf.writeAlone(Objects.requireNonNull(files.certificate()));
        isRefused(files, "issued by CN=middle");
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
        isRefused(new TlsFiles(files.certificate(), files.certificate(), authority), "leaf.pem holds no private key");
        isRefused(new TlsFiles(files.key(), files.key(), authority), "leaf.key");
        Path empty = Files.createFile(directory.resolve("empty"));
        isRefused(new TlsFiles(empty, files.key(), authority), "holds no certificate");
        isRefused(new TlsFiles(files.certificate(), files.key(), directory), directory + " cannot be read: ");
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
}
