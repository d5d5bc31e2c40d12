package io.plog.server.http;

import io.plog.server.options.HostNames;
import java.net.InetAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps web pages away from an HTTP port. A browser lets any page send requests to a server on its own machine, and a page whose
 * name was made to point here ("DNS rebinding") may read the answers, too. What a page cannot change is what its browser says:
 *
 * <ul>
 *   <li>{@code Host}, the name that the caller believes to speak to. A rebound name is none of ours.
 *   <li>{@code Origin} and {@code Sec-Fetch-Site}, where the page came from. A page of this port is no stranger, all others are.
 *   <li>{@code Content-Type}: a form sends one of three. This holds for browsers that do not send the others.
 * </ul>
 *
 * <p>No answer ever has a header field of CORS, so a browser that asks before it sends is refused. Immutable; safe for any thread.
 */
public final class CallerCheck {
    /** At most this many characters of a header are quoted in a message. */
    private static final int MAX_QUOTED = 80;

    private static final Set<String> FORM_TYPES =
            Set.of("application/x-www-form-urlencoded", "multipart/form-data", "text/plain");

    private static final Pattern PORT = Pattern.compile("(:[0-9]{0,5})?");

    private static final Set<String> OWN_SITES = Set.of("none", "same-origin");

    private final Set<String> names = new HashSet<>();
    private final Set<InetAddress> addresses = new HashSet<>();
    private final boolean takesEveryAddress;
    private final boolean takesEveryName;

    /**
     * Of a port.
     *
     * @param bind the address or name that it listens on. If that is every address of the machine, {@code Host} may be any address,
     *     but no name: what a page's name points to can change, an address cannot
     * @param allowed further names and addresses
     * @param isSecure whether it has TLS: then every {@code Host} is taken, since the caller has compared the name with the certificate
     */
    public CallerCheck(String bind, Collection<String> allowed, boolean isSecure) {
        takesEveryName = isSecure;
        names.add("localhost");
        InetAddress bound = HostNames.addressOf(bind);
        takesEveryAddress = bound != null && bound.isAnyLocalAddress();
        add(bind);
        allowed.forEach(this::add);
    }

    private void add(String host) {
        InetAddress address = HostNames.addressOf(host);
        if (address == null) {
            names.add(normal(host));
        } else {
            addresses.add(address);
        }
    }

    /** Refuses a caller that is, or may be, a page of somebody else. */
    public void check(HttpHead head) throws HttpException {
        String host = head.value(HttpField.HOST);
        String origin = head.value(HttpField.ORIGIN);
        String site = head.value(HttpField.SEC_FETCH_SITE);
        checkHost(head.authority());
        checkHost(host);
        if (origin != null && !isOwn(origin, host)) {
            throw new HttpException(
                    HttpStatus.FORBIDDEN,
                    "the Origin is '" + quoted(origin)
                            + "', a page of somebody else: expected none, or one of this port");
        }
        if (site != null && !OWN_SITES.contains(site)) {
            throw new HttpException(
                    HttpStatus.FORBIDDEN,
                    "the Sec-Fetch-Site is '" + quoted(site)
                            + "', so a page of somebody else made the browser send this: expected none or same-origin");
        }
    }

    private void checkHost(@Nullable String host) throws HttpException {
        if (host != null && !isAllowed(host)) {
            throw new HttpException(
                    HttpStatus.MISDIRECTED_REQUEST,
                    "the Host is '" + quoted(host)
                            + "', and this server does not know that it is called so: expected localhost, the address it"
                            + " listens on, or a name given with --allow-host NAME");
        }
    }

    /** Whether a {@code Host} names this port. Its port number is not looked at: a tunnel may have another one. */
    private boolean isAllowed(String host) {
        String name = withoutPort(host);
        if (name == null) {
            return false;
        }
        if (takesEveryName) {
            return true;
        }
        InetAddress address = HostNames.addressOf(name);
        if (address == null) {
            return names.contains(normal(name));
        }
        return takesEveryAddress || address.isLoopbackAddress() || addresses.contains(address);
    }

    /** An origin is a scheme and what its page's own requests have as their {@code Host}. */
    private static boolean isOwn(String origin, @Nullable String host) {
        int colon = origin.indexOf("://");
        String scheme = colon < 0 ? "" : origin.substring(0, colon).toLowerCase(Locale.ROOT);
        return (scheme.equals("http") || scheme.equals("https"))
                && origin.substring(colon + 3).equalsIgnoreCase(host);
    }

    /** Whether an HTML form may have sent this. One that was sent without any type was not a form's. */
    public static boolean isLikeAForm(HttpHead head) {
        String type = head.value(HttpField.CONTENT_TYPE);
        if (type == null) {
            return false;
        }
        int end = type.indexOf(';');
        return FORM_TYPES.contains(
                (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT));
    }

    private static @Nullable String withoutPort(String host) {
        int end = host.startsWith("[") ? host.indexOf(']') + 1 : host.indexOf(':');
        String name = end < 0 ? host : host.substring(0, end);
        String port = host.substring(name.length());
        return PORT.matcher(port).matches() ? name : null;
    }

    /** A name as it is compared. */
    private static String normal(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    private static String quoted(String text) {
        return text.length() <= MAX_QUOTED ? text : text.substring(0, MAX_QUOTED) + "...";
    }
}
