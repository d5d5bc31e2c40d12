package io.plog.measure;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.plog.client.ClientOptions;
import io.plog.client.Credentials;
import io.plog.measure.samples.ForceLabel;
import io.plog.protocol.Frame;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import io.plog.protocol.security.TlsFiles;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Any service that is measured over HTTP/1.1, by its URL. It stands for a server with one target, of which nothing else is known.
 * Connections to it carry one request at a time: a POST with the payload as its body, or a GET if there is no payload.
 *
 * @param address where it listens
 * @param secure whether it is spoken to with TLS
 * @param path and query, as in the request line
 */
public record HttpService(HostPort address, boolean secure, String path) {
    /** The name of its target. */
    public static final String TARGET = "http";

    private static final int TARGET_ID = 0;
    /** No server that works is silent for so long. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int LONGEST_URL = 4_096;

    /**
     * Reads a URL.
     *
     * @return null for the address of a plog server, which has no scheme
     * @throws IllegalArgumentException if it is a URL, but not of HTTP, or has what a request does not carry
     */
    public static @Nullable HttpService of(String text) {
        if (!text.contains("://")) {
            return null;
        }
        try {
            URI url = new URI(text);
            boolean secure = "https".equalsIgnoreCase(url.getScheme());
            if (!secure && !"http".equalsIgnoreCase(url.getScheme())) {
                throw malformed(text, "its scheme is " + url.getScheme());
            }
            // Not its host, which a URI has only if that keeps the rules for names: "_" and letters beyond ASCII do
            // not.
            String address = url.getRawAuthority();
            if (address == null || address.indexOf('@') >= 0 || url.getRawFragment() != null) {
                throw malformed(text, address == null ? "it has no host" : "it has a user or a fragment");
            }
            String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
            if (text.length() > LONGEST_URL) {
                throw malformed(text, "it is longer than " + LONGEST_URL + " characters");
            }
            return new HttpService(
                    HostPort.parse(address, secure ? 443 : 80),
                    secure,
                    new URI(url.getRawQuery() == null ? path : path + "?" + url.getRawQuery()).toASCIIString());
        } catch (URISyntaxException e) {
            throw malformed(text, e.getReason());
        }
    }

    private static IllegalArgumentException malformed(String text, String why) {
        return new IllegalArgumentException("--server is '" + text + "', and " + why
                + ": expected http://HOST:PORT/PATH, https://HOST:PORT/PATH, or HOST:PORT of a plog server");
    }

    @Override
    public String toString() {
        return (secure ? "https://" : "http://") + address + path;
    }

    /**
     * How to connect to it: with TLS, if the URL says so.
     *
     * @throws IllegalArgumentException if options say so, and the URL does not
     */
    public Credentials with(Credentials asked) {
        if (!secure && asked.tls() != null) {
            throw new IllegalArgumentException(
                    "--server is '" + this + "', with an option of TLS: write https://, or leave the option out");
        }
        return secure && asked.tls() == null
                ? new Credentials(new TlsFiles(null, null, null), asked.tokenFile())
                : asked;
    }

    /** What a server with its one target would say of itself. */
    public Welcome welcome() {
        TargetDescription target =
                new TargetDescription(TARGET_ID, TARGET, ForceLabel.UNKNOWN.text(), Map.of("service", TARGET));
        return new Welcome(Frame.MAX_PAYLOAD_BYTES, 1, Map.of(), List.of(target));
    }

    private String head(String method, ClientOptions options) {
        String token = options.token();
        return method + " " + path + " HTTP/1.1\r\nHost: " + address + "\r\n"
                + (token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n");
    }

    /** The beginnings of its requests. */
    public Heads heads(ClientOptions options) {
        return new Heads(
                head("GET", options) + "\r\n",
                head("POST", options) + "Content-Type: application/octet-stream\r\nContent-Length: ");
    }

    /** Beginnings of requests. */
    public record Heads(String get, String post) {
        /** Writes what stands before the payload. */
        public void write(ByteBuf to, int payloadBytes) {
            if (payloadBytes == 0) {
                ByteBufUtil.writeAscii(to, get);
                return;
            }
            ByteBufUtil.writeAscii(to, post);
            ByteBufUtil.writeAscii(to, Integer.toString(payloadBytes));
            ByteBufUtil.writeAscii(to, "\r\n\r\n");
        }
    }

    /**
     * Sends one request, to know what it is answered with. One that the service has no time for is sent again, when the service
     * wants it.
     *
     * @throws IOException if there is no answer, or the service has no time within 30 s
     * @throws PlanException if the answer is a redirection or a refusal, with what it says
     */
    public void probe(MeasuringConnection connection, int payloadBytes) throws IOException, PlanException {
        connection.prepare(TARGET_ID, payloadBytes, 0);
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (int number = 1; ; number++) {
            connection.exchange(number, PATIENCE);
            int status = ReplyHeader.status(connection.reply());
            String answer = this + " answers " + (payloadBytes == 0 ? "a GET" : "a POST of " + payloadBytes + " bytes")
                    + " with " + ReplyHeader.sentence(connection.reply());
            if (status == Status.OK.code()) {
                return;
            } else if (status != Status.OVERLOADED.code()) {
                throw new PlanException(
                        answer + (payloadBytes == 0 ? "" : " (a request without payload, of size 0, is a GET)"));
            }
            Duration pause = connection.retryAfter();
            if (System.nanoTime() + pause.toNanos() > end) {
                throw new IOException(
                        answer + ", and wants the next request in " + pause.toSeconds() + " s: try again then");
            }
            LockSupport.parkNanos(pause.toNanos());
        }
    }
}
