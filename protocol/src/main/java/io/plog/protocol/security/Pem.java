package io.plog.protocol.security;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys, and says in a sentence what is wrong with them. Each method names the file in its failures. */
final class Pem {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([^-]*)-----END [A-Z ]*PRIVATE KEY-----");

    /** How to make a signature that shows whether a key belongs to a certificate, by the key's algorithm. */
    private static final List<List<String>> SIGNATURES =
            List.of(List.of("RSA", "SHA256withRSA"), List.of("EC", "SHA256withECDSA"), List.of("EdDSA", "EdDSA"));

    private static final Pattern CERTIFICATE = Pattern.compile(
            "-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----[^-]*-----END (X509 |TRUSTED )?CERTIFICATE-----");

    private Pem() {}

    static List<X509Certificate> certificates(Path file, String text) throws SecurityFileException {
        List<X509Certificate> all = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (MatchResult each : CERTIFICATE.matcher(text).results().toList()) { // a key may stand between them
                all.add((X509Certificate) factory.generateCertificate(
                        new ByteArrayInputStream(each.group().getBytes(StandardCharsets.ISO_8859_1))));
            }
        } catch (CertificateException e) {
            throw new SecurityFileException(
                    file + " cannot be read as certificates: expected PEM (" + e.getMessage() + ")", e);
        }
        if (all.isEmpty()) {
            throw new SecurityFileException(file + " holds no certificate: expected PEM, -----BEGIN CERTIFICATE-----");
        }
        return all;
    }

    /** The certificates of authorities, of which each can sign others. */
    static List<X509Certificate> authorities(Path file, String text) throws SecurityFileException {
        List<X509Certificate> all = certificates(file, text);
        for (X509Certificate each : all) {
            if (each.getBasicConstraints() < 0 && !isSelfSigned(each)) {
                throw new SecurityFileException(file + " holds the certificate of " + name(each)
                        + ", which is no authority: expected those that sign the other side's certificates");
            }
        }
        return all;
    }

    static PrivateKey key(Path file, String text) throws SecurityFileException {
        Matcher found = KEY.matcher(text);
        if (!found.find() || !found.group(1).isEmpty()) {
            throw new SecurityFileException(
                    file + " holds no private key as it is taken: expected PEM, -----BEGIN PRIVATE KEY-----"
                            + " (openssl pkcs8 -topk8 -nocrypt makes it of others)");
        }
        try {
            var encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(2)));
            for (List<String> each : SIGNATURES) {
                try {
                    return KeyFactory.getInstance(each.get(0)).generatePrivate(encoded);
                } catch (GeneralSecurityException otherAlgorithm) {
                    // the next one
                }
            }
        } catch (IllegalArgumentException e) {
            throw new SecurityFileException(file + " is damaged: expected base64 between the lines of its key", e);
        }
        throw new SecurityFileException(file + " holds a key of an unknown kind: expected RSA, EC or EdDSA");
    }

    /** Whether the time of the first certificate of a chain has come and is not over. */
    static void checkTime(Path file, X509Certificate certificate, Instant now) throws SecurityFileException {
        Instant from = certificate.getNotBefore().toInstant();
        Instant to = certificate.getNotAfter().toInstant();
        if (now.isBefore(from) || now.isAfter(to)) {
            throw new SecurityFileException(file + ": the certificate of " + name(certificate)
                    + (now.isAfter(to) ? " expired at " + to : " is valid from " + from + " on, which is not yet"));
        }
    }

    static void checkKey(Path file, X509Certificate certificate, Path keyFile, PrivateKey key)
            throws SecurityFileException {
        byte[] text = certificate.getSerialNumber().toByteArray();
        try {
            for (List<String> each : SIGNATURES) {
                if (each.get(0).equals(key.getAlgorithm())) {
                    Signature signature = Signature.getInstance(each.get(1));
                    signature.initSign(key);
                    signature.update(text);
                    byte[] signed = signature.sign();
                    signature.initVerify(certificate.getPublicKey());
                    signature.update(text);
                    if (signature.verify(signed)) {
                        return;
                    }
                }
            }
        } catch (GeneralSecurityException otherKind) {
            // which is an answer, too
        }
        throw new SecurityFileException(keyFile + " is not the key of the certificate of " + name(certificate) + " in "
                + file + ": expected the one that the certificate was requested with");
    }

    /** Whether each certificate is signed by the next. */
    static void checkChain(Path file, List<X509Certificate> chain) throws SecurityFileException {
        for (int i = 1; i < chain.size(); i++) {
            if (!isSigned(chain.get(i - 1), chain.get(i).getPublicKey())) {
                throw new SecurityFileException(file + " is no chain: certificate " + i + ", of "
                        + name(chain.get(i - 1)) + ", is not signed by the next, of " + name(chain.get(i)));
            }
        }
    }

    /** Of a chain that is not complete, a sentence. */
    static String incomplete(Path file, List<X509Certificate> chain) {
        X509Certificate last = chain.get(chain.size() - 1);
        return file + " ends with the certificate of " + name(last) + ", issued by " + last.getIssuerX500Principal()
                + ": only who knows that issuer trusts it";
    }

    /** Whether the last certificate of a chain is signed by itself or by one of those that are known. */
    static boolean isComplete(List<X509Certificate> chain, Collection<X509Certificate> known) {
        X509Certificate last = chain.get(chain.size() - 1);
        return isSelfSigned(last) || known.stream().anyMatch(each -> isSigned(last, each.getPublicKey()));
    }

    private static boolean isSelfSigned(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())
                && isSigned(certificate, certificate.getPublicKey());
    }

    private static boolean isSigned(X509Certificate certificate, PublicKey by) {
        try {
            certificate.verify(by);
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static String name(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName();
    }
}
