package io.plog.app.lab;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.SegmentOffset;
import io.plog.host.LogWriterProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plog lab damage}: what a disk does to a file, done by hand. */
@Command(
        name = "damage",
        description = {
            "Damages a file of a log by hand: flips the lowest bit of one byte, or with --copy writes bytes over others, as a disk"
                    + " leaves them of an earlier use or of a write that it did not end. There is no way back: damage a copy.",
            "Examples:",
            "  plog lab damage --at 4130 copy/00000000000000000001.seg",
            "  plog lab damage --at end --copy 4096,20 copy/00000000000000000001.seg"
        })
final class LabDamageCommand extends ConsoleCommand {
    @Parameters(paramLabel = "FILE", description = "The file.")
    private Path file;

    @Option(
            names = "--at",
            paramLabel = "OFFSET",
            required = true,
            description = "Where, in bytes, or end: where the segment's records end.")
    private String place;

    @Option(
            names = "--copy",
            paramLabel = "FROM,BYTES",
            split = ",",
            description = "Copies so many bytes there from another place of the file, instead of a flip.")
    private @Nullable List<Integer> copy;

    @Override
    protected ExitCode run() throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null && LogWriterProcess.of(directory).isPresent()) {
            throw new IOException("a server has the log in " + directory + " open: damage a copy, or stop it first");
        }
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is no file");
        }
        long offset = SegmentOffset.of(file, place);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            List<Integer> from = copy;
            long source = from == null ? offset : from.get(0);
            int count = from == null || from.size() != 2 ? 1 : from.get(1);
            if (source < 0 || count < 1 || Math.max(offset, source) + count > channel.size()) {
                throw new IllegalArgumentException("--at " + place + (from == null ? "" : " --copy " + from)
                        + " is not within the file, which has " + channel.size() + " bytes");
            }
            ByteBuffer bytes = ByteBuffer.allocate(count);
            channel.read(bytes, source);
            if (from == null) {
                bytes.put(0, (byte) (bytes.get(0) ^ 1));
            }
            channel.write(bytes.flip(), offset);
            out().println((from == null ? "flipped a bit" : "wrote " + count + " bytes of " + source) + " at " + offset
                    + " of " + file);
        }
        return ExitCode.DONE;
    }
}
