package io.plog.server.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** HTTP/1.1 by hand on a plain blocking socket, so that tests send exactly the bytes that they mean. */
public final class HttpTestClient implements Closeable {
    /** The body's bytes are the characters of {@code body}. */
    public record Response(int status, Map<String, String> headers, String body) {
        public String text() {
            return new String(bytes(body), StandardCharsets.UTF_8);
        }

        public String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }

    private final Socket socket = new Socket();
    private final InputStream in;

    public HttpTestClient(int port) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new BufferedInputStream(socket.getInputStream());
    }

    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Text with bytes 0 to 255 as its characters. */
    public void send(String text) throws IOException {
        send(bytes(text));
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** One request, on a connection of its own. */
    public static Response ask(int port, String request) throws IOException {
        try (HttpTestClient client = new HttpTestClient(port)) {
            client.send(request);
            return client.read();
        }
    }

    public static String get(String path, String... fields) {
        return head("GET " + path, fields) + "\r\n";
    }

    private static String head(String beginning, String... fields) {
        return beginning + " HTTP/1.1\r\nHost: localhost\r\n"
                + String.join("", Stream.of(fields).map(field -> field + "\r\n").toList());
    }

    /** A request as most clients send it. */
    public static String post(String path, String body, String... fields) {
        return head("POST " + path, fields) + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    public static String inverted(String text) {
        byte[] bytes = bytes(text);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ~bytes[i];
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    public Response read() throws IOException {
        return read(true);
    }

    /** The next response, without a body if it is one to a HEAD. */
    public Response read(boolean withBody) throws IOException {
        String line = line();
        int status = Integer.parseInt(line.substring("HTTP/1.1 ".length(), "HTTP/1.1 ".length() + 3));
        Map<String, String> headers = new LinkedHashMap<>();
        for (String field = line(); !field.isEmpty(); field = line()) {
            int colon = field.indexOf(':');
            headers.put(
                    field.substring(0, colon).toLowerCase(Locale.ROOT),
                    field.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        byte[] body = withBody ? in.readNBytes(length) : new byte[0];
        if (withBody && body.length < length) {
            throw new EOFException("a body of " + body.length + " bytes: expected " + length);
        }
        return new Response(status, headers, new String(body, StandardCharsets.ISO_8859_1));
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection ended after '" + line + "'");
            }
            line.write(b);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.substring(0, text.length() - 1);
    }

    public int available() throws IOException {
        return in.available();
    }

    /** Waits until the server closed the connection, and says whether nothing came before. */
    public boolean isAtEnd() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
