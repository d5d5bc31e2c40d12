package io.plog.measure;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plog.client.ClientOptions;
import io.plog.host.events.Recorded;
import io.plog.measure.samples.SampleFormat;
import io.plog.protocol.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
     * @param options whether to use TLS, and the token
     */
    public AdminClient(String host, int port, ClientOptions options) {
        this.host = options.tls() == null ? address(host) : host;
        this.port = port;
        this.token = options.token();
        this.secure = options.tls() == null ? null : options.tls().context().getSocketFactory();
    }

    private static String address(String host) {
        try {
            String address = InetAddress.getByName(host).getHostAddress();
            int zone = address.indexOf('%');
            return zone < 0 ? address : address.substring(0, zone);
        } catch (UnknownHostException e) {
            return host; // the first request says so
        }
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
        URL url = URI.create((secure == null ? "http://" : "https://") + (host.contains(":") ? "[" + host + "]" : host)
                        + ":" + port + path)
                .toURL();
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        if (connection instanceof HttpsURLConnection https) {
            https.setSSLSocketFactory(secure);
        }
        if (!token.isEmpty()) {
            connection.setRequestProperty("Authorization", "Bearer " + token);
        }
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(ANSWER_MILLIS);
        connection.setUseCaches(false);
        AtomicBoolean answered = new AtomicBoolean();
        CompletableFuture.delayedExecutor(CONNECT_MILLIS + ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                .execute(() -> {
                    // The timeout of a socket is for each read: a server that sends byte by byte makes each of many
                    // last so long.
                    if (!answered.get()) {
                        connection.disconnect();
                    }
                });
        try {
            return read(connection, path);
        } finally {
            answered.set(true);
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
