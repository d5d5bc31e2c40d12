package io.plog.client;

import java.io.EOFException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;

/** What a failure of TLS means, in a sentence that says what to do. */
public final class TlsFailures {
    private TlsFailures() {}

    /**
     * Why no secure connection could be made. It is a verdict: another attempt with the same files would end likewise. But not if the
     * server merely went away.
     */
    public static RpcException of(String peer, SSLException failure) {
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        if (first instanceof EOFException) {
            return ConnectionFailures.noHandshake(peer, "it closed the connection");
        }
        return new IncompatibleServerException(sentence(peer, first));
    }

    /** By the words of the JDK, where it has one type for several failures. */
    private static String sentence(String peer, Throwable first) {
        String message = String.valueOf(first.getMessage());
        if (message.contains("not an SSL/TLS record") || message.contains("Unsupported or unrecognized SSL message")) {
            return peer + " has no TLS there: leave out --tls and --tls-ca, or start the server with --tls-cert";
        }
        String certificate = "the certificate of " + peer;
        if (first instanceof CertPathBuilderException) {
            return certificate + " is of an authority that this side does not know: name it with --tls-ca FILE";
        }
        if (first instanceof CertificateExpiredException || first instanceof CertificateNotYetValidException) {
            return certificate + " is not valid now (" + message + "): renew it";
        }
        if (first instanceof CertificateException) {
            return certificate + " is not for this name (" + message + "): call the server as its certificate does";
        }
        if (message.contains("alert") && (message.contains("certificate") || message.contains("unknown_ca"))) {
            return peer + " does not take this side's certificate, or demands one (" + message
                    + "): give --tls-cert and --tls-key, signed by an authority of the server's --tls-ca";
        }
        return "no TLS with " + peer + " (" + message + ")";
    }
}
