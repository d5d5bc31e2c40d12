package io.plog.protocol.security;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Files that somebody names, looked at before they are opened: a pipe would block its reader for good, and a device would fill the
 * memory.
 */
public final class RegularFile {
    private static final int MOST_BYTES_OF_TEXT = 1 << 20;

    private RegularFile() {}

    /**
     * Looks at a file.
     *
     * @throws FileSystemException if it is no regular file, or longer
     * @throws IOException if it is not there, or cannot be looked at
     */
    public static void check(Path file, long mostBytes) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        if (!found.isRegularFile() || found.size() > mostBytes) {
            String why = found.isRegularFile()
                    ? "has " + found.size() + " bytes: expected at most " + mostBytes
                    : "is no regular file";
            throw new FileSystemException(file.toString(), null, why);
        }
    }

    /**
     * The text of a file, without a byte order mark.
     *
     * @throws FileSystemException if it is no regular file, or longer than {@value #MOST_BYTES_OF_TEXT} bytes
     * @throws IOException if it cannot be read, or is no text in that character set
     */
    public static String text(Path file, Charset charset) throws IOException {
        check(file, MOST_BYTES_OF_TEXT);
        try (InputStream in = Files.newInputStream(file)) {
            ByteBuffer bytes = ByteBuffer.wrap(in.readNBytes(MOST_BYTES_OF_TEXT));
            String text = charset.newDecoder().decode(bytes).toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        }
    }
}
