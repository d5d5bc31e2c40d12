package io.plog.server.http;

import org.jspecify.annotations.Nullable;

/**
 * What a request says before its body: the request line, and of the header fields those that matter here.
 *
 * <p>A connection's parser fills the same one for each request, so it must not be kept. Event loop only.
 */
public final class HttpHead {
    private static final String SCHEME = "http://";

    // Written by HttpHeadParser only.
    String method = "";
    String target = "";
    boolean oldVersion;

    @Nullable
    String host;

    @Nullable
    String origin;

    @Nullable
    String fetchSite;

    @Nullable
    String contentType;

    long contentLength;
    boolean chunked;
    boolean saysClose;
    boolean saysKeepAlive;
    boolean expectsContinue;
    boolean acceptsJson;
    boolean acceptsOpenMetrics;

    @Nullable
    String token;

    @Nullable
    String key;

    @Nullable
    String client;

    @Nullable
    String request;

    /** Who asks, and which of its requests this is; {@code null} if it does not say, so that it cannot ask again. */
    @Nullable
    RequestIdentity identity;

    /** As it came, in upper case for the methods of HTTP. */
    public String method() {
        return method;
    }

    /** The request target as it came. */
    String target() {
        return target;
    }

    /** The server that the request target itself names; {@code null} if it names none, as usual. */
    @Nullable
    String authority() {
        if (!target.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        int slash = target.indexOf('/', SCHEME.length());
        return target.substring(SCHEME.length(), slash < 0 ? target.length() : slash);
    }

    /** The path, with its query if there is one, also of a target that names its server. */
    public String path() {
        String authority = authority();
        if (authority == null) {
            return target;
        }
        String path = target.substring(SCHEME.length() + authority.length());
        return path.isEmpty() ? "/" : path;
    }

    /** Whom the caller believes to speak to; {@code null} if it does not say, as HTTP/1.0 allows. Mostly the same string again. */
    @Nullable
    String host() {
        return host;
    }

    /** Of a browser: the page that made it send this. */
    @Nullable
    String origin() {
        return origin;
    }

    /** Of a browser: how near that page is to this server. */
    @Nullable
    String fetchSite() {
        return fetchSite;
    }

    @Nullable
    String contentType() {
        return contentType;
    }

    /** By which the server may know the caller; null if it shows none. */
    public @Nullable String token() {
        return token;
    }

    /** Whether the client speaks HTTP/1.0. */
    public boolean isVersion10() {
        return oldVersion;
    }

    /** Bytes of the body as announced; -1 if they are not. */
    public long contentLength() {
        return contentLength;
    }

    boolean isChunked() {
        return chunked;
    }

    boolean hasBody() {
        return chunked || contentLength > 0;
    }

    /** Whether the connection ends after the answer. */
    public boolean closes() {
        return saysClose || (oldVersion && !saysKeepAlive);
    }

    /** Whether the client waits with its body until it is told to continue. */
    public boolean expectsContinue() {
        return expectsContinue && !oldVersion && hasBody();
    }

    boolean acceptsJson() {
        return acceptsJson;
    }

    /** Whether the Accept names OpenMetrics. */
    public boolean acceptsOpenMetrics() {
        return acceptsOpenMetrics;
    }

    @Nullable
    RequestIdentity identity() {
        return identity;
    }
}
