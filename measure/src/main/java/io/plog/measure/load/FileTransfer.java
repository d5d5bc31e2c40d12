package io.plog.measure.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** A worker's samples on their way to the coordinator: the length, pieces, and a CRC-32C over all. Stateless. */
final class FileTransfer {
    private FileTransfer() {}

    static void send(ControlConnection control, Path file) throws IOException {
        control.send(ControlConnection.FILE, Files.size(file));
        CRC32C crc = new CRC32C();
        byte[] piece = new byte[ControlConnection.PIECE_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int bytes = in.readNBytes(piece, 0, piece.length);
                    bytes > 0;
                    bytes = in.readNBytes(piece, 0, piece.length)) {
                crc.update(piece, 0, bytes);
                control.send(ControlConnection.PIECE, piece, bytes);
            }
        }
        control.send(ControlConnection.FILE_END, crc.getValue());
    }

    /**
     * Receives what {@link #send} sends after the message that told the length.
     *
     * @throws IOException if it is longer or shorter than that, or not what was sent; nothing is left of it
     */
    static void receive(ControlConnection control, long length, Path file) throws IOException {
        CRC32C crc = new CRC32C();
        long received = 0;
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (true) {
                ControlConnection.Message message = control.receive();
                if (message.type() == ControlConnection.PIECE && received + message.body().length <= length) {
                    crc.update(message.body());
                    received += message.body().length;
                    out.write(message.body());
                } else if (message.type() == ControlConnection.FILE_END
                        && received == length
                        && message.number() == crc.getValue()) {
                    return;
                } else if (message.type() != ControlConnection.PROGRESS) {
                    throw new IOException("its samples are not what it announced: " + received + " of " + length
                            + " bytes, then a message of type " + message.type());
                }
            }
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }
}
