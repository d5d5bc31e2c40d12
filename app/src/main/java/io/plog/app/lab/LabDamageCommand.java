package io.plog.app.lab;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.host.LogWriterProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plog lab damage}: what a disk does to a file, done by hand. */
@Command(
        name = "damage",
        description = {
            "Damages a file of a log by hand: flips the lowest bit of one byte. There is no way back: damage a copy.",
            "Example:",
            "  plog lab damage --at 4130 copy/00000000000000000001.seg"
        })
final class LabDamageCommand extends ConsoleCommand {
    @Parameters(paramLabel = "FILE", description = "The file.")
    private Path file;

    @Option(names = "--at", paramLabel = "OFFSET", required = true, description = "Where, in bytes.")
    private long offset;

    @Override
    protected ExitCode run() throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null && LogWriterProcess.of(directory).isPresent()) {
            throw new IOException("a server has the log in " + directory + " open: damage a copy, or stop it first");
        }
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is no file");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (offset < 0 || offset >= channel.size()) {
                throw new IllegalArgumentException(
                        "--at " + offset + " is not within the file, which has " + channel.size() + " bytes");
            }
            ByteBuffer bytes = ByteBuffer.allocate(1);
            channel.read(bytes, offset);
            bytes.put(0, (byte) (bytes.get(0) ^ 1)).position(0);
            channel.write(bytes, offset);
        }
        out().println("flipped a bit at " + offset + " of " + file);
        return ExitCode.DONE;
    }
}
