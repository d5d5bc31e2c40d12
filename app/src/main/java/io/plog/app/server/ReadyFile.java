package io.plog.app.server;

import io.plog.server.PlogServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The file by which a script learns that the server listens, and at which ports. Stateless. */
final class ReadyFile {
    private ReadyFile() {}

    /** Writes the ports and the process number, a line each. The file appears whole or not at all. */
    static void write(PlogServer server, Path file) throws IOException {
        Path absolute = file.toAbsolutePath();
        Path temporary = absolute.resolveSibling(absolute.getFileName() + ".tmp");
        Files.writeString(
                temporary,
                "port=" + server.address().getPort() + "\nadmin-port=" + server.adminPort() + "\nhttp-port="
                        + server.httpPort() + "\npid=" + ProcessHandle.current().pid() + "\n");
        Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
