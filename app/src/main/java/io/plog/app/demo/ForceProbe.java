package io.plog.app.demo;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A first impression of a disk: what a write and a force of an initialised file take. It only decides how many requests
 * fit into a short run; nothing that is reported comes from here.
 */
final class ForceProbe {
    private static final int ROUNDS = 21;

    private ForceProbe() {}

    /**
     * The median over a few rounds, in nanoseconds, of writing this many bytes and forcing them.
     *
     * @param directory where a file is created and deleted again
     */
    static long medianNanos(Path directory, int bytes) throws IOException {
        Path file = Files.createTempFile(directory, "probe", ".tmp");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
            for (int round = 0; round < ROUNDS; round++) {
                writeFully(channel, buffer, (long) round * bytes);
            }
            channel.force(true);
            long[] nanos = new long[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                writeFully(channel, buffer, (long) round * bytes);
                channel.force(false);
                nanos[round] = System.nanoTime() - start;
            }
            Arrays.sort(nanos);
            return nanos[ROUNDS / 2];
        } finally {
            Files.delete(file);
        }
    }

    private static void writeFully(FileChannel channel, ByteBuffer buffer, long position) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            channel.write(buffer, position + buffer.position());
        }
    }
}
