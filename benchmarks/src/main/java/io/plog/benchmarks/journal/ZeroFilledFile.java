package io.plog.benchmarks.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** An initialised file: every block written once, as zeros, and forced, so that no later write changes the file's metadata. */
public final class ZeroFilledFile {
    private ZeroFilledFile() {}

    /** Creates the file, or overwrites what is there, and forces it. */
    public static void create(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
            for (long at = 0; at < bytes; ) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
                at += channel.write(zeros, at);
            }
            channel.force(true);
        }
    }
}
