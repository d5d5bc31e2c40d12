package io.plog.server.http;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The header fields of requests that matter here. */
enum HttpField {
    HOST("Host", false),
    ORIGIN("Origin", false),
    SEC_FETCH_SITE("Sec-Fetch-Site", false),
    CONTENT_TYPE("Content-Type", false),
    CONTENT_LENGTH("Content-Length", false),
    TRANSFER_ENCODING("Transfer-Encoding", false),
    CONNECTION("Connection", true),
    EXPECT("Expect", true),
    ACCEPT("Accept", true),
    AUTHORIZATION("Authorization", false),
    IDEMPOTENCY_KEY("Idempotency-Key", false),
    PLOG_CLIENT("Plog-Client", false),
    PLOG_REQUEST("Plog-Request", false);

    private static final HttpField[] ALL = values();

    final String label;
    final boolean mayRepeat;

    @SuppressWarnings("ImmutableEnumChecker") // never changed
    private final byte[] name;

    HttpField(String label, boolean mayRepeat) {
        this.label = label;
        this.mayRepeat = mayRepeat;
        this.name = label.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
    }

    /** The one whose name, in lower case, ends here in the line; null if it does not matter. */
    static @Nullable HttpField named(byte[] line, int end) {
        for (HttpField each : ALL) {
            if (HttpSyntax.equals(line, 0, end, each.name)) {
                return each;
            }
        }
        return null;
    }
}
