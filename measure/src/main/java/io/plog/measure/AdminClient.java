package io.plog.measure;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plog.client.ClientOptions;
import io.plog.host.events.Recorded;
import io.plog.measure.samples.SampleFormat;
import io.plog.protocol.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server's admin port. By {@link HttpURLConnection}, since it asks on the caller's own thread: that makes round
 * trips short, which is what the clock's uncertainty depends on, and leaves no threads next to the measurement.
 */
public final class AdminClient {
    private static final int CONNECT_MILLIS = 2_000;

    /** The server may have to begin to record. */
    private static final int ANSWER_MILLIS = 15_000;

    private static final int EXCHANGES = 24;

    /** Far more than a plog server sends; a longer answer comes from something else. */
    private static final int MOST_BYTES = 64 << 20;

    private final String host;
    private final int port;

    private final String token;
    private final @Nullable SSLSocketFactory secure; // one for all requests, or each would make a connection

    /**
     * Asks by address: a server need not know by which names it is called, and refuses those that it does not know. With TLS by name,
     * which is that of the certificate.
     *
     * @param port resolved
     * @param options whether to use TLS, and the token
     */
    public AdminClient(InetSocketAddress port, ClientOptions options) {
        this.host = options.tls() == null ? port.getAddress().getHostAddress() : port.getHostString();
        this.port = port.getPort();
        this.token = options.token();
        this.secure = options.tls() == null ? null : options.tls().context().getSocketFactory();
    }

    /** What the server recorded since that time of its own clock. */
    Recorded events(long sinceNanos) throws IOException {
        byte[] answer = get("/events?since=" + sinceNanos);
        try {
            return SampleFormat.JSON.readValue(answer, Recorded.class);
        } catch (JsonProcessingException e) {
            throw new IOException("its /events answered something else than events, " + answer.length + " bytes", e);
        }
    }

    /**
     * What the server has counted so far, as the JSON that {@code docs/monitoring.md} describes.
     *
     * @throws IOException if it does not answer, or with something else than 200
     */
    public byte[] counters() throws IOException {
        return get("/counters");
    }

    /** How far the server's clock is ahead. */
    ClockOffset clock() throws IOException {
        ClockOffset best = exchange();
        for (int i = 1; i < EXCHANGES; i++) {
            best = ClockOffset.better(best, exchange());
        }
        return best;
    }

    private ClockOffset exchange() throws IOException {
        long sent = System.nanoTime();
        byte[] answer = get("/clock");
        long received = System.nanoTime();
        String text = new String(answer, StandardCharsets.US_ASCII).strip();
        try {
            return ClockOffset.of(sent, Long.parseLong(text), received);
        } catch (NumberFormatException e) {
            throw new IOException(
                    "its /clock answered '" + Printable.of(text) + "', expected a number of nanoseconds", e);
        }
    }

    private byte[] get(String path) throws IOException {
        URL url = new URL(secure == null ? "http" : "https", host, port, path);
        HttpURLConnection connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
        if (connection instanceof HttpsURLConnection https) {
            https.setSSLSocketFactory(secure);
        }
        if (!token.isEmpty()) {
            connection.setRequestProperty("Authorization", "Bearer " + token);
        }
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(ANSWER_MILLIS);
        connection.setUseCaches(false);
        Deadline deadline = new Deadline(CONNECT_MILLIS + ANSWER_MILLIS, connection::disconnect);
        try (deadline) {
            return read(connection, path);
        }
    }

    private static byte[] read(HttpURLConnection connection, String path) throws IOException {
        int status = connection.getResponseCode();
        if (status != HttpURLConnection.HTTP_OK) {
            connection.disconnect();
            throw new IOException("its " + path + " answered with status " + status);
        }
        try (InputStream in = connection.getInputStream()) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException("its " + path + " answered with more than " + MOST_BYTES + " bytes");
            }
            return bytes;
        }
    }
}
