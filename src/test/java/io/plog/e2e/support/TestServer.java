package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server in a process of its own, listening on ports that were free unless the test names one. */
public final class TestServer implements AutoCloseable {
    public final Plog process;
    public final int port;
    public final int adminPort;
    public final int httpPort;

    private TestServer(Plog process, Map<String, String> ready) {
        this.process = process;
        this.port = Integer.parseInt(ready.getOrDefault("port", "-1"));
        this.adminPort = Integer.parseInt(ready.getOrDefault("admin-port", "-1"));
        this.httpPort = Integer.parseInt(ready.getOrDefault("http-port", "-1"));
    }

    /** Starts a server with these options and waits until it listens. */
    public static TestServer start(Path directory, Object... options) throws Exception {
        return start(Map.of(), directory, options);
    }

    /** The same with more variables in its environment. */
    public static TestServer start(Map<String, String> environment, Path directory, Object... options)
            throws Exception {
        return start(args -> Plog.start(environment, args), directory, options);
    }

    /** Starts a process with these arguments. */
    public interface Starter {
        Plog start(Object... args) throws IOException;
    }

    /** The same, started in another way. */
    public static TestServer start(Starter starter, Path directory, Object... options) throws Exception {
        Path readyFile = Files.createTempFile(directory, "ready", "");
        Files.delete(readyFile);
        List<Object> args = new ArrayList<>(List.of("server", "--ready-file", readyFile));
        if (!List.of(options).contains("--port")) {
            args.addAll(List.of("--port", "0"));
        }
        args.addAll(List.of(options));
        Plog process = starter.start(args.toArray());
        try {
            Await.until("the server is ready", () -> Files.exists(readyFile) || !process.isAlive());
            assertThat(process.isAlive()).as("the server runs:\n%s", process).isTrue();
            process.awaitErr(line -> line.startsWith("listening on ")); // what it said before has been read, too
        } catch (Exception | AssertionError e) {
            process.close();
            throw e;
        }
        return new TestServer(process, Plog.pairs(Files.readAllLines(readyFile)));
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Ends it as a service manager does, and returns its exit code. */
    public int stop() throws InterruptedException {
        process.terminate();
        return process.awaitExit();
    }

    @Override
    public void close() {
        process.close();
    }
}
