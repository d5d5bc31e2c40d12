package io.plog.server.http;

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

    HttpField(String label, boolean mayRepeat) {
        this.label = label;
        this.mayRepeat = mayRepeat;
    }

    /** The one of this name, in upper or lower case; null if it does not matter. */
    static @Nullable HttpField named(String name) {
        for (HttpField each : ALL) {
            if (each.label.equalsIgnoreCase(name)) {
                return each;
            }
        }
        return null;
    }
}
