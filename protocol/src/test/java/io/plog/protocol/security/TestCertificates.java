package io.plog.protocol.security;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * An authority and what it signs, for tests: files of PEM, made without a tool. The certificates are X.509 version 3 with keys on
 * the curve P-256.
 */
public final class TestCertificates {
    private static final byte[] ECDSA_WITH_SHA256 =
            der(0x30, new byte[] {0x06, 0x08, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02});
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private static long serial = System.nanoTime();

    private final String name;
    private final KeyPair keys = newKeys();
    private final @Nullable TestCertificates issuer;
    private final byte[] certificate;

    private TestCertificates(
            String name, @Nullable TestCertificates issuer, byte[] extension, Instant from, Instant to) {
        this.name = name;
        this.issuer = issuer;
        this.certificate = signed(extension, from, to);
    }

    /** Signs itself, from an hour ago for a day. */
    public static TestCertificates authority(String name) {
        Instant now = Instant.now();
        return new TestCertificates(
                name, null, ofAuthority(), now.minus(Duration.ofHours(1)), now.plus(Duration.ofDays(1)));
    }

    /** An authority below this one. */
    public TestCertificates intermediate(String other) {
        Instant now = Instant.now();
        return new TestCertificates(
                other, this, ofAuthority(), now.minus(Duration.ofHours(1)), now.plus(Duration.ofDays(1)));
    }

    /** A certificate for localhost and 127.0.0.1 from an hour ago for so long. */
    public TestCertificates signs(String subject, Duration left) {
        return signs(subject, "localhost", left);
    }

    /** The same for another host than localhost. */
    public TestCertificates signs(String subject, String host, Duration left) {
        Instant now = Instant.now();
        return new TestCertificates(subject, this, ofHost(host), now.minus(Duration.ofHours(1)), now.plus(left));
    }

    /** Writes {@code NAME.pem}, with those that signed it but the last, and {@code NAME.key}. */
    public TlsFiles writeTo(Path directory, @Nullable Path authority) throws IOException {
        StringBuilder chain = new StringBuilder();
        for (TestCertificates each = this; each != null && each.issuer != null; each = each.issuer) {
            chain.append(each.pem());
        }
        Path file = Files.writeString(directory.resolve(name + ".pem"), issuer == null ? pem() : chain);
        Path key = Files.writeString(
                directory.resolve(name + ".key"),
                block("PRIVATE KEY", keys.getPrivate().getEncoded()));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        return new TlsFiles(file, key, authority);
    }

    /** Writes its own certificate alone. */
    public Path writeAlone(Path file) throws IOException {
        return Files.writeString(file, pem());
    }

    public String pem() {
        return block("CERTIFICATE", certificate);
    }

    private static String block(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                + "-----\n";
    }

    private static byte[] ofAuthority() {
        return extension(0x13, der(0x30, new byte[] {0x01, 0x01, (byte) 0xff}));
    }

    private static byte[] ofHost(String host) {
        byte[] name = der(0x82, host.getBytes(StandardCharsets.US_ASCII));
        byte[] loopback = host.equals("localhost") ? der(0x87, new byte[] {127, 0, 0, 1}) : new byte[0];
        return extension(0x11, der(0x30, name, loopback));
    }

    private byte[] signed(byte[] extension, Instant from, Instant to) {
        TestCertificates by = issuer == null ? this : issuer;
        byte[] body = der(
                0x30,
                der(0xa0, new byte[] {0x02, 0x01, 0x02}),
                der(0x02, BigInteger.valueOf(++serial).toByteArray()),
                ECDSA_WITH_SHA256,
                distinguished(by.name),
                der(0x30, time(from), time(to)),
                distinguished(name),
                keys.getPublic().getEncoded(),
                der(0xa3, der(0x30, extension)));
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(by.keys.getPrivate());
            signature.update(body);
            return der(0x30, body, ECDSA_WITH_SHA256, der(0x03, new byte[1], signature.sign()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] extension(int ofX509, byte[] value) {
        return der(0x30, new byte[] {0x06, 0x03, 0x55, 0x1d, (byte) ofX509}, der(0x04, value));
    }

    private static byte[] distinguished(String commonName) {
        byte[] text = der(0x0c, commonName.getBytes(StandardCharsets.UTF_8));
        return der(0x30, der(0x31, der(0x30, new byte[] {0x06, 0x03, 0x55, 0x04, 0x03}, text)));
    }

    private static byte[] time(Instant at) {
        return der(0x18, TIME.format(at).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (all.size() < 0x80) {
            out.write(all.size());
        } else {
            boolean isLong = all.size() > 0xff;
            out.write(isLong ? 0x82 : 0x81);
            if (isLong) {
                out.write(all.size() >> 8);
            }
            out.write(all.size());
        }
        out.writeBytes(all.toByteArray());
        return out.toByteArray();
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
