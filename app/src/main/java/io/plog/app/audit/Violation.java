package io.plog.app.audit;

import org.jspecify.annotations.Nullable;

/**
 * One difference between a log and what its clients were given.
 *
 * @param kind which way
 * @param client the client's id; with {@code request} the name of what was acknowledged. 0 for a gap
 * @param request the client's number for the request; 0 for a gap
 * @param acknowledged the place and content that the client was given; null for a gap
 * @param found the place and content found instead, if any
 */
record Violation(
        Kind kind,
        long client,
        long request,
        @Nullable Place acknowledged,
        @Nullable Place found) {
    /** The kinds, in the order in which they are reported. */
    enum Kind {
        /** Acknowledged, and not in the log. */
        LOST("lost"),
        /** Acknowledged, and where the log is damaged, or behind that. */
        BEHIND_DAMAGE("at or behind the damage"),
        /** In the log with another length or checksum. */
        CHANGED("changed"),
        /** In the log at another index. */
        MOVED("moved"),
        /** In the log more than once. */
        REPEATED("repeated"),
        /** The ledger itself has two places or contents for it. */
        CONTRADICTED("acknowledged at two places"),
        /** An index is missing in the log. */
        GAP("gap");

        final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    /**
     * A record's place and content.
     *
     * @param index in the log
     * @param length of the request's payload, in bytes
     * @param crc32c of the request's payload
     */
    record Place(long index, int length, int crc32c) {
        @Override
        public String toString() {
            return String.format("index %d (%d bytes, crc32c %08x)", index, length, crc32c);
        }
    }

    /** What is wrong, in one line. */
    String sentence() {
        String name = "request " + Long.toUnsignedString(request) + " of client " + Long.toUnsignedString(client);
        return switch (kind) {
            case LOST, BEHIND_DAMAGE -> kind.label + ": " + name + ", acknowledged at " + acknowledged;
            case CHANGED -> "changed: " + name + ", acknowledged at " + acknowledged + ", is in the log at " + found;
            case MOVED -> "moved: " + name + ", acknowledged at " + acknowledged + ", is in the log at " + found;
            case REPEATED ->
                "repeated: " + name + ", acknowledged at " + acknowledged + ", is in the log once more at " + found;
            case CONTRADICTED -> "acknowledged at two places: " + name + ", at " + acknowledged + " and at " + found;
            case GAP -> "gap: the log continues at " + found + ", which is not the next index";
        };
    }
}
