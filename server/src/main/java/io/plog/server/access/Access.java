package io.plog.server.access;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.plog.protocol.security.SecretFile;
import io.plog.protocol.security.SecurityFileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what, from a file with a line for each token or certificate:
 *
 * <pre>
 *   # RIGHTS[,RIGHTS...]   token SHA-256   or   subject NAME
 *   append:orders,read     token 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
 *   append:*,read,admin    subject CN=ops,O=Example
 * </pre>
 *
 * <p>Who shows a token and a certificate has the rights of both. Safe for any thread.
 */
public final class Access {
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-fA-F]{64}");
    private static final String APPEND = "append:";
    private static final byte[] NONE_SHOWN = {};

    private final @Nullable Path file;
    private final Set<String> targets;
    private volatile Loaded loaded;

    /** One line: of a token its hash, else the subject. */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a record
    private record Holder(
            byte @Nullable [] sha256, @Nullable X500Principal subject, Rights rights) {}

    private record Loaded(List<String> lines, List<Holder> holders) {}

    private Access(@Nullable Path file, Set<String> targets) throws IOException {
        this.file = file;
        this.targets = Set.copyOf(targets);
        this.loaded = file == null ? new Loaded(List.of(), List.of()) : load(file, SecretFile.lines(file));
    }

    /**
     * As a file says.
     *
     * @param file null for a server on which everybody may do everything
     * @param targets names of those there are
     * @throws SecurityFileException if the file is open to everybody on the machine, or a line is wrong
     * @throws IOException if it cannot be read
     */
    public static Access of(@Nullable Path file, Set<String> targets) throws IOException {
        return new Access(file, targets);
    }

    /** Reads the file again, and says whether it has changed. If it cannot be used, what was read before stays in use. */
    public synchronized boolean refresh() throws IOException {
        if (file == null) {
            return false;
        }
        List<String> lines = SecretFile.lines(file);
        if (lines.equals(loaded.lines)) {
            return false;
        }
        loaded = load(file, lines);
        return true;
    }

    /**
     * The rights of who is at the other end of a connection, {@link Rights#NONE} for a stranger. A token is compared with all that
     * are known, in a time that says nothing of them.
     *
     * @param token that was shown; null or empty if none was
     */
    public Rights of(Channel connection, @Nullable String token) {
        if (file == null) {
            return Rights.ALL;
        }
        byte[] shown = token == null || token.isEmpty() ? NONE_SHOWN : sha256(token);
        X500Principal subject = subject(connection);
        Rights all = Rights.NONE;
        for (Holder each : loaded.holders) {
            boolean holds = each.sha256 == null
                    ? each.subject != null && each.subject.equals(subject)
                    : MessageDigest.isEqual(each.sha256, shown);
            if (holds) {
                all = all.and(each.rights);
            }
        }
        return all;
    }

    /** Of the certificate that a client has shown and TLS has checked. */
    private static @Nullable X500Principal subject(Channel connection) {
        SslHandler tls = connection.pipeline().get(SslHandler.class);
        if (tls == null) {
            return null;
        }
        try {
            return (X500Principal) tls.engine().getSession().getPeerPrincipal();
        } catch (SSLPeerUnverifiedException e) {
            return null; // none was demanded
        }
    }

    private static byte[] sha256(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private Loaded load(Path from, List<String> lines) throws SecurityFileException {
        List<Holder> holders = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                holders.add(holder(from + ", line " + (i + 1) + ": ", line.split("\\s+", 3)));
            }
        }
        if (holders.isEmpty()) {
            throw new SecurityFileException(from
                    + " gives nobody a right: expected lines of RIGHTS token SHA-256, or RIGHTS" + " subject NAME");
        }
        return new Loaded(lines, holders);
    }

    private Holder holder(String where, String[] words) throws SecurityFileException {
        if (words.length == 3
                && words[1].equals("token")
                && SHA_256.matcher(words[2]).matches()) {
            return new Holder(HexFormat.of().parseHex(words[2]), null, rights(where, words[0]));
        }
        if (words.length == 3 && words[1].equals("subject")) {
            try {
                return new Holder(null, new X500Principal(words[2]), rights(where, words[0]));
            } catch (IllegalArgumentException e) {
                throw new SecurityFileException(
                        where + "a subject that is no name: expected one such as CN=ops,O=Example");
            }
        }
        // The line is not shown: it may hold a token.
        throw new SecurityFileException(
                where + "expected RIGHTS token SHA-256 (64 hex digits), or RIGHTS subject NAME");
    }

    private Rights rights(String where, String words) throws SecurityFileException {
        Set<String> appends = new HashSet<>();
        boolean reads = false;
        boolean administers = false;
        for (String word : words.split(",", -1)) {
            String target = word.startsWith(APPEND) ? word.substring(APPEND.length()) : null;
            if (target != null && (target.equals(Rights.EVERY_TARGET) || targets.contains(target))) {
                appends.add(target);
            } else if (target != null) {
                throw new SecurityFileException(
                        where + "there is no target '" + target + "': expected one of " + String.join(", ", targets));
            } else if (word.equals("read")) {
                reads = true;
            } else if (word.equals("admin")) {
                administers = true;
            } else {
                throw new SecurityFileException(
                        where + "unknown right: expected append:TARGET, append:*, read or admin");
            }
        }
        return new Rights(Set.copyOf(appends), reads, administers);
    }
}
