package io.plog.protocol.security;

import io.plog.protocol.Hello;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;

/** Files that only their owner and its group may read, since what they hold gives rights. */
public final class SecretFile {
    private static final int SHORTEST_TOKEN = 16;

    private SecretFile() {}

    /** The lines of a file; as {@link #text}. */
    public static List<String> lines(Path file) throws IOException {
        return text(file, StandardCharsets.UTF_8).lines().toList();
    }

    /**
     * What a file holds.
     *
     * @throws SecurityFileException if everybody may read or change it. Where files have no such permissions that is not looked at
     * @throws IOException if it cannot be read, or is no small file
     */
    static String text(Path file, Charset charset) throws IOException {
        String text = RegularFile.text(file, charset);
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view != null) {
            Set<PosixFilePermission> permissions = view.readAttributes().permissions();
            if (permissions.contains(PosixFilePermission.OTHERS_READ)
                    || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
                throw new SecurityFileException(
                        file + " is open to everybody on this machine: expected a file for its owner only; chmod 600 "
                                + file);
            }
        }
        return text;
    }

    /**
     * The token in a file, which is its only line.
     *
     * @throws SecurityFileException if it holds something else, or everybody may read it. The message shows nothing of the file
     * @throws IOException if it cannot be read
     */
    public static String token(Path file) throws IOException {
        List<String> lines = lines(file);
        if (lines.size() != 1) {
            throw new SecurityFileException(file + " has " + lines.size() + " lines: expected one, the token");
        }
        String token = lines.get(0);
        if (token.length() < SHORTEST_TOKEN
                || token.length() > Hello.MAX_TOKEN_BYTES
                || !token.chars().allMatch(each -> each > ' ' && each < 0x7F)) {
            throw new SecurityFileException(file + " holds no token: expected " + SHORTEST_TOKEN + " to "
                    + Hello.MAX_TOKEN_BYTES + " visible ASCII characters without a blank");
        }
        return token;
    }
}
