package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** Starts a server with these options, written as {@link Words#of} has them, and waits until it listens. */
    public static TestServer start(Path directory, String options, Object... values) throws Exception {
        return start(Map.of(), directory, options, values);
    }

    /** The same with more variables in its environment. */
    public static TestServer start(Map<String, String> environment, Path directory, String options, Object... values)
            throws Exception {
        return start((line, words) -> Plog.start(environment, line, words), directory, options, values);
    }

    /** Starts a process with these arguments. */
    public interface Starter {
        Plog start(String line, Object... values) throws IOException;
    }

    /** The same, started in another way. */
    public static TestServer start(Starter starter, Path directory, String options, Object... values) throws Exception {
        Path readyFile = Files.createTempFile(directory, "ready", "");
        Files.delete(readyFile);
        List<String> words = Words.of(options, values);
        String port = words.contains("--port") ? "" : "--port 0";
        Plog process = starter.start("server --ready-file %s " + port + " %s", readyFile, words);
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

    /** What its admin port answers to a GET of this path. */
    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return get(adminPort, path);
    }

    /** The same of any port of this machine. */
    public static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
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
