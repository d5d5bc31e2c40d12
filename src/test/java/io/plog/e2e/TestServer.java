package io.plog.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server in a process of its own, listening on ports that were free. */
final class TestServer implements AutoCloseable {
    final Plog process;
    final int port;
    final int adminPort;

    private TestServer(Plog process, Map<String, String> ready) {
        this.process = process;
        this.port = Integer.parseInt(ready.getOrDefault("port", "-1"));
        this.adminPort = Integer.parseInt(ready.getOrDefault("admin-port", "-1"));
    }

    /** Starts a server with these options and waits until it listens. */
    static TestServer start(Path directory, Object... options) throws IOException, InterruptedException {
        Path readyFile = Files.createTempFile(directory, "ready", "");
        Files.delete(readyFile);
        List<Object> args = new ArrayList<>(List.of("server", "--port", "0", "--ready-file", readyFile));
        args.addAll(List.of(options));
        Plog process = Plog.start(args.toArray());
        long deadline = System.nanoTime() + Plog.PATIENCE.toNanos();
        while (!Files.exists(readyFile)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                process.close();
                process.awaitExit();
                throw new AssertionError("the server did not get ready:\n" + process);
            }
            Thread.onSpinWait();
            Files.exists(directory);
        }
        return new TestServer(process, Plog.pairs(Files.readAllLines(readyFile)));
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    /** Ends it as a service manager does, and returns its exit code. */
    int stop() throws InterruptedException {
        process.terminate();
        return process.awaitExit();
    }

    @Override
    public void close() {
        process.close();
    }
}
