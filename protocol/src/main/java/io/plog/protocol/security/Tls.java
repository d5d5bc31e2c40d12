package io.plog.protocol.security;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * One side of TLS 1.3, and no other version: makes the secure end of each connection from what its files hold. A server with an
 * authority takes only clients that show a certificate of it; a client checks the server's certificate and its name.
 *
 * <p>{@link #refresh} reads the files again. What it finds is for new connections; those that are open keep what they have.
 *
 * <p>Safe for any thread.
 */
public final class Tls {
    private static final String VERSION = "TLSv1.3";

    /** Which version it is, and whose work. */
    public static final String DESCRIPTION = VERSION + " by the JDK";

    /**
     * Computes the handshakes of servers, some milliseconds each: an event loop would keep all its connections waiting meanwhile.
     */
    static final Executor HANDSHAKES = new ThreadPoolExecutor(
            0, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new DefaultThreadFactory("plog-tls", true));

    /** Of the client of this thread's loop that began last. */
    private static final ThreadLocal<CompletableFuture<@Nullable Void>> LAST =
            ThreadLocal.withInitial(() -> CompletableFuture.completedFuture(null));

    private final TlsFiles files;
    private final boolean isServer;
    private final Clock clock;
    private volatile Loaded loaded;

    /** What the files held; the warning says what is strange about it, and may be right. */
    private record Loaded(
            List<String> contents,
            JdkSslContext context,
            @Nullable X509Certificate certificate,
            String warning) {}

    private Tls(TlsFiles files, boolean isServer, Clock clock) throws IOException {
        this.files = files;
        this.isServer = isServer;
        this.clock = clock;
        this.loaded = load(read());
    }

    /**
     * Of a server.
     *
     * @param files with a certificate
     * @param clock decides whether it has expired
     * @throws SecurityFileException if the certificate has expired or is not that of the key, or everybody may read the key
     * @throws IOException if a file cannot be read
     */
    public static Tls ofServer(TlsFiles files, Clock clock) throws IOException {
        if (files.certificate() == null) {
            throw new IllegalArgumentException("a server needs --tls-cert and --tls-key");
        }
        return new Tls(files, true, clock);
    }

    /**
     * Of a client; the files may all be left out.
     *
     * @throws SecurityFileException as of a server
     * @throws IOException if a file cannot be read
     */
    public static Tls ofClient(TlsFiles files) throws IOException {
        return new Tls(files, false, Clock.systemUTC());
    }

    /**
     * Reads the files again. If they cannot be used, what was read before stays in use.
     *
     * @return whether they have changed
     * @throws SecurityFileException if a file has changed, and cannot be used
     * @throws IOException if a file cannot be read
     */
    public synchronized boolean refresh() throws IOException {
        List<String> contents = read();
        if (contents.equals(loaded.contents)) {
            return false;
        }
        loaded = load(contents);
        return true;
    }

    /** When the own certificate ends; {@link Instant#MAX} without one. */
    public Instant end() {
        X509Certificate own = loaded.certificate;
        return own == null ? Instant.MAX : own.getNotAfter().toInstant();
    }

    /** What may keep others from trusting the own certificate, in a sentence; empty if nothing does that is known here. */
    public String warning() {
        return loaded.warning;
    }

    /** Whether it shows only what its authority signed: the other side is known by its certificate. */
    public boolean demandsCertificate() {
        return isServer && files.authority() != null;
    }

    /** The secure end of a connection that a server has accepted. */
    public SslHandler handler(ByteBufAllocator allocator) {
        return loaded.context.newHandler(allocator, HANDSHAKES);
    }

    /**
     * Lets one client of an event loop after the other begin: a loop that is sent a thousand greetings at once serves its connections
     * in between. To be called on that loop. Loops do not wait for each other, since one may stand still.
     *
     * @param greeting passes what the client sent to its handler; runs on the loop, when the handshakes that began before are computed
     */
    public static void inTurn(Executor loop, Runnable greeting) {
        LAST.set(LAST.get().thenRunAsync(greeting, loop).handleAsync((done, failed) -> null, HANDSHAKES));
    }

    /** The secure end of a client's connection to this server. */
    public SslHandler handler(ByteBufAllocator allocator, String host, int port) {
        return loaded.context.newHandler(allocator, host, port);
    }

    /** For what makes its own sockets. */
    public SSLContext context() {
        return loaded.context.context();
    }

    /**
     * Shakes hands over a socket that blocks.
     *
     * @param plain connected; a timeout of its reads applies
     * @param host as the server's certificate must name it
     * @throws SSLException if the sides do not agree, or the certificate is not right
     */
    public SSLSocket secure(Socket plain, String host, int port) throws IOException {
        SSLSocket socket = (SSLSocket) context().getSocketFactory().createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(new String[] {VERSION});
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** The contents of certificate, key and authority; empty where there is no file. */
    private List<String> read() throws IOException {
        Path key = files.key();
        return List.of(
                read(files.certificate()),
                key == null ? "" : SecretFile.text(key, StandardCharsets.ISO_8859_1),
                read(files.authority()));
    }

    private static String read(@Nullable Path file) throws IOException {
        return file == null ? "" : RegularFile.text(file, StandardCharsets.ISO_8859_1);
    }

    private Loaded load(List<String> contents) throws IOException {
        Path authority = files.authority();
        List<X509Certificate> authorities = authority == null ? List.of() : Pem.authorities(authority, contents.get(2));
        Path certificate = files.certificate();
        Path keyFile = files.key();
        List<X509Certificate> chain = List.of();
        PrivateKey key = null;
        String warning = "";
        if (certificate != null && keyFile != null) {
            chain = Pem.certificates(certificate, contents.get(0));
            key = Pem.key(keyFile, contents.get(1));
            Pem.checkKey(certificate, chain.get(0), keyFile, key);
            Pem.checkTime(certificate, chain.get(0), clock.instant());
            Pem.checkChain(certificate, chain);
            // Reading all that the JDK trusts takes a while, and is seldom needed.
            warning = Pem.isComplete(chain, authorities) || Pem.isComplete(chain, knownToTheJdk())
                    ? ""
                    : Pem.incomplete(certificate, chain);
        }
        return new Loaded(contents, build(authorities, chain, key), chain.isEmpty() ? null : chain.get(0), warning);
    }

    private JdkSslContext build(
            List<X509Certificate> authorities, List<X509Certificate> chain, @Nullable PrivateKey key)
            throws SSLException {
        X509Certificate[] own = chain.toArray(X509Certificate[]::new);
        SslContextBuilder builder = isServer ? SslContextBuilder.forServer(key, own) : SslContextBuilder.forClient();
        if (!isServer && key != null) {
            builder.keyManager(key, own);
        }
        if (!authorities.isEmpty()) {
            builder.trustManager(authorities.toArray(X509Certificate[]::new));
        }
        return (JdkSslContext) builder.sslProvider(SslProvider.JDK)
                .protocols(VERSION)
                .clientAuth(demandsCertificate() ? ClientAuth.REQUIRE : ClientAuth.NONE)
                .build();
    }

    private static List<X509Certificate> knownToTheJdk() throws IOException {
        try {
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init((KeyStore) null);
            return List.of(((X509TrustManager) trusted.getTrustManagers()[0]).getAcceptedIssuers());
        } catch (GeneralSecurityException e) {
            throw new SecurityFileException(
                    "the certificates that the JDK trusts cannot be read: " + e.getMessage(), e);
        }
    }
}
