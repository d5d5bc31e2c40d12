package io.plog.protocol;

/** Cuts UTF-8 between characters, never inside one. */
final class Utf8 {
    private Utf8() {}

    /** How many of these bytes are whole characters within {@code maxBytes}. */
    static int cut(byte[] utf8, int maxBytes) {
        if (utf8.length <= maxBytes) {
            return utf8.length;
        }
        int end = maxBytes;
        while (end > 0 && (utf8[end] & 0xC0) == 0x80) {
            end--;
        }
        return end;
    }
}
