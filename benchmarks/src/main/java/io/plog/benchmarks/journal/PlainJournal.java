package io.plog.benchmarks.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * A plain loop on a file filled with zeros: no checksum, no format, no second file. What a log in Java can hope for. At the
 * end of the file it begins again.
 */
final class PlainJournal extends GroupedJournal {
    private static final int BLOCK = 4096;

    private final FileChannel channel;
    private final long fileBytes;
    private final boolean direct;
    private final ByteBuffer[] gathered;
    private final ByteBuffer aligned;

    /** @param direct whether to write with {@code O_DIRECT} and {@code O_DSYNC} instead of a write and a data force */
    PlainJournal(Workload workload, boolean direct) throws IOException {
        super(workload.outstanding());
        this.direct = direct;
        long group = (long) workload.outstanding() * workload.payloadBytes() + BLOCK;
        fileBytes = Workload.RESERVE_BYTES;
        Path file = workload.directory().resolve("plain");
        ZeroFilledFile.create(file, fileBytes);
        Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.WRITE));
        if (direct) {
            options.add(directOption());
            options.add(StandardOpenOption.DSYNC);
        }
        channel = FileChannel.open(file, options);
        gathered = new ByteBuffer[workload.outstanding()];
        aligned = ByteBuffer.allocateDirect(direct ? (int) group + 2 * BLOCK : 2 * BLOCK)
                .alignedSlice(BLOCK);
    }

    /** Looked up at run time: newer compilers warn of each mention of the class. */
    private static OpenOption directOption() throws IOException {
        try {
            for (Object option :
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
                if (option.toString().equals("DIRECT")) {
                    return (OpenOption) option;
                }
            }
        } catch (ClassNotFoundException e) {
            throw new IOException("this JDK cannot open files with O_DIRECT", e);
        }
        throw new IOException("this JDK cannot open files with O_DIRECT");
    }

    @Override
    public void appendAndWait(ByteBuffer payload) throws IOException {
        if (direct) {
            aligned.clear().put(payload);
            writeAligned();
        } else {
            beginAgainUnless(payload.remaining());
            while (payload.hasRemaining()) {
                channel.write(payload);
            }
            channel.force(false);
        }
    }

    @Override
    void writeAndForce(Pending[] group, int count) throws IOException {
        if (direct) {
            aligned.clear();
            for (int i = 0; i < count; i++) {
                aligned.put(group[i].payload());
            }
            writeAligned();
            return;
        }
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            gathered[i] = group[i].payload();
            bytes += gathered[i].remaining();
        }
        beginAgainUnless(bytes);
        while (bytes > 0) {
            bytes -= channel.write(gathered, 0, count);
        }
        channel.force(false);
    }

    private void writeAligned() throws IOException {
        aligned.flip().limit((aligned.limit() + BLOCK - 1) & -BLOCK);
        beginAgainUnless(aligned.remaining());
        while (aligned.hasRemaining()) {
            channel.write(aligned);
        }
    }

    /** Goes back to the beginning of the file unless this many bytes fit before its end. */
    private void beginAgainUnless(long bytes) throws IOException {
        if (channel.position() + bytes > fileBytes) {
            channel.position(0);
        }
    }

    @Override
    void closeFiles() throws IOException {
        channel.close();
    }
}
