package io.plog.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsFailuresTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Received fatal alert: bad_certificate",
                "Received fatal alert: certificate_required",
                "Received fatal alert: unknown_ca",
            })
    void aServerThatDemandsAnotherCertificateIsNamed(String alert) {
        RpcException failure = TlsFailures.of("a:1", new SSLHandshakeException(alert));

        assertThat(failure).isInstanceOf(IncompatibleServerException.class);
        assertThat(failure)
                .hasMessageContaining("give --tls-cert and --tls-key")
                .hasMessageContaining(alert);
    }

    @Test
    void otherAlertsAreToldAsTheyAre() {
        RpcException failure = TlsFailures.of("a:1", new SSLHandshakeException("Received fatal alert: internal_error"));

        assertThat(failure).hasMessageContaining("no TLS with a:1 (Received fatal alert: internal_error)");
    }

    @Test
    void aServerThatWentAwayIsNoVerdict() {
        SSLHandshakeException failure = new SSLHandshakeException("closed");
        failure.initCause(new EOFException("early"));

        assertThat(TlsFailures.of("a:1", failure)).isNotInstanceOf(IncompatibleServerException.class);
    }
}
