package io.plog.app.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plog.app.cli.JsonText;
import io.plog.protocol.security.RegularFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Who a record of a lab is of: a student, whose public key the key of a course has signed; or a course. Ed25519, all in Base64.
 *
 * @param name of the student or the course
 * @param course the public key of the course
 * @param publicKey theirs
 * @param certificate the course's signature of {@link #certified}
 * @param privateKey null where only the others are known
 */
record LabKey(
        String name,
        String course,
        String publicKey,
        String certificate,
        @Nullable String privateKey) {
    static final String FILE = "student.key";
    private static final String ALGORITHM = "Ed25519";
    private static final String NO_KEY = " is no key that plog lab new-course made";

    /** The key of a new course. */
    static LabKey course(String name) {
        return pair(name, null);
    }

    /** A key for one of its students. */
    LabKey student(String student) {
        return pair(student, this);
    }

    private static LabKey pair(String name, @Nullable LabKey signer) {
        try {
            KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
            String shown = text(pair.getPublic().getEncoded());
            String course = signer == null ? shown : signer.publicKey;
            LabKey own =
                    new LabKey(name, course, shown, "", text(pair.getPrivate().getEncoded()));
            String certificate = (signer == null ? own : signer).sign(own.certified());
            return new LabKey(name, course, shown, certificate, own.privateKey);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    /** Without what only its owner may know. */
    LabKey shown() {
        return new LabKey(name, course, publicKey, certificate, null);
    }

    /** The key in a folder or in one above it; null if there is none. */
    static @Nullable LabKey of(Path folder) throws IOException {
        for (Path each = folder.toAbsolutePath().normalize(); each != null; each = each.getParent()) {
            if (Files.exists(each.resolve(FILE))) {
                return read(each.resolve(FILE));
            }
        }
        return null;
    }

    static LabKey read(Path file) throws IOException {
        try {
            LabKey key = JsonText.read(RegularFile.text(file, StandardCharsets.UTF_8), LabKey.class);
            if (key.privateKey != null && key.isCertified()) {
                return key;
            }
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new IOException(file + NO_KEY, e);
        }
        throw new IOException(file + NO_KEY);
    }

    /** Whether its course has signed it. */
    boolean isCertified() {
        return isSigned(certified(), certificate, course);
    }

    private String certified() {
        return name + "\n" + publicKey;
    }

    /** A signature of a text with this key. */
    String sign(String text) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(
                    KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(bytes(privateKey))));
            signature.update(text.getBytes(StandardCharsets.UTF_8));
            return text(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the private key of " + name + " is none", e);
        }
    }

    /** Whether this key signed it. */
    boolean signed(String text, String signature) {
        return isSigned(text, signature, publicKey);
    }

    private static boolean isSigned(String text, String signature, String publicKey) {
        try {
            Signature known = Signature.getInstance(ALGORITHM);
            known.initVerify(
                    KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(bytes(publicKey))));
            known.update(text.getBytes(StandardCharsets.UTF_8));
            return known.verify(bytes(signature));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return false;
        }
    }

    private static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] bytes(@Nullable String text) {
        return Base64.getDecoder().decode(text == null ? "" : text);
    }
}
